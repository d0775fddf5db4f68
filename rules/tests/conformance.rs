//! What must hold for any game, checked on random matches of each.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use dictionary::{Class, Lexicon, Row, Spelling};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rules::chance::{Chance, Key, Script};
use rules::game::{Game, Inquiry, Level};
use rules::hachiku::{self, Hachiku, Spoken};
use rules::kamudakara::Kamudakara;
use rules::sainokawara::{self, Sainokawara};
use rules::salamander::{self, Salamander};
use rules::seat::{Seat, SeatCount, Viewer};
use rules::table::{Judgement, Move, Plan, Player, Status, Step, Table, TableEvent, read_move};
use rules::time::Timestamp;
use rules::twenty_one::{self, RollerFallback, TieRule, TwentyOne};
use serde_json::Value;

/// A game with the words it is played with; a random match of it ends within `bound` steps.
struct Subject<G: Game> {
    options: G::Options,
    lexicon: Lexicon,
    bound: usize,
    /// How many times fewer matches are tried than of a game whose actions take microseconds.
    thrift: u32,
    /// Whether an accepted action may be missing from the legal ones (another spelling, a pose).
    unlisted: fn(&G::Action) -> bool,
    /// Such an action of a seat that owes a decision, to be tried now and then.
    beyond: fn(&G, Seat) -> Option<G::Action>,
    /// Types of events that random matches must come to.
    reached: &'static [&'static str],
}

impl<G: Game> Subject<G> {
    /// A game without words whose legal actions are all listed.
    fn new(options: G::Options, bound: usize) -> Self {
        Self {
            options,
            lexicon: Lexicon::empty(),
            bound,
            thrift: 1,
            unlisted: |_| false,
            beyond: |_, _| None,
            reached: &[],
        }
    }
}

const CREATED: Timestamp = Timestamp::from_millis(1_796_000_000_000);

fn table<G: Game>(subject: &Subject<G>, seats: u8, player: Player, seed: u8) -> Table<G> {
    let plan = Plan {
        seats: (0..seats).map(|n| (Arc::from(format!("p{n}")), player)).collect(),
        turn_seconds: Some(60),
        script: Arc::new(Script::default()),
        virtual_clock: false,
        created_at: CREATED,
    };
    let mut table = Table::new(subject.options.clone(), plan);
    table.set_chance(Key::derive(&[seed; 32], &[seed; 16], []));
    table
}

fn legal<G: Game>(table: &Table<G>, seat: Seat, lexicon: &Lexicon) -> Vec<G::Action> {
    let mut actions = Vec::new();
    table.game().legal_actions(seat, Inquiry { lexicon, words: true }, &mut |action| {
        actions.push(action);
        ControlFlow::Continue(())
    });
    actions
}

/// Plays on at random to the end, a second a step, and returns every step. In every other match some
/// seat resigns at some step; the bot plays on for it.
fn play_out<G: Game>(subject: &Subject<G>, table: &mut Table<G>, choices: &mut Chance) -> Vec<Step> {
    let lexicon = &subject.lexicon;
    let mut steps = Vec::new();
    let mut resigning = (choices.below(2) == 0).then(|| {
        // Early in long matches and late in short ones.
        let within = 1 << choices.below(9);
        (choices.below(within) as usize, Seat::new(choices.below(table.head().count().get() as u32) as u8).unwrap())
    });
    while table.head().status == Status::Active {
        assert!(steps.len() < subject.bound, "the match does not end: {:?}", table.game());
        let at = table.head().now.plus_millis(1000);
        if let Some(step) = table.expire(at, lexicon) {
            steps.push(step);
            continue;
        }
        if let Some((_, seat)) = resigning.take_if(|(after, _)| steps.len() >= *after) {
            // The clock may have made it resign already.
            if !table.head().resigned().contains(seat) {
                steps.push(table.act(seat, Move::Resign, at, lexicon).expect("a seat may resign at any time"));
                continue;
            }
        }
        if let Some(step) = table.bot_step(at, lexicon) {
            steps.push(step);
            continue;
        }
        let owing: Vec<_> = table.head().to_act.iter().collect();
        let seat = owing[choices.below(owing.len() as u32) as usize];
        let actions = legal(table, seat, lexicon);
        assert!(!actions.is_empty(), "{seat:?} owes a decision and has none: {:?}", table.game());
        let beyond = if choices.below(4) == 0 { (subject.beyond)(table.game(), seat) } else { None };
        if let Some(step) = beyond.and_then(|action| table.act(seat, Move::Play(action), at, lexicon).ok()) {
            steps.push(step);
            continue;
        }
        let action = actions[choices.below(actions.len() as u32) as usize].clone();
        let step = table.act(seat, Move::Play(action.clone()), at, lexicon);
        steps.push(step.unwrap_or_else(|why| panic!("{action:?} is listed and refused: {why:?}")));
    }
    steps
}

