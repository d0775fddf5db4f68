-- What readers who want SQL may rely on: views of the history in the schema `analytics`.
--
-- Finished matches alone, and no sandbox matches: nothing of a match that is being played is in any
-- of them, and no token, hash, seed or entropy ever. They are barriers: a reader's own functions see
-- no row that the views leave out.

CREATE SCHEMA IF NOT EXISTS analytics;
COMMENT ON SCHEMA analytics IS 'Finished matches for readers: stable views, every column of them commented.';

CREATE VIEW analytics.matches WITH (security_barrier) AS
SELECT m.match_id,
       m.game,
       m.rules_version,
       m.lexicon_version,
       m.options,
       s.seats,
       s.humans,
       s.bots,
       s.names,
       s.kinds,
       s.players,
       m.seat_order,
       m.turn_seconds,
       m.listed,
       m.created_at,
       t.started_at,
       m.finished_at,
       (extract(epoch FROM m.finished_at - t.started_at) * 1000)::bigint AS duration_ms,
       l.steps,
       m.outcome ->> 'reason' AS reason,
       m.outcome -> 'ranks' AS ranks,
       m.outcome -> 'winners' AS winners
FROM matches m
CROSS JOIN LATERAL (
    SELECT count(*)::int AS seats,
           (count(*) FILTER (WHERE kind = 'human'))::int AS humans,
           (count(*) FILTER (WHERE kind = 'bot'))::int AS bots,
           jsonb_agg(name ORDER BY seat) AS names,
           jsonb_agg(coalesce(bot_level, kind) ORDER BY seat) AS kinds,
           jsonb_agg(player_id ORDER BY seat) AS players
    FROM seats WHERE seats.match_id = m.match_id) s
-- The last seat that is taken starts the match, and there are ten at most.
CROSS JOIN LATERAL (
    SELECT max(at) AS started_at
    FROM steps WHERE steps.match_id = m.match_id AND version <= 10 AND cause IN ('start', 'claim')) t
CROSS JOIN LATERAL (SELECT max(version) AS steps FROM steps WHERE steps.match_id = m.match_id) l
WHERE m.status = 'finished' AND m.sandbox IS NULL;

COMMENT ON VIEW analytics.matches IS 'One row a finished match.';
COMMENT ON COLUMN analytics.matches.match_id IS 'The match. Ids are UUIDv7: their order is that of creation.';
COMMENT ON COLUMN analytics.matches.game IS 'The game''s id, such as hachiku.';
COMMENT ON COLUMN analytics.matches.rules_version IS 'The version of the game''s rules that it was judged by.';
COMMENT ON COLUMN analytics.matches.lexicon_version IS 'The lexicon that it was created with.';
COMMENT ON COLUMN analytics.matches.options IS 'The options, with defaults filled in.';
COMMENT ON COLUMN analytics.matches.seats IS 'How many seats it has.';
COMMENT ON COLUMN analytics.matches.humans IS 'How many of them humans held.';
COMMENT ON COLUMN analytics.matches.bots IS 'How many of them the built-in bot held.';
COMMENT ON COLUMN analytics.matches.names IS 'The names of the seats as a JSON list.';
COMMENT ON COLUMN analytics.matches.kinds IS 'Who held each seat as a JSON list: human, or the bot''s level.';
COMMENT ON COLUMN analytics.matches.players IS 'The registered player of each seat as a JSON list; null for a seat without.';
COMMENT ON COLUMN analytics.matches.seat_order IS 'as_given or shuffled: how the seats got their order.';
COMMENT ON COLUMN analytics.matches.turn_seconds IS 'Seconds that a seat could think; null without a limit.';
COMMENT ON COLUMN analytics.matches.listed IS 'Whether it shows in the public list; the exports over HTTP hold listed matches alone.';
COMMENT ON COLUMN analytics.matches.created_at IS 'When it was created.';
COMMENT ON COLUMN analytics.matches.started_at IS 'When its last seat was taken and play began.';
COMMENT ON COLUMN analytics.matches.finished_at IS 'When it ended.';
COMMENT ON COLUMN analytics.matches.duration_ms IS 'Milliseconds from started_at to finished_at.';
COMMENT ON COLUMN analytics.matches.steps IS 'Steps of its log: its version at the end.';
COMMENT ON COLUMN analytics.matches.reason IS 'What ended it: a fixed word of the game, or resigned.';
COMMENT ON COLUMN analytics.matches.ranks IS 'The rank of each seat as a JSON list; 1 is best, equal seats share the better rank.';
COMMENT ON COLUMN analytics.matches.winners IS 'The seats of rank 1 as a JSON list.';

