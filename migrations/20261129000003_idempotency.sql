-- First answers to requests with an Idempotency-Key, kept for a day.
--
-- The scope is the hash of the token (or of the client's address) with the method and path; of the
-- key only a hash is kept. The answer is encrypted under a key derived from the Idempotency-Key, so
-- the table alone yields no token.
CREATE TABLE idempotency (
    scope       bytea       NOT NULL CHECK (length(scope) = 32),
    key_hash    bytea       NOT NULL CHECK (length(key_hash) = 32),
    body_hash   bytea       NOT NULL CHECK (length(body_hash) = 32),
    created_at  timestamptz NOT NULL DEFAULT now(),
    -- Until then the first request counts as running; after it, as lost with its process.
    lease_until timestamptz NOT NULL,
    answer      bytea,
    PRIMARY KEY (scope, key_hash)
);
CREATE INDEX idempotency_age ON idempotency (created_at);
