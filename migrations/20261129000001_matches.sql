-- Matches, their seats and every step of them.
--
-- Every large table's key begins with the match id. It is a UUIDv7, which begins with the time, so
-- ranges of it are months: old history can be detached, and the unique key (match_id, version)
-- needs no other column.

CREATE TABLE matches (
    match_id        uuid        NOT NULL PRIMARY KEY,
    game            text        NOT NULL,
    options         jsonb       NOT NULL,
    rules_version   integer     NOT NULL,
    lexicon_version text        NOT NULL,
    seat_order      text        NOT NULL CHECK (seat_order IN ('as_given', 'shuffled')),
    turn_seconds    integer     CHECK (turn_seconds > 0),
    listed          boolean     NOT NULL,
    analysis        boolean     NOT NULL,
    sandbox         jsonb,
    server_seed     bytea       NOT NULL CHECK (length(server_seed) = 32),
    created_at      timestamptz NOT NULL,
    status          text        NOT NULL CHECK (status IN ('waiting', 'active', 'finished')),
    finished_at     timestamptz,
    outcome         jsonb,
    CHECK ((status = 'finished') = (finished_at IS NOT NULL AND outcome IS NOT NULL))
) PARTITION BY RANGE (match_id);
COMMENT ON TABLE matches IS 'One row a match: what it was created with, and how it ended.';
COMMENT ON COLUMN matches.server_seed IS 'Secret until the match is finished.';

CREATE INDEX matches_listing ON matches (game, match_id) WHERE listed;

CREATE TABLE seats (
    match_id   uuid     NOT NULL,
    seat       smallint NOT NULL CHECK (seat BETWEEN 0 AND 9),
    name       text     NOT NULL,
    kind       text     NOT NULL CHECK (kind IN ('human', 'bot', 'open')),
    bot_level  text     CHECK (bot_level IN ('easy', 'standard', 'strong')),
    token_hash bytea    CHECK (length(token_hash) = 32),
    player_id  uuid,
    -- Whether it was created open, to be claimed later.
    opened     boolean  NOT NULL,
    entropy    bytea    NOT NULL DEFAULT '' CHECK (length(entropy) <= 64),
    PRIMARY KEY (match_id, seat),
    CHECK ((kind = 'bot') = (bot_level IS NOT NULL))
) PARTITION BY RANGE (match_id);
COMMENT ON TABLE seats IS 'One row a seat. A token is stored as its SHA-256 only.';

CREATE INDEX seats_token ON seats (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX seats_player ON seats (player_id, match_id) WHERE player_id IS NOT NULL;

CREATE TABLE steps (
    match_id     uuid        NOT NULL,
    version      integer     NOT NULL CHECK (version > 0),
    cause        text        NOT NULL CHECK (cause IN ('start', 'claim', 'action', 'bot', 'clock', 'deadline')),
    seat         smallint,
    action       jsonb,
    first_seq    integer     NOT NULL CHECK (first_seq > 0),
    events       jsonb       NOT NULL,
    at           timestamptz NOT NULL,
    chance_words bigint      NOT NULL,
    chance_dice  integer     NOT NULL,
    chance_cards integer     NOT NULL,
    PRIMARY KEY (match_id, version)
) PARTITION BY RANGE (match_id);
COMMENT ON TABLE steps IS 'The append-only log: what a seat, the bot or a clock did, and every event that came of it, with all secrets. The key makes simultaneous actions safe on any number of server processes.';
COMMENT ON COLUMN steps.chance_words IS 'Words of the chance stream consumed up to the end of the step.';

-- What falls due though nobody acts: a clock or a bot. A row only for matches that have any.
CREATE TABLE due (
    match_id uuid        NOT NULL PRIMARY KEY,
    due_at   timestamptz NOT NULL
);
CREATE INDEX due_next ON due (due_at);

-- The bounds of a month as match ids.
CREATE FUNCTION month_bound(month timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT (lpad(to_hex((extract(epoch FROM month) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- The partitions of the month that a day lies in (UTC), there or not: one of each table that has months,
-- those of play first, as play locks them.
CREATE FUNCTION partitions_of_month(day date)
RETURNS TABLE (parent regclass, child text, first uuid, next uuid) LANGUAGE sql STABLE STRICT AS $$
    SELECT p.oid::regclass,
           format('%I.%I', s.nspname, p.relname || to_char(month, '_YYYY_MM')),
           month_bound(month AT TIME ZONE 'UTC'),
           month_bound((month + interval '1 month') AT TIME ZONE 'UTC')
    FROM pg_class p JOIN pg_namespace s ON s.oid = p.relnamespace,
         date_trunc('month', day::timestamp) AS month
    WHERE p.relkind = 'p' AND NOT p.relispartition AND s.nspname IN ('public', 'history')
    ORDER BY s.nspname = 'history', p.relname
$$;

-- Months that are out of the live tables, there or not any more: what was counted of their matches is
-- still counted, so that none of them may come in by another way than attach_month.
CREATE TABLE detached_months (
    month       date        NOT NULL PRIMARY KEY,
    first       uuid        NOT NULL,
    next        uuid        NOT NULL,
    -- When the first and the last of its matches ended; null where it had none.
    first_end   timestamptz,
    last_end    timestamptz,
    detached_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE detached_months IS 'Written by detach_month, deleted by attach_month and by takujo project --rebuild --forget-detached.';
COMMENT ON COLUMN detached_months.first IS 'Its match ids begin with this one; next is the first of the month after.';

-- Makes the partitions of the month that a day lies in; those that exist are left alone, and a month
-- that was taken out gets none: it is brought back with those that it had. Behind a
-- statement that runs for long, such as a dump, it gives up rather than hold up all others: it is
-- tried again within the hour.
CREATE FUNCTION ensure_month(day date) RETURNS void LANGUAGE plpgsql SET lock_timeout = '3s' AS $$
DECLARE
    part record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('takujo.months'));
    IF EXISTS (SELECT FROM detached_months WHERE month = date_trunc('month', day::timestamp)) THEN
        RETURN;
    END IF;
    FOR part IN SELECT * FROM partitions_of_month(day) WHERE to_regclass(child) IS NULL LOOP
        EXECUTE format('CREATE TABLE %s PARTITION OF %s FOR VALUES FROM (%L) TO (%L)',
                       part.child, part.parent, part.first, part.next);
    END LOOP;
END
$$;

-- Whatever the clock says, a match finds its place.
CREATE TABLE matches_other PARTITION OF matches DEFAULT;
CREATE TABLE seats_other PARTITION OF seats DEFAULT;
CREATE TABLE steps_other PARTITION OF steps DEFAULT;
