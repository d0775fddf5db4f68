-- Who looks after what is due: a process claims it for a few seconds, so that no two work the same
-- out; a claim whose process was killed runs out.
ALTER TABLE due ADD COLUMN claimed_until timestamptz;
COMMENT ON TABLE due IS 'What falls due though nobody acts: a clock or a bot. A row only for matches that have any.';