fn for_random_matches(cases: u32, check: impl Fn(u8, u8, &mut Chance)) {
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    runner
        .run(&(any::<u8>(), any::<u8>(), any::<[u8; 32]>()), |(seats, seed, choices)| {
            check(seats, seed, &mut Chance::new(Key::derive(&choices, &[0; 16], []), Arc::default()));
            Ok(())
        })
        .unwrap();
}

fn seats_of<G: Game>(wanted: u8) -> u8 {
    let (least, most) = (*G::FACTS.seats.start(), *G::FACTS.seats.end());
    least + wanted % (most - least + 1)
}

/// Every random match ends with a result, and its log folds and replays to the same match.
fn random_matches_end_and_replay<G: Game>(subject: &Subject<G>) {
    let reached = RefCell::new(BTreeSet::new());
    for_random_matches(24 / subject.thrift, |seats, seed, choices| {
        let seats = seats_of::<G>(seats);
        let mut played = table(subject, seats, Player::Human, seed);
        let mut steps = vec![played.start(CREATED, &subject.lexicon).unwrap()];
        steps.extend(play_out(subject, &mut played, choices));

        let outcome = played.head().outcome.clone().expect("a finished match has a result");
        assert_eq!(outcome.ranks.len(), seats as usize);
        assert!(outcome.ranks.contains(&1));
        for (rank, seat) in outcome.ranks.iter().zip(SeatCount::new(seats.into()).unwrap().seats()) {
            assert_eq!(*rank == 1, outcome.winners.contains(&seat));
        }

        let (mut folded, mut replayed) =
            (table(subject, seats, Player::Human, seed), table(subject, seats, Player::Human, seed));
        for step in &steps {
            let stored = serde_json::from_str(&serde_json::to_string(step).unwrap()).unwrap();
            folded.redo(&stored).unwrap();
            replayed.replay(&stored, &subject.lexicon).unwrap();
        }
        for copy in [folded, replayed] {
            assert_eq!(format!("{:?}", copy.game()), format!("{:?}", played.game()));
            assert_eq!(format!("{:?}", copy.head()), format!("{:?}", played.head()));
        }
        let events = steps.iter().flat_map(|step| &step.events);
        reached.borrow_mut().extend(events.filter_map(|event| event["type"].as_str().map(str::to_owned)));
    });
    for event in subject.reached {
        assert!(reached.borrow().contains(*event), "no match came to {event}: {:?}", reached.borrow());
    }
}

