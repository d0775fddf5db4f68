-- Brings back the month that a time lies in, from tables that were its partitions before they were
-- detached: every partitioned table gets its own again. Those that are attached are left alone.
CREATE FUNCTION attach_month(at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    month timestamp := date_trunc('month', at AT TIME ZONE 'UTC');
    first uuid := month_bound(month AT TIME ZONE 'UTC');
    next  uuid := month_bound((month + interval '1 month') AT TIME ZONE 'UTC');
    parent regclass;
    child regclass;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('takujo.ensure_month'));
    FOR parent, child IN
        SELECT p.oid, c.oid
        FROM pg_class p JOIN pg_class c
          ON c.relnamespace = p.relnamespace AND c.relname = p.relname || to_char(month, '_YYYY_MM')
        WHERE p.relkind = 'p' AND c.relkind = 'r' AND NOT c.relispartition
    LOOP
        EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent, child, first, next);
    END LOOP;
END
$$;
