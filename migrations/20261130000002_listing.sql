-- What the list of matches is asked for beside a game: what is not over yet, and sandboxes. Both are
-- few among many, so that walking all matches until a page is full would take ever longer.
CREATE INDEX matches_unfinished ON matches (status, match_id) WHERE listed AND status <> 'finished';
CREATE INDEX matches_sandbox ON matches (match_id) WHERE listed AND sandbox IS NOT NULL;