CREATE VIEW analytics.seats WITH (security_barrier) AS
SELECT m.match_id,
       s.seat,
       m.game,
       s.name,
       s.kind,
       s.bot_level,
       s.player_id,
       (m.outcome -> 'ranks' ->> s.seat::int)::int AS rank,
       (m.outcome -> 'ranks' ->> s.seat::int)::int = 1 AS won,
       EXISTS (SELECT FROM steps
               WHERE steps.match_id = m.match_id
                 AND events @> jsonb_build_array(jsonb_build_object('type', 'resigned', 'seat', s.seat))) AS resigned
FROM matches m
JOIN seats s ON s.match_id = m.match_id
WHERE m.status = 'finished' AND m.sandbox IS NULL;

COMMENT ON VIEW analytics.seats IS 'One row a seat of a finished match.';
COMMENT ON COLUMN analytics.seats.match_id IS 'The match.';
COMMENT ON COLUMN analytics.seats.seat IS 'The seat, counted from 0 in turn order.';
COMMENT ON COLUMN analytics.seats.game IS 'The game''s id.';
COMMENT ON COLUMN analytics.seats.name IS 'The name shown at the table.';
COMMENT ON COLUMN analytics.seats.kind IS 'human or bot.';
COMMENT ON COLUMN analytics.seats.bot_level IS 'How strong the bot was: easy, standard or strong; null for a human.';
COMMENT ON COLUMN analytics.seats.player_id IS 'The registered player; null for a bot and for a human without registration.';
COMMENT ON COLUMN analytics.seats.rank IS 'The rank of the seat; 1 is best.';
COMMENT ON COLUMN analytics.seats.won IS 'Whether the rank is 1; several seats may share it.';
COMMENT ON COLUMN analytics.seats.resigned IS 'Whether it resigned, or let the clock run out too often: in a match of more than two seats the bot then played on for it.';

-- Match by match, so that no query of it has to sort more than one match's log.
CREATE VIEW analytics.actions WITH (security_barrier) AS
SELECT m.match_id,
       s.version,
       m.game,
       s.seat,
       s.cause,
       s.action ->> 'type' AS type,
       s.action,
       jsonb_array_length(s.events) AS events,
       s.at,
       (extract(epoch FROM s.at - s.previous_at) * 1000)::bigint AS since_previous_ms,
       (m.outcome -> 'ranks' ->> s.seat::int)::int AS rank,
       (m.outcome -> 'ranks' ->> s.seat::int)::int = 1 AS won
FROM matches m
CROSS JOIN LATERAL (
    SELECT version, seat, cause, action, events, at, lag(at) OVER (ORDER BY version) AS previous_at
    FROM steps WHERE steps.match_id = m.match_id) s
WHERE s.cause IN ('action', 'bot', 'clock') AND m.status = 'finished' AND m.sandbox IS NULL;

