-- The role that reads the views of the schema `analytics` and nothing else. An operator grants it
-- to the people who analyse: GRANT takujo_reader TO someone.

-- Opens the views that there are; migrations that add one call it again.
CREATE FUNCTION analytics.open_to_reader() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    name text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'takujo_reader') THEN
        RAISE NOTICE 'There is no role takujo_reader. To have one: CREATE ROLE takujo_reader NOLOGIN; then SELECT analytics.open_to_reader();';
        RETURN;
    END IF;
    GRANT USAGE ON SCHEMA analytics TO takujo_reader;
    FOR name IN SELECT viewname FROM pg_views WHERE schemaname = 'analytics' LOOP
        EXECUTE format('GRANT SELECT ON analytics.%I TO takujo_reader', name);
    END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION analytics.open_to_reader() FROM PUBLIC;
COMMENT ON FUNCTION analytics.open_to_reader() IS 'Lets the role takujo_reader, where there is one, read every view of this schema.';

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'takujo_reader') THEN
        CREATE ROLE takujo_reader NOLOGIN;
    END IF;
EXCEPTION
    -- Roles belong to the whole cluster: another database of it may be making this one right now.
    WHEN duplicate_object OR unique_violation THEN NULL;
    WHEN insufficient_privilege THEN
        RAISE NOTICE 'This database user may not create roles: the views are there, but not yet the role that reads them.';
END
$$;

SELECT analytics.open_to_reader();
