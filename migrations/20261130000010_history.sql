-- What is projected from finished matches: counts, lines of play, ratings.
--
-- Nothing here is the truth: all of it follows from matches, seats and steps, and can be made again
-- (`takujo project --rebuild`). Counts outlive the matches they come from: an old month can be
-- detached and summaries still answer for it.

CREATE SCHEMA history;
COMMENT ON SCHEMA history IS 'Projections of finished matches, kept by the server itself. Readers of SQL find stable views in the schema analytics.';

-- Finished matches that are not folded yet. A row is written in the transaction that finishes the
-- match, whichever way that happens, and deleted in the one that folds it.
CREATE TABLE history.pending (
    match_id    uuid        NOT NULL PRIMARY KEY,
    game        text        NOT NULL,
    finished_at timestamptz NOT NULL,
    -- Why it cannot be folded; it then keeps nobody waiting.
    set_aside   text
);
CREATE INDEX pending_next ON history.pending (finished_at, match_id) WHERE set_aside IS NULL;
CREATE INDEX pending_game ON history.pending (game, finished_at) WHERE set_aside IS NULL;
CREATE INDEX pending_set_aside ON history.pending (game, finished_at) WHERE set_aside IS NOT NULL;

CREATE FUNCTION history.note_finished() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO history.pending (match_id, game, finished_at)
    VALUES (NEW.match_id, NEW.game, NEW.finished_at) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER matches_finished AFTER UPDATE OF status ON matches FOR EACH ROW
    WHEN (OLD.status <> 'finished' AND NEW.status = 'finished' AND NEW.sandbox IS NULL)
    EXECUTE FUNCTION history.note_finished();
CREATE TRIGGER matches_finished_at_once AFTER INSERT ON matches FOR EACH ROW
    WHEN (NEW.status = 'finished' AND NEW.sandbox IS NULL)
    EXECUTE FUNCTION history.note_finished();

-- Matches of one game that are alike in all that can be filtered by, but for time and players; and for
-- each game the group of all ('any'), which only counts are kept of.
CREATE TABLE history.groups (
    group_id    integer  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    game        text     NOT NULL,
    seats       smallint NOT NULL,
    composition text     NOT NULL CHECK (composition IN ('humans', 'bots', 'mixed', 'any')),
    options     jsonb    NOT NULL
);
CREATE UNIQUE INDEX groups_alike ON history.groups (game, seats, composition, md5(options::text));
COMMENT ON COLUMN history.groups.options IS 'Every option; of lists and objects only whether it is the default.';

-- Counts by group and day, and the same summed up by month and in all, so that a long time is read
-- in few rows.
CREATE TABLE history.counts (
    group_id integer          NOT NULL,
    grain    smallint         NOT NULL CHECK (grain BETWEEN 0 AND 2),
    period   date             NOT NULL,
    measure  text             NOT NULL,
    key      text             NOT NULL,
    n        bigint           NOT NULL,
    hits     bigint           NOT NULL,
    sum      double precision NOT NULL,
    squares  double precision NOT NULL,
    PRIMARY KEY (group_id, grain, period, measure, key)
) WITH (fillfactor = 80);
COMMENT ON COLUMN history.counts.grain IS '0 all time (period 1970-01-01), 1 a month, 2 a day, by the time the match ended, UTC.';
COMMENT ON COLUMN history.counts.hits IS 'Of n, how many were so (won, true, bust, …).';
COMMENT ON COLUMN history.counts.sum IS 'Sum of the n values, where they are values; squares is that of their squares.';

-- What was played next after a line of play, for the first tokens of every match.
CREATE TABLE history.moves (
    path     uuid     NOT NULL,
    group_id integer  NOT NULL,
    month    date     NOT NULL,
    token    text     NOT NULL,
    n        bigint   NOT NULL,
    wins     bigint[] NOT NULL,
    samples  uuid[]   NOT NULL,
    PRIMARY KEY (path, group_id, month, token)
) WITH (fillfactor = 80);
COMMENT ON COLUMN history.moves.path IS 'The first 16 bytes of the SHA-256 of the game and the line so far.';
COMMENT ON COLUMN history.moves.token IS 'The next token of the line; empty where the match was over.';
COMMENT ON COLUMN history.moves.wins IS 'How many of the n matches each seat won.';
COMMENT ON COLUMN history.moves.samples IS 'The newest three of them that are listed, the newest first.';

-- One row a match: its line of play, and what it adds to the counts if a registered player sat in it.
CREATE TABLE history.lines (
    match_id    uuid        NOT NULL PRIMARY KEY,
    game        text        NOT NULL,
    group_id    integer     NOT NULL,
    finished_at timestamptz NOT NULL,
    listed      boolean     NOT NULL,
    winners     smallint[]  NOT NULL,
    prefix      uuid        NOT NULL,
    line        text        NOT NULL,
    sheet       jsonb
) PARTITION BY RANGE (match_id);
CREATE INDEX lines_prefix ON history.lines (prefix, match_id);
CREATE INDEX lines_time ON history.lines (game, finished_at);
CREATE TABLE history.lines_other PARTITION OF history.lines DEFAULT;

CREATE TABLE history.participants (
    player_id uuid NOT NULL,
    game      text NOT NULL,
    match_id  uuid NOT NULL,
    PRIMARY KEY (player_id, game, match_id)
);

-- Folded matches between two or more registered players that wait for the ratings, which take them
-- in the order in which they ended.
CREATE TABLE history.unrated (
    finished_at timestamptz NOT NULL,
    match_id    uuid        NOT NULL,
    game        text        NOT NULL,
    players     uuid[]      NOT NULL,
    ranks       smallint[]  NOT NULL,
    PRIMARY KEY (finished_at, match_id)
);

CREATE TABLE history.ratings (
    game         text             NOT NULL,
    player_id    uuid             NOT NULL,
    mu           double precision NOT NULL,
    sigma        double precision NOT NULL,
    matches      bigint           NOT NULL,
    rated_at     timestamptz      NOT NULL,
    conservative double precision NOT NULL GENERATED ALWAYS AS (mu - 3 * sigma) STORED,
    PRIMARY KEY (game, player_id)
);
CREATE INDEX ratings_board ON history.ratings (game, conservative DESC, player_id);

-- Matches that ended before this migration.
INSERT INTO history.pending (match_id, game, finished_at)
SELECT match_id, game, finished_at FROM matches WHERE status = 'finished' AND sandbox IS NULL;