/// An action is accepted exactly when it is listed, and a refused one changes nothing.
fn legal_is_accepted<G: Game>(subject: &Subject<G>) {
    for_random_matches(6.max(subject.thrift) / subject.thrift, |seats, seed, choices| {
        let lexicon = &subject.lexicon;
        let mut table = table(subject, seats_of::<G>(seats), Player::Human, seed);
        table.start(CREATED, lexicon).unwrap();
        let mut seen: Vec<G::Action> = Vec::new();
        for _ in 0..200 / subject.thrift {
            if table.head().status != Status::Active {
                break;
            }
            let at = table.head().now.plus_millis(1000);
            if table.expire(at, lexicon).is_some() {
                continue;
            }
            for seat in table.head().count().seats() {
                let listed = legal(&table, seat, lexicon);
                for (index, action) in listed.iter().enumerate() {
                    assert!(!listed[..index].contains(action), "{action:?} is listed twice");
                    let posted = read_move(&serde_json::to_value(action).unwrap());
                    assert_eq!(posted, Ok(Move::Play(action.clone())), "it can be posted as it is");
                }
                let sample = (0..(12 / subject.thrift as usize).min(listed.len()))
                    .map(|_| &listed[choices.below(listed.len() as u32) as usize]);
                for action in sample {
                    let mut copy = table.clone();
                    copy.act(seat, Move::Play(action.clone()), at, lexicon)
                        .unwrap_or_else(|why| panic!("{action:?} is listed and refused: {why:?}"));
                }
                for action in &seen {
                    let mut copy = table.clone();
                    match copy.act(seat, Move::Play(action.clone()), at, lexicon) {
                        Ok(_) => {
                            assert!(
                                listed.contains(action) || (subject.unlisted)(action),
                                "{action:?} is accepted and not listed for {seat:?}: {:?}",
                                table.game()
                            );
                        }
                        Err(_) => assert_eq!(format!("{copy:?}"), format!("{table:?}"), "{action:?} left a trace"),
                    }
                }
                seen.extend(listed.into_iter().take(4));
                let drop = seen.len().saturating_sub(40);
                seen.drain(..drop);
            }
            let owing: Vec<_> = table.head().to_act.iter().collect();
            let seat = owing[choices.below(owing.len() as u32) as usize];
            let listed = legal(&table, seat, lexicon);
            let action = listed[choices.below(listed.len() as u32) as usize].clone();
            table.act(seat, Move::Play(action), at, lexicon).unwrap();
        }
    });
}

/// Whether a viewer who sees `more` sees all that `less` holds: what is hidden is null or left out.
fn is_within(less: &Value, more: &Value) -> bool {
    match (less, more) {
        (Value::Null, _) => true,
        (Value::Object(less), Value::Object(more)) => {
            less.iter().all(|(name, less)| less.is_null() || more.get(name).is_some_and(|more| is_within(less, more)))
        }
        (Value::Array(less), Value::Array(more)) => {
            less.len() == more.len() && less.iter().zip(more).all(|(less, more)| is_within(less, more))
        }
        _ => less == more,
    }
}

/// An event shows a viewer no more when it is redacted again, and nothing is hidden from one who
/// sees everything; what the public's view holds, every seat's view holds.
fn redaction_is_stable<G: Game>(subject: &Subject<G>) {
    for_random_matches(6.max(subject.thrift) / subject.thrift, |seats, seed, choices| {
        let seats = seats_of::<G>(seats);
        let mut played = table(subject, seats, Player::Human, seed);
        let mut steps = vec![played.start(CREATED, &subject.lexicon).unwrap()];
        steps.extend(play_out(subject, &mut played, choices));
        let seat_viewers = SeatCount::new(seats.into()).unwrap().seats().map(Viewer::Seat);
        let mut folded = table(subject, seats, Player::Human, seed);
        for step in &steps {
            folded.redo(step).unwrap();
            // Matches of thousands of steps are among them.
            if step.version % 8 != 1 {
                continue;
            }
            let view = |viewer| serde_json::to_value(folded.game().view(viewer)).unwrap();
            let public = view(Viewer::Public);
            for viewer in seat_viewers.clone() {
                assert!(is_within(&public, &view(viewer)), "{viewer:?} lacks of {public}: {}", view(viewer));
            }
        }
        let viewers = seat_viewers.chain([Viewer::Public]);
        for event in steps.iter().flat_map(|step| &step.events) {
            if serde_json::from_value::<TableEvent>(event.clone()).is_ok() {
                continue;
            }
            let event: G::Event = serde_json::from_value(event.clone()).unwrap();
            assert_eq!(G::redact(&event, Viewer::Everything), event);
            for viewer in viewers.clone() {
                let seen = G::redact(&event, viewer);
                assert_eq!(G::redact(&seen, viewer), seen);
                assert_eq!(G::redact(&seen, Viewer::Public), G::redact(&event, Viewer::Public));
            }
        }
    });
}

