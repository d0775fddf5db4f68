-- Months taken out of the live tables and brought back. Each function takes any day of the month, in
-- UTC, and gives up after three seconds behind a statement that runs for long, rather than hold up all
-- others behind itself.

-- Takes a month out. Its partitions stay as tables of their own, to be kept elsewhere and dropped;
-- counts, the next moves and ratings stay as they are, and a note keeps its matches from being loaded
-- and counted again.
CREATE FUNCTION detach_month(day date) RETURNS void LANGUAGE plpgsql SET lock_timeout = '3s' AS $$
DECLARE
    month text := to_char(day::timestamp, 'YYYY-MM');
    bounds record;
    part record;
    many bigint;
    example uuid;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('takujo.months'));
    IF month >= to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') THEN
        RAISE EXCEPTION '% is not over', month
        USING HINT = 'Matches are still created in it. Detach a month that lies in the past (UTC).';
    END IF;
    SELECT first, next INTO STRICT bounds FROM partitions_of_month(day) LIMIT 1;
    SELECT count(*), (array_agg(match_id ORDER BY match_id))[1] INTO many, example
    FROM matches WHERE match_id >= bounds.first AND match_id < bounds.next AND status <> 'finished';
    IF many > 0 THEN
        RAISE EXCEPTION '% matches of % are not finished, such as %', many, month, example
        USING HINT = 'They would be taken from their players. Detach the month when they are over.';
    END IF;
    FOR part IN SELECT * FROM partitions_of_month(day)
                WHERE (SELECT relispartition FROM pg_class WHERE oid = to_regclass(child)) LOOP
        EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', part.parent, part.child);
        IF part.parent = 'matches'::regclass THEN
            EXECUTE format('INSERT INTO detached_months (month, first, next, first_end, last_end)
                            SELECT date_trunc(''month'', %L::timestamp), %L, %L, min(finished_at), max(finished_at)
                            FROM %s WHERE sandbox IS NULL', day, part.first, part.next, part.child);
        END IF;
    END LOOP;
    IF NOT FOUND THEN
        RAISE EXCEPTION '% has no partitions', month
        USING HINT = 'It has been detached already, or no match was ever created in it.';
    END IF;
    -- Asked now that no match of the month can come any more.
    SELECT count(*) INTO many FROM history.pending
    WHERE match_id >= bounds.first AND match_id < bounds.next AND set_aside IS NULL;
    IF many > 0 THEN
        RAISE EXCEPTION '% matches of % wait to be counted', many, month
        USING HINT = 'Let a server run for a moment, or run takujo project, and detach the month then.';
    END IF;
END
$$;

-- Brings a month back, from tables that were its partitions before they were detached. Those that are
-- attached are left alone.
CREATE FUNCTION attach_month(day date) RETURNS void LANGUAGE plpgsql SET lock_timeout = '3s' AS $$
DECLARE
    part record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('takujo.months'));
    FOR part IN SELECT * FROM partitions_of_month(day) LOOP
        IF to_regclass(part.child) IS NULL THEN
            RAISE EXCEPTION 'there is no table %', part.child
            USING HINT = 'Load the dump of the month first; each of its tables is needed. Where it is gone for good, takujo project --rebuild --forget-detached forgets it.';
        END IF;
        IF NOT (SELECT relispartition FROM pg_class WHERE oid = to_regclass(part.child)) THEN
            EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)',
                           part.parent, part.child, part.first, part.next);
        END IF;
    END LOOP;
    DELETE FROM detached_months WHERE month = date_trunc('month', day::timestamp);
END
$$;

-- Gives a month that has none partitions of its own, with the rows of it that the default partitions
-- took meanwhile; without such rows it does what ensure_month does. Nobody plays while rows move.
CREATE FUNCTION gather_month(day date) RETURNS void LANGUAGE plpgsql SET lock_timeout = '3s' AS $$
DECLARE
    part record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('takujo.months'));
    IF EXISTS (SELECT FROM detached_months WHERE month = date_trunc('month', day::timestamp)) THEN
        RAISE EXCEPTION '% has been taken out', to_char(day::timestamp, 'YYYY-MM')
        USING HINT = 'Bring it back with attach_month.';
    END IF;
    FOR part IN SELECT * FROM partitions_of_month(day) WHERE to_regclass(child) IS NULL LOOP
        EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', part.parent);
        EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL)', part.child, part.parent);
        EXECUTE format('WITH moved AS (DELETE FROM %s WHERE match_id >= %L AND match_id < %L RETURNING *)
                        INSERT INTO %s SELECT * FROM moved', part.parent, part.first, part.next, part.child);
    END LOOP;
    PERFORM attach_month(day);
END
$$;
