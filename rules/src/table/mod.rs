//! The referee: a table with a game on it, from the first open seat to the result.
//!
//! Every change is one [`Step`]. A step is worked out on the table and written to the log; the
//! same step folded into another copy of the table gives the same table. [`Table::redo`] does
//! that for steps read back, [`Table::replay`] does it for checking a record: it carries the
//! command out again and compares.

mod any;
mod carry_out;
mod head;
mod recorded;
mod replay;

use std::ops::ControlFlow;
use std::sync::Arc;

use dictionary::Lexicon;
use physics::world::World;
use serde::de::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

pub use any::{AnyGame, AnyTable, Legal, Schemas, entry, wrong_seats};
pub use head::{Cause, Head, Judgement, Player, STRIKES, SeatState, Status, Step};
pub use replay::Deviation;

use crate::chance::{Chance, Key, Script};
use crate::game::{Advice, Completeness, Game, Inquiry, Level, Thinking};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatSet, Viewer};
use crate::strict::{Strict, Unreadable, read_tagged, same_form};
use crate::text::Rule;
use crate::time::Timestamp;

/// The rules that every table has beside its game's own.
pub const TABLE_RULES: &[Rule] = &[
    Rule::new(
        "table.resign",
        "Any seat may resign at any time: of two seats the other wins; among more the bot plays on for it and it ranks last.",
        "どの席もいつでも投了できる。二人なら相手の勝ち、三人以上ならボットが代わって続け、順位は最下位になる。",
    ),
    Rule::new(
        "table.turn-clock",
        "With turn_seconds the bot makes a decision whose time runs out; after three in a row the seat counts as resigned.",
        "turn_seconds を定めた試合では、時間切れの一手をボットが決める。三手続けて時間が切れた席は投了とみなす。",
    ),
];

/// What a table is set up with.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The seats in turn order.
    pub seats: Vec<(Arc<str>, Player)>,
    /// How long a seat may think.
    pub turn_seconds: Option<u32>,
    /// Scripted chance of a sandbox match.
    pub script: Arc<Script>,
    /// Whether time moves only as the actions say.
    pub virtual_clock: bool,
    /// When the match was created.
    pub created_at: Timestamp,
}

/// An event of the table itself, the same in every game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TableEvent {
    /// An open seat was taken.
    SeatTaken {
        /// The seat.
        seat: Seat,
        /// Its player's name.
        name: String,
    },
    /// All seats are taken; what the game does first follows.
    Started {},
    /// The turn clock ran out for this seat; the bot's decision follows.
    TimedOut {
        /// The seat.
        seat: Seat,
        /// How many of its decisions in a row the clock has taken now.
        in_a_row: u8,
    },
    /// A seat gave up, or counts as having done so.
    Resigned {
        /// The seat.
        seat: Seat,
        /// Whether the turn clock decided it, not the player.
        by_clock: bool,
    },
    /// The result.
    Finished {
        /// Ranks, winners and the reason.
        outcome: Outcome,
    },
}

/// Any event of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Entry<E> {
    /// The table's.
    Table(TableEvent),
    /// The game's.
    Game(E),
}

/// What a seat may do on any table.
#[derive(Clone, PartialEq, Debug)]
pub enum Move<A> {
    /// Give up.
    Resign,
    /// An action of the game.
    Play(A),
}

/// What brings a step about, ready to be carried out.
#[derive(Clone, Debug)]
enum Command<A> {
    Start,
    Claim { seat: Seat, name: String },
    Act { seat: Seat, action: Move<A>, cause: Cause },
    TimeOut { seat: Seat, action: A },
    Deadline,
}

/// When and in what world a command is carried out.
struct Surroundings<'a> {
    at: Timestamp,
    lexicon: &'a Lexicon,
    world: &'a mut dyn World,
}

/// A game on the table.
#[derive(Clone, Debug)]
pub struct Table<G: Game> {
    head: Head,
    options: Arc<G::Options>,
    game: G,
    script: Arc<Script>,
    chance: Option<Chance>,
}

impl<G: Game> Table<G> {
    /// A table nobody has sat down at yet. Options and plan have been checked.
    pub fn new(options: G::Options, plan: Plan) -> Self {
        let options = Arc::new(options);
        let seats = plan
            .seats
            .into_iter()
            .map(|(name, player)| SeatState { name, player, resigned: false, strikes: 0, owes_since: None })
            .collect();
        let head = Head {
            version: 0,
            current_since: 0,
            seq: 0,
            now: plan.created_at,
            status: Status::Waiting,
            seats,
            to_act: SeatSet::EMPTY,
            turn_seconds: plan.turn_seconds,
            virtual_clock: plan.virtual_clock,
            outcome: None,
        };
        let game = G::setup(&options, head.count());
        Self { head, options, game, script: plan.script, chance: None }
    }

    /// The referee's sheet.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The game's state.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The match's options.
    pub fn options(&self) -> &G::Options {
        &self.options
    }

    /// Gives the table its chance, when the last seat's entropy is known or when a started match is
    /// read back.
    pub fn set_chance(&mut self, key: Key) {
        self.chance = Some(Chance::new(key, Arc::clone(&self.script)));
    }

    /// Starts a match whose seats are all taken.
    ///
    /// # Errors
    /// [`Judgement::NotStarted`] while a seat is open.
    pub fn start(&mut self, at: Timestamp, lexicon: &Lexicon) -> Result<Step, Judgement> {
        self.execute(Command::Start, at, lexicon)
    }