/// Bots of every level play every match to its end by legal actions; so does the bot that stands
/// in for seats that resign or let their clock run out.
fn bots_play_to_the_end<G: Game>(subject: &Subject<G>) {
    let lexicon = &subject.lexicon;
    for &level in G::FACTS.levels {
        for_random_matches(3.max(subject.thrift) / subject.thrift, |seats, seed, _| {
            let mut table = table(subject, seats_of::<G>(seats), Player::Bot(level), seed);
            table.start(CREATED, lexicon).unwrap();
            for _ in 0..subject.bound {
                let at = table.head().now.plus_millis(1000);
                if table.expire(at, lexicon).is_none() && table.bot_step(at, lexicon).is_none() {
                    break;
                }
            }
            assert_eq!(table.head().status, Status::Finished, "{:?}", table.game());
        });
    }
    for_random_matches(3.max(subject.thrift) / subject.thrift, |seats, seed, choices| {
        let seats = seats_of::<G>(seats);
        let mut table = table(subject, seats, Player::Human, seed);
        table.start(CREATED, lexicon).unwrap();
        let quitter = SeatCount::new(seats.into()).unwrap().seats().last().unwrap();
        table.act(quitter, Move::Resign, CREATED, lexicon).unwrap();
        for _ in 0..subject.bound * 2 {
            if table.head().status == Status::Finished {
                break;
            }
            let at = table.head().now.plus_millis(1000 * i64::from(choices.below(90)));
            if table.expire(at, lexicon).is_none() {
                table.bot_step(at, lexicon);
            }
        }
        let outcome = table.head().outcome.clone().expect("it ends");
        let resigned = table.head().resigned();
        assert!(resigned.contains(quitter));
        let others = SeatCount::new(seats.into()).unwrap().seats().filter(|&seat| !resigned.contains(seat));
        let least = outcome.ranks[quitter.index()];
        assert!(others.map(|seat| outcome.ranks[seat.index()]).all(|rank| rank < least), "{outcome:?} {resigned:?}");
    });
}

/// Resigning works in and out of turn, once; nothing works after the end.
fn resigning_works_any_time<G: Game>(subject: &Subject<G>) {
    let lexicon = &subject.lexicon;
    let least = *G::FACTS.seats.start();
    for seat in SeatCount::new(least.into()).unwrap().seats() {
        let mut table = table(subject, least, Player::Human, 1);
        assert_eq!(table.act(seat, Move::Resign, CREATED, lexicon).unwrap_err(), Judgement::NotStarted);
        table.start(CREATED, lexicon).unwrap();
        table.act(seat, Move::Resign, CREATED, lexicon).unwrap();
        let again = table.act(seat, Move::Resign, CREATED, lexicon).unwrap_err();
        if least == 2 {
            assert_eq!(again, Judgement::Finished);
            let outcome = table.head().outcome.clone().unwrap();
            assert_eq!((outcome.reason.as_ref(), outcome.ranks[seat.index()]), ("resigned", 2));
        } else {
            assert!(matches!(again, Judgement::Illegal(refusal) if refusal.rule == "table.resign"));
        }
    }
}