COMMENT ON VIEW analytics.actions IS 'One row a decision in a finished match: what a seat did, or the bot or the turn clock for it.';
COMMENT ON COLUMN analytics.actions.match_id IS 'The match.';
COMMENT ON COLUMN analytics.actions.version IS 'The version that the action led to; with match_id the key.';
COMMENT ON COLUMN analytics.actions.game IS 'The game''s id.';
COMMENT ON COLUMN analytics.actions.seat IS 'The seat whose action it was.';
COMMENT ON COLUMN analytics.actions.cause IS 'Who decided: action for the player, bot for the built-in bot, clock for the bot when time had run out.';
COMMENT ON COLUMN analytics.actions.type IS 'The type of the action, such as gather or resign.';
COMMENT ON COLUMN analytics.actions.action IS 'The action as it was posted.';
COMMENT ON COLUMN analytics.actions.events IS 'How many events came of it.';
COMMENT ON COLUMN analytics.actions.at IS 'When it happened.';
COMMENT ON COLUMN analytics.actions.since_previous_ms IS 'Milliseconds since the step before, whoever took that; null where there is none.';
COMMENT ON COLUMN analytics.actions.rank IS 'The rank of the seat at the end; 1 is best.';
COMMENT ON COLUMN analytics.actions.won IS 'Whether that rank is 1.';

CREATE VIEW analytics.events WITH (security_barrier) AS
SELECT m.match_id,
       s.first_seq + (e.place - 1)::int AS seq,
       s.version,
       m.game,
       (e.event ->> 'seat')::int AS seat,
       e.event ->> 'type' AS type,
       e.event,
       s.at
FROM matches m
JOIN steps s ON s.match_id = m.match_id
CROSS JOIN LATERAL jsonb_array_elements(s.events) WITH ORDINALITY AS e (event, place)
WHERE m.status = 'finished' AND m.sandbox IS NULL;

COMMENT ON VIEW analytics.events IS 'One row an event of a finished match, open as everything is after the end.';
COMMENT ON COLUMN analytics.events.match_id IS 'The match.';
COMMENT ON COLUMN analytics.events.seq IS 'Counts the match''s events from 1; with match_id the key.';
COMMENT ON COLUMN analytics.events.version IS 'The version that the event''s step led to.';
COMMENT ON COLUMN analytics.events.game IS 'The game''s id.';
COMMENT ON COLUMN analytics.events.seat IS 'The seat that it is about; null where it is about none.';
COMMENT ON COLUMN analytics.events.type IS 'The type of the event.';
COMMENT ON COLUMN analytics.events.event IS 'The event, whole.';
COMMENT ON COLUMN analytics.events.at IS 'When it happened.';

CREATE VIEW analytics.words WITH (security_barrier) AS
SELECT m.match_id,
       w.seq,
       w.version,
       w.seat,
       w.type AS way,
       w.verdict,
       w.word ->> 'letters' AS letters,
       char_length(w.word ->> 'letters') AS length,
       left(w.word ->> 'letters', 1) AS head,
       w.word ->> 'written' AS written,
       w.word -> 'readings' AS readings,
       CASE WHEN w.counts THEN char_length(w.word ->> 'letters') - 1 ELSE 0 END AS captured,
       w.at,
       (m.outcome -> 'ranks' ->> w.seat)::int AS rank,
       (m.outcome -> 'ranks' ->> w.seat)::int = 1 AS won
FROM matches m
CROSS JOIN LATERAL (
    SELECT seq, version, at, type,
           (event ->> 'seat')::int AS seat,
           coalesce(event -> 'word', event -> 'choice' -> 'word') AS word,
           CASE WHEN type <> 'put' THEN 'known'
                WHEN following ->> 'accept' = 'true' THEN 'accepted'
                WHEN following ->> 'accept' = 'false' THEN 'refused'
                ELSE 'unjudged'
           END AS verdict,
           CASE type
               WHEN 'put' THEN following ->> 'accept' IS NOT DISTINCT FROM 'true'
               WHEN 'final_given' THEN revealed
               ELSE true
           END AS counts,
           -- An accepted word is said in the very next event: it is one word, not two.
           type = 'said' AND preceding ->> 'accept' IS NOT DISTINCT FROM 'true' AS repeats
    FROM (SELECT s.version, s.at, e.event,
                 s.first_seq + (e.place - 1)::int AS seq,
                 e.event ->> 'type' AS type,
                 lag(e.event) OVER in_order AS preceding,
                 lead(e.event) OVER in_order AS following,
                 bool_or(e.event ->> 'type' = 'finals_revealed') OVER () AS revealed
          FROM steps s
          CROSS JOIN LATERAL jsonb_array_elements(s.events) WITH ORDINALITY AS e (event, place)
          WHERE s.match_id = m.match_id
            AND e.event ->> 'type' IN ('said', 'put', 'judged', 'final_given', 'finals_revealed')
          WINDOW in_order AS (ORDER BY s.version, e.place)) spoken) w