    /// Seats a player; the last one starts the match, for which the chance must be set.
    ///
    /// # Errors
    /// [`Judgement::SeatTaken`] where the seat is not open.
    pub fn claim(&mut self, seat: Seat, name: String, at: Timestamp, lexicon: &Lexicon) -> Result<Step, Judgement> {
        self.execute(Command::Claim { seat, name }, at, lexicon)
    }

    /// A player acts.
    ///
    /// # Errors
    /// Why the action was not taken; the table is then as before.
    pub fn act(
        &mut self,
        seat: Seat,
        action: Move<G::Action>,
        at: Timestamp,
        lexicon: &Lexicon,
    ) -> Result<Step, Judgement> {
        self.execute(Command::Act { seat, action, cause: Cause::Action }, at, lexicon)
    }

    /// One decision of the built-in bot, if it owes one.
    pub fn bot_step(&mut self, at: Timestamp, lexicon: &Lexicon) -> Option<Step> {
        let (seat, level) = self.head.bot_to_act()?;
        let action = self.advise(seat, level, lexicon).into_iter().next()?.action;
        self.execute(Command::Act { seat, action: Move::Play(action), cause: Cause::Bot }, at, lexicon).ok()
    }

    /// When something happens next though nobody acts.
    pub fn due(&self) -> Option<Timestamp> {
        self.next_due().map(|(at, _)| at)
    }

    /// When something happens next though nobody acts, and the seat whose turn clock it is; no seat
    /// where it is the game's own deadline, which comes before a turn clock of the same instant.
    fn next_due(&self) -> Option<(Timestamp, Option<Seat>)> {
        let game = (self.head.status == Status::Active).then(|| self.game.deadline()).flatten();
        let turn = self.head.turn_deadline().map(|(at, seat)| (at, Some(seat)));
        game.map(|at| (at, None)).into_iter().chain(turn).min()
    }

    /// The first thing that is due by `now`, carried out at the instant it was due, or at that of
    /// the last step if an action came between the two.
    pub fn expire(&mut self, now: Timestamp, lexicon: &Lexicon) -> Option<Step> {
        let (due, seat) = self.next_due().filter(|&(due, _)| due <= now)?;
        let command = match seat {
            Some(seat) => {
                let action = self.advise(seat, Level::Easy, lexicon).into_iter().next()?.action;
                Command::TimeOut { seat, action }
            }
            None => Command::Deadline,
        };
        self.execute(command, due.max(self.head.now), lexicon).ok()
    }

    /// What the bot thinks of a seat's actions, best first, from what the seat may know; nothing
    /// where the seat owes no decision.
    pub fn advise(&self, seat: Seat, level: Level, lexicon: &Lexicon) -> Vec<Advice<G::Action>> {
        let Some(chance) = self.chance.as_ref().filter(|_| self.head.to_act.contains(seat)) else {
            return Vec::new();
        };
        let mut legal = Vec::new();
        self.game.legal_actions(seat, Inquiry { lexicon, words: true }, &mut |action| {
            legal.push(action);
            ControlFlow::Continue(())
        });
        if legal.is_empty() {
            return Vec::new();
        }
        let mut random = Chance::new(chance.key().for_bot(self.head.version), Arc::default());
        let mut thinking = Thinking { level, lexicon, random: &mut random };
        G::advise(&self.game.view(Viewer::Seat(seat)), seat, &self.options, legal, &mut thinking)
    }

    /// Up to `limit` legal actions of a seat, in turn or out of it, and whether those are all. The
    /// player of a seat that has resigned has none.
    pub fn legal_actions(&self, seat: Seat, inquiry: Inquiry<'_>, limit: usize) -> (Vec<G::Action>, bool) {
        let mut actions = Vec::new();
        if self.head.status != Status::Active || self.head.plays_on(seat) {
            return (actions, true);
        }
        let mut more = false;
        let found = self.game.legal_actions(seat, inquiry, &mut |action| {
            more = actions.len() == limit;
            if more {
                return ControlFlow::Break(());
            }
            actions.push(action);
            ControlFlow::Continue(())
        });
        (actions, found == Completeness::Complete && !more)
    }

    /// What the viewer may see: after the end everything is open.
    pub fn view(&self, viewer: Viewer) -> G::View {
        self.game.view(self.open_to(viewer))
    }

    /// The viewer, or one who sees everything once the match is over.
    pub fn open_to(&self, viewer: Viewer) -> Viewer {
        if self.head.status == Status::Finished { Viewer::Everything } else { viewer }
    }
}

/// An event as the log keeps it. Events are plain data: they always have a JSON form.
fn to_json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

fn to_value<A: Serialize>(action: &Move<A>) -> Value {
    match action {
        Move::Resign => serde_json::json!({"type": "resign"}),
        Move::Play(action) => to_json(action),
    }
}

/// Reads an action as a client posts it.
///
/// # Errors
/// What is wrong with its form.
pub fn read_move<A: Serialize + for<'de> Deserialize<'de>>(value: &Value) -> Result<Move<A>, Unreadable> {
    let fields = Strict(value).object()?;
    // A number would be taken for a variant's place in the list.
    let kind = fields.get("type").map(|kind| <&str>::deserialize(Strict(kind)).map_err(|why| why.within("type")));
    if kind.transpose()? == Some("resign") {
        let other = fields.keys().find(|name| *name != "type");
        return other.map_or(Ok(Move::Resign), |name| Err(Unreadable::unknown_field(name, &[])));
    }
    let action = read_tagged(value, "type")?;
    same_form(value, &to_json(&action))?;
    Ok(Move::Play(action))
}
