-- Players: people who link their seats by one token.
CREATE TABLE players (
    player_id  uuid        NOT NULL PRIMARY KEY,
    name       text        NOT NULL,
    token_hash bytea       NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    created_at timestamptz NOT NULL
);