WHERE m.game = 'hachiku' AND m.status = 'finished' AND m.sandbox IS NULL
  AND w.type IN ('said', 'put', 'final_given') AND w.word IS NOT NULL AND NOT w.repeats;

COMMENT ON VIEW analytics.words IS 'One row a word given in a finished match of hachiku. A word that the lexicon refused outright changed nothing and is not in the log.';
COMMENT ON COLUMN analytics.words.match_id IS 'The match.';
COMMENT ON COLUMN analytics.words.seq IS 'The number of the event; with match_id the key.';
COMMENT ON COLUMN analytics.words.version IS 'The version that the event''s step led to.';
COMMENT ON COLUMN analytics.words.seat IS 'The seat that gave it.';
COMMENT ON COLUMN analytics.words.way IS 'said in a turn, put to the opponent because nobody knew it, or final_given when the field was empty.';
COMMENT ON COLUMN analytics.words.verdict IS 'known to the match''s lexicon; accepted or refused by the opponent; unjudged where the match ended first.';
COMMENT ON COLUMN analytics.words.letters IS 'The spelling in cards.';
COMMENT ON COLUMN analytics.words.length IS 'How many letters it has.';
COMMENT ON COLUMN analytics.words.head IS 'Its first letter: the head that it answered.';
COMMENT ON COLUMN analytics.words.written IS 'What the player wrote; null where it was the spelling itself.';
COMMENT ON COLUMN analytics.words.readings IS 'The readings that are spelled so, as a JSON list; null where the lexicon knows none.';
COMMENT ON COLUMN analytics.words.captured IS 'How many cards it captured: all but its last, none where it did not count.';
COMMENT ON COLUMN analytics.words.at IS 'When it was given.';
COMMENT ON COLUMN analytics.words.rank IS 'The rank of the seat at the end; 1 is best.';
COMMENT ON COLUMN analytics.words.won IS 'Whether that rank is 1.';

CREATE VIEW analytics.players WITH (security_barrier) AS
SELECT player_id, name, created_at FROM players;

COMMENT ON VIEW analytics.players IS 'One row a registered player.';
COMMENT ON COLUMN analytics.players.player_id IS 'The player.';
COMMENT ON COLUMN analytics.players.name IS 'The name that the player registered with.';
COMMENT ON COLUMN analytics.players.created_at IS 'When the player registered.';

CREATE VIEW analytics.ratings WITH (security_barrier) AS
SELECT r.game,
       r.player_id,
       p.name,
       r.mu AS rating,
       r.sigma AS uncertainty,
       r.conservative,
       r.matches,
       r.rated_at
FROM history.ratings r
JOIN players p ON p.player_id = r.player_id;

COMMENT ON VIEW analytics.ratings IS 'One row a registered player and game: the rating after all rated matches.';
COMMENT ON COLUMN analytics.ratings.game IS 'The game''s id.';
COMMENT ON COLUMN analytics.ratings.player_id IS 'The player.';
COMMENT ON COLUMN analytics.ratings.name IS 'The name that the player registered with.';
COMMENT ON COLUMN analytics.ratings.rating IS 'The mean of the skill; everybody begins at 25.';
COMMENT ON COLUMN analytics.ratings.uncertainty IS 'The standard deviation of the skill: the true one lies within 1.96 of them in 95 of 100 cases.';
COMMENT ON COLUMN analytics.ratings.conservative IS 'rating - 3 uncertainty: what leaderboards are ordered by.';
COMMENT ON COLUMN analytics.ratings.matches IS 'How many matches were rated.';
COMMENT ON COLUMN analytics.ratings.rated_at IS 'When the last of them ended.';