/// The facts are usable: unique rules in both languages, options that survive JSON, an easy bot.
fn facts_are_whole<G: Game>(subject: &Subject<G>) {
    let facts = G::FACTS;
    assert!(facts.levels.contains(&Level::Easy));
    for (index, rule) in facts.rules.iter().enumerate() {
        assert!(facts.rules[..index].iter().all(|other| other.id != rule.id), "{} twice", rule.id);
        assert!(!rule.en.is_empty() && rule.ja.chars().any(|c| c > '\u{3000}'), "{}", rule.id);
    }
    let options = serde_json::to_value(&subject.options).unwrap();
    assert_eq!(serde_json::from_value::<G::Options>(options).unwrap(), subject.options);
    assert!(serde_json::from_str::<G::Options>(r#"{"no_such_option":1}"#).is_err());
    assert!(serde_json::from_str::<G::Action>(r#"{"type":"no_such_action"}"#).is_err());
    for seats in facts.seats {
        let count = SeatCount::new(seats.into()).unwrap();
        assert_eq!(G::check(&subject.options, count, &Script::default()), []);
    }
}

/// One module a game, with every check in it as a test of its own.
macro_rules! conformance {
    ($($game:ident => $subject:expr;)*) => {
        $(mod $game {
            use super::*;
            #[test] fn facts_are_whole() { super::facts_are_whole(&$subject); }
            #[test] fn random_matches_end_and_replay() { super::random_matches_end_and_replay(&$subject); }
            #[test] fn legal_is_accepted() { super::legal_is_accepted(&$subject); }
            #[test] fn redaction_is_stable() { super::redaction_is_stable(&$subject); }
            #[test] fn bots_play_to_the_end() { super::bots_play_to_the_end(&$subject); }
            #[test] fn resigning_works_any_time() { super::resigning_works_any_time(&$subject); }
        })*
    };
}

/// A small lexicon, from whose words every ending of 八築 can come about.
fn hachiku_with(options: &str) -> Subject<Hachiku> {
    let nouns = "かえる きつね ねこ こーと とけい いなずま まり りす すずむし しか かん さめ".split(' ');
    Subject {
        lexicon: Lexicon::build(nouns.map(|reading| Row::new(reading, Class::Common, &[]))).unwrap(),
        ..Subject::new(serde_json::from_str(options).unwrap(), 500)
    }
}

/// The same, where words that nobody knows are put to the opponent.
fn hachiku_that_asks() -> Subject<Hachiku> {
    Subject {
        unlisted: |action| matches!(action, hachiku::Action::Say(_)),
        beyond: |game, seat| {
            let view = game.view(Viewer::Seat(seat));
            let letters = view.head.into_iter().chain(view.hands[seat.index()]?.iter().take(2));
            Some(hachiku::Action::Say(Spoken::Letters(letters.collect::<Spelling>())))
        },
        reached: &["put", "judged", "said"],
        ..hachiku_with(r#"{"unknown_words":"ask","max_turns":60}"#)
    }
}

fn twenty_one(options: twenty_one::Options) -> Subject<TwentyOne> {
    Subject::new(options, 5000)
}

fn kamudakara(options: &str) -> Subject<Kamudakara> {
    Subject::new(serde_json::from_str(options).unwrap(), 2000)
}

fn sainokawara_reported(enforce_clock: bool) -> Subject<Sainokawara> {
    Subject {
        unlisted: |action| matches!(action, sainokawara::Action::PlaceDice { .. }),
        reached: &["tower_fell", "pause_requested"],
        ..Subject::new(sainokawara::Options { enforce_clock, ..Default::default() }, 20_000)
    }
}

fn sainokawara_simulated() -> Subject<Sainokawara> {
    use sainokawara::Action::{Adjust, PlaceDice, Stack};
    let options = sainokawara::Options { stacking: sainokawara::Stacking::Simulated, ..Default::default() };
    Subject {
        thrift: 6,
        unlisted: |action| matches!(action, PlaceDice { .. } | Stack { .. } | Adjust { .. }),
        ..Subject::new(options, 20_000)
    }
}

conformance! {
    hachiku_by_default => hachiku_with("{}");
    hachiku_with_options => hachiku_with(
        r#"{"capture_target":6,"finish_min_length":3,"max_turns":60,"closed_hands":true,"extra_words":["おけら"],"banned_words":["かん"]}"#
    );
    hachiku_that_asks => hachiku_that_asks();
    twenty_one_by_default => twenty_one(twenty_one::Options::default());
    twenty_one_with_every_tie_diced_for => twenty_one(twenty_one::Options {
        tie_rule: TieRule::Roller,
        roller_fallback: RollerFallback::SuddenDeath,
        hands: true,
        ..Default::default()
    });
    kamudakara_in_one_round => kamudakara(r#"{"rounds":1}"#);
    kamudakara_in_two_rounds => kamudakara(r#"{"rounds":2}"#);
    kamudakara_with_other_faces => kamudakara(
        r#"{"faces":{"sword":["courage","wisdom"],"mirror":["wisdom","benevolence"],"jewel":["benevolence","courage"]}}"#
    );
    salamander_to_49 => Subject::<Salamander>::new(salamander::Options { target: 49 }, 40_000);
    sainokawara_reported => sainokawara_reported(true);
    sainokawara_reported_without_clocks => sainokawara_reported(false);
    sainokawara_simulated => sainokawara_simulated();
}
