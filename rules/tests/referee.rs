//! The rules of every table: `table.turn-clock` and `table.resign`.

use std::sync::Arc;

use dictionary::Lexicon;
use rules::chance::{Key, Script};
use rules::game::{Game, Inquiry, Level};
use rules::kamudakara::Kamudakara;
use rules::sainokawara::{self, Sainokawara};
use rules::seat::{Seat, SeatCount, Viewer};
use rules::table::{Cause, Judgement, Move, Plan, Player, Status, Step, Table, TableEvent};
use rules::time::Timestamp;
use rules::twenty_one::{self, TwentyOne};

const CREATED: Timestamp = Timestamp::from_millis(1_796_000_000_000);
const ROLL: Move<twenty_one::Action> = Move::Play(twenty_one::Action::Roll {});
const REPORT: Move<sainokawara::Action> = Move::Play(sainokawara::Action::ReportCollapse {});

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

/// So many seconds after the start.
fn at(seconds: f64) -> Timestamp {
    CREATED.plus_millis((seconds * 1000.0) as i64)
}

/// A match of people with a minute a decision, and its record.
struct Match<G: Game> {
    table: Table<G>,
    steps: Vec<Step>,
}

impl<G: Game> Match<G> {
    fn laid(seats: u8) -> Table<G> {
        let plan = Plan {
            seats: (0..seats).map(|n| (Arc::from(format!("p{n}")), Player::Human)).collect(),
            turn_seconds: Some(60),
            script: Arc::new(Script::default()),
            virtual_clock: false,
            created_at: CREATED,
        };
        let mut table = Table::new(G::Options::default(), plan);
        table.set_chance(Key::derive(&[1; 32], &[2; 16], []));
        table
    }

    fn started(seats: u8) -> Self {
        let mut table = Self::laid(seats);
        let first = table.start(CREATED, &Lexicon::empty()).unwrap();
        Self { table, steps: vec![first] }
    }

    fn act(&mut self, number: u8, action: Move<G::Action>, seconds: f64) -> &mut Self {
        self.steps.push(self.table.act(seat(number), action, at(seconds), &Lexicon::empty()).unwrap());
        self
    }

    /// The step that falls due by then.
    fn expire(&mut self, seconds: f64) -> &Step {
        self.steps.push(self.table.expire(at(seconds), &Lexicon::empty()).expect("something is due"));
        self.steps.last().unwrap()
    }

    /// The seat that owes a decision makes the one that the bot would make.
    fn go(&mut self, seconds: f64) -> &mut Self {
        let owing = self.table.head().to_act.iter().next().unwrap();
        let action = self.table.advise(owing, Level::Easy, &Lexicon::empty()).remove(0).action;
        self.act(owing.number(), Move::Play(action), seconds)
    }

    fn refused(&mut self, number: u8, action: Move<G::Action>) -> &'static str {
        match self.table.act(seat(number), action, self.table.head().now, &Lexicon::empty()) {
            Err(Judgement::Illegal(refusal)) => refusal.rule,
            other => panic!("{other:?}"),
        }
    }

    fn legal(&self, number: u8) -> Vec<G::Action> {
        let lexicon = Lexicon::empty();
        self.table.legal_actions(seat(number), Inquiry { lexicon: &lexicon, words: false }, 1000).0
    }

    /// The record folds and verifies to the same table.
    fn is_recorded(&self) {
        let seats = self.table.head().seats.len() as u8;
        let (mut folded, mut verified) = (Self::laid(seats), Self::laid(seats));
        for step in &self.steps {
            folded.redo(step).unwrap();
            verified.replay(step, &Lexicon::empty()).unwrap();
        }
        for copy in [folded, verified] {
            assert_eq!(format!("{copy:?}"), format!("{:?}", self.table));
        }
    }
}

/// The events of the table itself in a step.
fn table_events(step: &Step) -> Vec<TableEvent> {
    step.events.iter().filter_map(|event| serde_json::from_value(event.clone()).ok()).collect()
}

fn timed_out(number: u8, in_a_row: u8) -> TableEvent {
    TableEvent::TimedOut { seat: seat(number), in_a_row }
}

#[test]
fn turn_clock_takes_three_decisions_in_a_row_and_the_seat_counts_as_resigned() {
    let mut played = Match::<TwentyOne>::started(3);
    let mut now = 0.0;
    for in_a_row in 1..=3 {
        now += 60.0;
        let step = played.expire(now);
        assert_eq!((step.cause, step.seat, step.at), (Cause::Clock, Some(seat(0)), at(now)));
        let mut expected = vec![timed_out(0, in_a_row)];
        expected.extend((in_a_row == 3).then_some(TableEvent::Resigned { seat: seat(0), by_clock: true }));
        assert_eq!(table_events(step), expected);
        played.act(1, ROLL, now).act(2, ROLL, now);
    }
    assert_eq!((played.table.due(), played.table.head().bot_to_act()), (None, Some((seat(0), Level::Easy))));
    assert_eq!(played.refused(0, ROLL), "table.resign");
    played.is_recorded();
}

