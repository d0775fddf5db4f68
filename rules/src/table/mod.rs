//! The referee: a table with a game on it, from the first open seat to the result.
//!
//! Every change is one [`Step`]. A step is worked out on the table and written to the log; the
//! same step folded into another copy of the table gives the same table. [`Table::redo`] does
//! that for steps read back, [`Table::replay`] does it for checking a record: it carries the
//! command out again and compares.

mod any;
mod head;
mod recorded;

use std::ops::ControlFlow;
use std::sync::Arc;

use dictionary::Lexicon;
use physics::world::{Engine, World};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

pub use any::{AnyGame, AnyTable, Legal, Schemas, entry};
pub use head::{Cause, Head, Judgement, Player, STRIKES, SeatState, Status, Step};

use self::recorded::Recorded;
use crate::chance::{Chance, Key, Script};
use crate::game::{Advice, Completeness, Context, Game, Inquiry, Level, Thinking};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatSet, Viewer};
use crate::strict::Strict;
use crate::text::{Refusal, Rule, Text};
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
        let turn = self.head.turn_deadline().map(|(at, _)| at);
        let game = (self.head.status == Status::Active).then(|| self.game.deadline()).flatten();
        turn.into_iter().chain(game).min()
    }

    /// The first thing that is due by `now`, carried out at the instant it was due.
    pub fn expire(&mut self, now: Timestamp, lexicon: &Lexicon) -> Option<Step> {
        let at = self.due().filter(|&due| due <= now)?;
        let command = match self.head.turn_deadline() {
            Some((turn, seat)) if turn == at && self.game.deadline() != Some(at) => {
                let action = self.advise(seat, Level::Easy, lexicon).into_iter().next()?.action;
                Command::TimeOut { seat, action }
            }
            _ => Command::Deadline,
        };
        self.execute(command, at.max(self.head.now), lexicon).ok()
    }

    /// What the bot thinks of a seat's actions, best first, from what the seat may know; nothing
    /// where the seat has nothing to decide.
    pub fn advise(&self, seat: Seat, level: Level, lexicon: &Lexicon) -> Vec<Advice<G::Action>> {
        let Some(chance) = self.chance.as_ref().filter(|_| self.head.status == Status::Active) else {
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

    /// Up to `limit` legal actions of a seat, and whether those are all.
    pub fn legal_actions(&self, seat: Seat, inquiry: Inquiry<'_>, limit: usize) -> (Vec<G::Action>, bool) {
        let mut actions = Vec::new();
        if self.head.status != Status::Active || !self.head.to_act.contains(seat) {
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

    /// Carries a command out in the physical world.
    fn execute(&mut self, command: Command<G::Action>, at: Timestamp, lexicon: &Lexicon) -> Result<Step, Judgement> {
        self.execute_in(&mut Engine, command, at, lexicon)
    }

    /// Carries a command out on a copy and takes the copy over if it went through.
    fn execute_in(
        &mut self,
        world: &mut dyn World,
        command: Command<G::Action>,
        at: Timestamp,
        lexicon: &Lexicon,
    ) -> Result<Step, Judgement> {
        let mut next = self.clone();
        let step = next.carry_out(command, Surroundings { at, lexicon, world })?;
        *self = next;
        Ok(step)
    }

    fn carry_out(&mut self, command: Command<G::Action>, mut around: Surroundings<'_>) -> Result<Step, Judgement> {
        let at = around.at;
        let before = self.phase();
        let mut log = Vec::new();
        let (cause, acted, action) = match command {
            Command::Start => {
                if self.head.status != Status::Waiting || self.has_open_seat() {
                    return Err(Judgement::NotStarted);
                }
                self.begin(&mut around, &mut log);
                (Cause::Start, None, None)
            }
            Command::Claim { seat, name } => {
                match self.head.seat(seat) {
                    Some(state) if state.player == Player::Open => {}
                    _ => return Err(Judgement::SeatTaken),
                }
                let action = serde_json::json!({"type": "claim", "name": name});
                self.note(TableEvent::SeatTaken { seat, name }, &mut log);
                if !self.has_open_seat() {
                    self.begin(&mut around, &mut log);
                }
                (Cause::Claim, Some(seat), Some(action))
            }
            Command::Act { seat, action, cause } => {
                let value = to_value(&action);
                match action {
                    Move::Resign => self.resign(seat, &mut log)?,
                    Move::Play(action) => self.play(seat, &action, &mut around, &mut log)?,
                }
                (cause, Some(seat), Some(value))
            }
            Command::TimeOut { seat, action } => {
                let in_a_row = self.head.seats[seat.index()].strikes + 1;
                self.note(TableEvent::TimedOut { seat, in_a_row }, &mut log);
                let value = to_value(&Move::Play(action.clone()));
                self.play(seat, &action, &mut around, &mut log)?;
                if in_a_row >= STRIKES && self.game.outcome().is_none() {
                    self.note(TableEvent::Resigned { seat, by_clock: true }, &mut log);
                }
                (Cause::Clock, Some(seat), Some(value))
            }
            Command::Deadline => {
                self.with_context(&mut around, &mut log, G::expire);
                (Cause::Deadline, None, None)
            }
        };
        if let Some(outcome) = self.result() {
            self.note(TableEvent::Finished { outcome }, &mut log);
        }
        self.settle(before, cause, acted, at, log.len());
        Ok(Step {
            version: self.head.version,
            cause,
            seat: acted,
            action,
            events: log.iter().map(to_json).collect(),
            at,
            position: self.chance.as_ref().map(Chance::position).unwrap_or_default(),
        })
    }

    fn has_open_seat(&self) -> bool {
        self.head.seats.iter().any(|seat| seat.player == Player::Open)
    }

    fn begin(&mut self, around: &mut Surroundings<'_>, log: &mut Vec<Entry<G::Event>>) {
        self.note(TableEvent::Started {}, log);
        self.with_context(around, log, G::start);
    }

    fn resign(&mut self, seat: Seat, log: &mut Vec<Entry<G::Event>>) -> Result<(), Judgement> {
        match self.head.status {
            Status::Waiting => return Err(Judgement::NotStarted),
            Status::Finished => return Err(Judgement::Finished),
            Status::Active => {}
        }
        if self.head.seats[seat.index()].resigned {
            return Err(already_resigned().into());
        }
        self.note(TableEvent::Resigned { seat, by_clock: false }, log);
        Ok(())
    }

    fn play(
        &mut self,
        seat: Seat,
        action: &G::Action,
        around: &mut Surroundings<'_>,
        log: &mut Vec<Entry<G::Event>>,
    ) -> Result<(), Judgement> {
        match self.head.status {
            Status::Waiting => return Err(Judgement::NotStarted),
            Status::Finished => return Err(Judgement::Finished),
            Status::Active if !self.game.may_act(seat, action) => return Err(Judgement::NotYourTurn),
            Status::Active => {}
        }
        let applied = self.with_context(around, log, |game, context, log| game.apply(seat, action, context, log));
        Ok(applied.unwrap_or(Ok(()))?)
    }

    /// Lets the game do something with its chance; nothing happens before the match has any.
    fn with_context<R>(
        &mut self,
        around: &mut Surroundings<'_>,
        log: &mut Vec<Entry<G::Event>>,
        act: impl FnOnce(&mut G, &mut Context<'_>, &mut Vec<G::Event>) -> R,
    ) -> Option<R> {
        let chance = self.chance.as_mut()?;
        let mut events = Vec::new();
        let Surroundings { at: now, lexicon, world } = around;
        let mut context = Context { chance, now: *now, lexicon, world: &mut **world };
        let result = act(&mut self.game, &mut context, &mut events);
        log.extend(events.into_iter().map(Entry::Game));
        Some(result)
    }

    /// The result, if it is known now and was not before.
    fn result(&self) -> Option<Outcome> {
        if self.head.status != Status::Active {
            return None;
        }
        let resigned = self.head.resigned();
        if let Some(outcome) = self.game.outcome() {
            return Some(outcome.with_last(resigned));
        }
        let count = self.head.count();
        let left = count.seats().find(|&seat| !resigned.contains(seat));
        match left {
            Some(winner) if count.get() == 2 && !resigned.is_empty() => Some(Outcome::won_by(winner, 2, "resigned")),
            _ => None,
        }
    }

    fn note(&mut self, event: TableEvent, log: &mut Vec<Entry<G::Event>>) {
        self.fold_table(&event);
        log.push(Entry::Table(event));
    }

    fn fold_table(&mut self, event: &TableEvent) {
        match event {
            TableEvent::SeatTaken { seat, name } => {
                if let Some(state) = self.head.seats.get_mut(seat.index()) {
                    state.name = name.as_str().into();
                    state.player = Player::Human;
                }
            }
            TableEvent::Started {} => self.head.status = Status::Active,
            TableEvent::TimedOut { seat, in_a_row } => {
                if let Some(state) = self.head.seats.get_mut(seat.index()) {
                    state.strikes = *in_a_row;
                }
            }
            TableEvent::Resigned { seat, .. } => {
                if let Some(state) = self.head.seats.get_mut(seat.index()) {
                    state.resigned = true;
                }
            }
            TableEvent::Finished { outcome } => {
                self.head.status = Status::Finished;
                self.head.outcome = Some(outcome.clone());
            }
        }
    }

    /// Whether decisions are simultaneous now: such a phase has one current version.
    fn phase(&self) -> bool {
        self.head.status == Status::Active && self.game.is_simultaneous()
    }

    fn settle(&mut self, was_simultaneous: bool, cause: Cause, acted: Option<Seat>, at: Timestamp, events: usize) {
        if let (Cause::Action, Some(seat)) = (cause, acted) {
            self.head.seats[seat.index()].strikes = 0;
        }
        let to_act = match self.head.status {
            Status::Active => self.game.to_act(),
            Status::Waiting | Status::Finished => SeatSet::EMPTY,
        };
        self.head.seq += events as u32;
        self.head.settle(to_act, acted, at);
        if !(was_simultaneous && self.phase()) {
            self.head.current_since = self.head.version;
        }
    }
}

impl<G: Game> Table<G> {
    /// Folds a step that was taken before into the table.
    ///
    /// # Errors
    /// What about the step cannot be: a gap in the versions or an event that does not decode.
    pub fn redo(&mut self, step: &Step) -> Result<(), String> {
        if step.version != self.head.version + 1 {
            return Err(format!("version {} follows version {}", step.version, self.head.version));
        }
        if step.seat.is_some_and(|seat| !self.head.count().has(seat)) {
            return Err(format!("version {} is by a seat that the table does not have", step.version));
        }
        let before = self.phase();
        for event in &step.events {
            match Entry::<G::Event>::deserialize(event).map_err(|error| format!("version {}: {error}", step.version))? {
                Entry::Table(event) => self.fold_table(&event),
                Entry::Game(event) => self.game.fold(&event),
            }
        }
        if let Some(chance) = &mut self.chance {
            chance.seek(step.position);
        }
        self.settle(before, step.cause, step.seat, step.at, step.events.len());
        Ok(())
    }

    /// Carries out again what brought a step about, and says where what comes of it differs. What
    /// the physical world did is taken from the step.
    ///
    /// # Errors
    /// The first thing in the step that does not follow from the table, the action and the chance.
    pub fn replay(&mut self, step: &Step, lexicon: &Lexicon) -> Result<(), String> {
        let at = format!("version {}", step.version);
        let seat = || step.seat.ok_or_else(|| format!("{at}: no seat is named"));
        let action = || {
            let value = step.action.as_ref().ok_or_else(|| format!("{at}: no action is named"))?;
            read_move::<G::Action>(value).map_err(|error| format!("{at}: {error}"))
        };
        let command = match step.cause {
            Cause::Start => Command::Start,
            Cause::Claim => {
                let name = step.action.as_ref().and_then(|action| action["name"].as_str()).unwrap_or_default();
                Command::Claim { seat: seat()?, name: name.to_owned() }
            }
            Cause::Action | Cause::Bot => Command::Act { seat: seat()?, action: action()?, cause: step.cause },
            Cause::Clock => match action()? {
                Move::Play(action) if self.head.turn_deadline() == Some((step.at, seat()?)) => {
                    Command::TimeOut { seat: seat()?, action }
                }
                _ => return Err(format!("{at}: no turn clock ran out then")),
            },
            Cause::Deadline if self.due() != Some(step.at) => return Err(format!("{at}: nothing was due then")),
            Cause::Deadline => Command::Deadline,
        };
        if step.at < self.head.now {
            return Err(format!("{at}: it happens before the version it follows"));
        }
        let again = self
            .execute_in(&mut Recorded::of::<G>(step), command, step.at, lexicon)
            .map_err(|judgement| format!("{at}: the action is not legal: {judgement:?}"))?;
        if again.version != step.version {
            return Err(format!("{at}: the version should be {}", again.version));
        }
        if again.position != step.position {
            return Err(format!("{at}: the chance used should be {:?}", again.position));
        }
        match again.events.iter().zip(&step.events).position(|(ours, theirs)| ours != theirs) {
            Some(index) => Err(format!("{at}: event {index} should be {}", again.events[index])),
            None if again.events.len() != step.events.len() => {
                Err(format!("{at}: there should be {} events", again.events.len()))
            }
            None => Ok(()),
        }
    }
}

fn already_resigned() -> Refusal {
    Refusal::new(
        "table.resign",
        Text::fixed(
            "This seat has resigned already; there is nothing left to do for it.",
            "この席はすでに投了しています。",
        ),
    )
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
pub fn read_move<A: for<'de> Deserialize<'de>>(value: &Value) -> Result<Move<A>, String> {
    match value {
        Value::Object(fields) if fields.get("type").is_some_and(|kind| kind == "resign") => {
            match fields.keys().find(|key| *key != "type") {
                Some(field) => Err(format!("unknown field `{field}`: `resign` has no fields")),
                None => Ok(Move::Resign),
            }
        }
        // A number would be taken for a variant's place in the list.
        Value::Object(fields) if fields.get("type").is_some_and(|kind| !kind.is_string()) => {
            Err("`type` is the name of an action".to_owned())
        }
        Value::Object(_) => A::deserialize(Strict(value)).map(Move::Play).map_err(|error| error.to_string()),
        _ => Err("an action is an object with a `type`".to_owned()),
    }
}