#[test]
fn turn_clock_counts_anew_after_a_decision_in_time() {
    let mut played = Match::<TwentyOne>::started(3);
    for now in [60.0, 120.0] {
        played.expire(now);
        played.act(1, ROLL, now).act(2, ROLL, now);
    }
    played.act(0, ROLL, 179.0).act(1, ROLL, 179.0).act(2, ROLL, 179.0);
    assert_eq!(table_events(played.expire(239.0)), [timed_out(0, 1)]);
    played.is_recorded();
}

#[test]
fn turn_clock_goes_on_while_another_seat_resigns() {
    let mut played = Match::<TwentyOne>::started(3);
    played.act(1, Move::Resign, 30.0);
    assert_eq!(played.table.due(), Some(at(60.0)));
    played.is_recorded();
}

#[test]
fn turn_clock_goes_on_while_others_decide_at_the_same_time() {
    let mut played = Match::<Kamudakara>::started(3);
    played.go(30.0);
    assert_eq!(played.table.due(), Some(at(60.0)));
    played.go(40.0).go(50.0);
    assert_eq!(played.table.due(), Some(at(110.0)), "the first turn");
    played.is_recorded();
}

#[test]
fn turn_clock_of_a_common_deadline_is_noted_after_a_late_action() {
    let mut played = Match::<Kamudakara>::started(2);
    played.go(60.5);
    let step = played.expire(61.0);
    assert_eq!((step.cause, step.seat, step.at), (Cause::Clock, Some(seat(1)), at(60.5)));
    played.is_recorded();
}

/// A tower is begun at the start of the clock.
fn stacking() -> (Match<Sainokawara>, u8) {
    let mut played = Match::<Sainokawara>::started(3);
    while played.table.view(Viewer::Public).stacking.is_none() {
        played.go(0.0);
    }
    let stacker = played.table.head().to_act.iter().next().unwrap();
    (played, stacker.number())
}

#[test]
fn turn_clock_begins_anew_when_a_clock_of_the_game_has_run_out() {
    let (mut played, stacker) = stacking();
    let step = played.expire(60.0);
    assert_eq!((step.cause, &step.action.as_ref().unwrap()["type"]), (Cause::Clock, &"take_die".into()));
    assert_eq!(played.expire(120.0).cause, Cause::Deadline, "it comes before the turn clock of that instant");
    assert!(played.table.head().to_act.contains(seat(stacker)), "who is to blame begins the next round");
    assert_eq!(played.table.due(), Some(at(180.0)));
    played.is_recorded();
}

#[test]
fn turn_clock_begins_anew_when_another_seat_has_acted_out_of_turn() {
    let (mut played, stacker) = stacking();
    for _ in 0..4 {
        played.go(10.0);
    }
    played.act((stacker + 1) % 3, REPORT, 30.0);
    assert!(played.table.head().to_act.contains(seat(stacker)), "who is to blame begins the next round");
    assert_eq!(played.table.due(), Some(at(90.0)));
    played.is_recorded();
}

#[test]
fn resign_leaves_the_player_nothing_to_do() {
    let mut played = Match::<TwentyOne>::started(3);
    played.act(0, Move::Resign, 1.0);
    assert_eq!((played.refused(0, ROLL), played.refused(0, Move::Resign)), ("table.resign", "table.resign"));
    assert_eq!(played.legal(0), []);
    let step = played.table.bot_step(at(2.0), &Lexicon::empty()).unwrap();
    assert_eq!((step.cause, step.seat), (Cause::Bot, Some(seat(0))));

    let (mut played, stacker) = stacking();
    for _ in 0..4 {
        played.go(10.0);
    }
    let onlooker = (stacker + 1) % 3;
    assert_eq!(played.legal(onlooker), [sainokawara::Action::ReportCollapse {}]);
    played.act(onlooker, Move::Resign, 11.0);
    assert_eq!(played.refused(onlooker, REPORT), "table.resign");
    assert_eq!(played.legal(onlooker), []);
    played.is_recorded();
}

#[test]
fn resign_of_all_seats_leaves_the_result_to_the_game() {
    let mut played = Match::<TwentyOne>::started(3);
    for number in 0..3 {
        played.act(number, Move::Resign, 0.0);
    }
    while let Some(step) = played.table.bot_step(at(1.0), &Lexicon::empty()) {
        played.steps.push(step);
    }
    let head = played.table.head();
    assert_eq!((head.status, head.resigned()), (Status::Finished, SeatCount::new(3).unwrap().seats().collect()));
    let outcome = head.outcome.as_ref().unwrap();
    assert_eq!(*outcome, played.table.game().outcome().unwrap());
    assert!(outcome.winners.len() < 3, "{outcome:?}");
    played.is_recorded();
}
