//! The one shape that every game has.
//!
//! A game is its state; its behaviour is a few total functions. Everything that is not a player's
//! choice (dice, shuffles, time, the lexicon, the physical world) comes in through a [`Context`] and leaves as events,
//! so that a state is the fold of its events and a record replays anywhere.

use std::fmt::Debug;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use dictionary::Lexicon;
use physics::pose::Pose;
use physics::world::World;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::chance::{Chance, Script};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatCount, SeatSet, Viewer};
use crate::text::{Fault, Refusal, Rule, Text};
use crate::time::Timestamp;

/// What a game states about itself before anybody plays it.
#[derive(Debug)]
pub struct Facts {
    /// The id in addresses and requests, such as `twenty_one`.
    pub id: &'static str,
    /// Its name in both languages.
    pub name: Text,
    /// How many seats it may have.
    pub seats: RangeInclusive<u8>,
    /// Counts up whenever the same actions could lead to other events than before.
    pub rules_version: u32,
    /// Every rule of the game, in the order of the rule text.
    pub rules: &'static [Rule],
    /// The faces of the dice or sticks a script may give, if the game has any.
    pub dice: Option<RangeInclusive<u32>>,
    /// Whether a script may give a deck.
    pub deck: bool,
    /// The levels of its bots.
    pub levels: &'static [Level],
}

/// How strong a bot plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Plays legally and without obvious blunders.
    Easy,
    /// Looks a little ahead.
    Standard,
    /// The best the project has.
    Strong,
}

impl Level {
    /// Every level, the weakest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Standard, Self::Strong];

    /// Its name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Standard => "standard",
            Self::Strong => "strong",
        }
    }
}

/// What an action is judged with beside the state.
pub struct Context<'a> {
    /// The match's dice and shuffles.
    pub chance: &'a mut Chance,
    /// The instant at which the action happens.
    pub now: Timestamp,
    /// The words of the match.
    pub lexicon: &'a Lexicon,
    /// The physical world: the engine while a match is played, the record while one is verified.
    pub world: &'a mut dyn World,
}

/// What to enumerate, and with what.
#[derive(Clone, Copy)]
pub struct Inquiry<'a> {
    /// The words of the match.
    pub lexicon: &'a Lexicon,
    /// Whether actions that need a word are wanted.
    pub words: bool,
}

/// Whether an enumeration named every legal action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completeness {
    /// Every legal action was visited (or the visitor broke off).
    Complete,
    /// The choices are a continuum or too many: a sample was visited.
    Sample,
}

/// Receives legal actions one by one; may break off.
pub type Visit<'a, A> = &'a mut dyn FnMut(A) -> ControlFlow<()>;

/// What a bot thinks with: its own strength, the words, and choices of its own that use none of
/// the match's chance.
pub struct Thinking<'a> {
    /// How strong to play.
    pub level: Level,
    /// The words of the match.
    pub lexicon: &'a Lexicon,
    /// For choosing between equals and for playing out; never the match's own stream.
    pub random: &'a mut Chance,
}

/// An action and how good the bot holds it to be.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Advice<A> {
    /// The action, ready to be posted.
    pub action: A,
    /// The chance to win (a draw counting half) that the bot expects after it, from 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    pub value: f64,
}

/// A game as a value: the state, and what can happen to it.
///
/// The conformance suite in `rules/tests` holds every game to this contract.
pub trait Game: Clone + Debug + Send + Sync + Sized + 'static {
    /// What a match may choose at its creation; the defaults are the rule text's own.
    type Options: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// What a seat may do.
    type Action: Clone + Debug + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// What happened. An event holds everything that the fold needs.
    type Event: Clone + Debug + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// What a viewer may know.
    type View: Clone + Debug + PartialEq + Serialize + ToSchema + Send + Sync;

    /// The game's facts.
    const FACTS: Facts;

    /// Everything that is wrong with a set-up beyond what the types refuse: the values of the
    /// options, and a script that cannot be (dice faces are checked already).
    fn check(options: &Self::Options, seats: SeatCount, script: &Script) -> Vec<Fault>;

    /// The table before the first event: nothing is dealt yet. The options have passed [`check`](Self::check).
    fn setup(options: &Arc<Self::Options>, seats: SeatCount) -> Self;

    /// The first events: deals, rolls who begins, whatever needs no decision.
    fn start(&mut self, context: &mut Context<'_>, log: &mut Vec<Self::Event>);

    /// The seats that owe a decision; several when choices are simultaneous, none after the end.
    fn to_act(&self) -> SeatSet;

    /// Whether the decisions owed now are made at once and in secret: their order means nothing,
    /// so every version since the phase began counts as current.
    fn is_simultaneous(&self) -> bool {
        false
    }

    /// Whether this seat may try this action now, in turn or out of it.
    fn may_act(&self, seat: Seat, _action: &Self::Action) -> bool {
        self.to_act().contains(seat)
    }

    /// Visits every legal action of the seat, each once and each ready to be posted: of a seat that owes
    /// no decision those that it may take out of turn, mostly none. Resigning, other spellings of the
    /// same action and words put to the opponent are not among them.
    fn legal_actions(&self, seat: Seat, inquiry: Inquiry<'_>, visit: Visit<'_, Self::Action>) -> Completeness;

    /// Carries out an action of a seat that [`may_act`](Self::may_act), and whatever follows from it without a
    /// decision (a choice with one possible answer is taken at once, and the event says so).
    ///
    /// # Errors
    /// The rule that the action breaks. State, log and chance are then as before.
    fn apply(
        &mut self,
        seat: Seat,
        action: &Self::Action,
        context: &mut Context<'_>,
        log: &mut Vec<Self::Event>,
    ) -> Result<(), Refusal>;

    /// Whether the event could happen at this table as it stands: it names no seat, card or die
    /// that is not there. Every event that the game itself emits could; one that is read back from a
    /// damaged log perhaps not, and then it must not be folded.
    fn fits(&self, event: &Self::Event) -> bool;

    /// What an event that [`fits`](Self::fits) does to the state. The only way in which a state ever changes.
    fn fold(&mut self, event: &Self::Event);

    /// Folds an event and writes it down.
    fn emit(&mut self, event: Self::Event, log: &mut Vec<Self::Event>) {
        self.fold(&event);
        log.push(event);
    }

    /// Whether working out an action takes milliseconds rather than microseconds, so that it is best
    /// done beside the threads that answer requests.
    fn is_slow(&self) -> bool {
        false
    }

    /// When the game itself does something next if nobody acts, such as a stacking clock.
    fn deadline(&self) -> Option<Timestamp> {
        None
    }

    /// What the game does when its [`deadline`](Self::deadline) is reached; `context.now` is that instant.
    fn expire(&mut self, _context: &mut Context<'_>, _log: &mut Vec<Self::Event>) {}

    /// What the viewer may know. Of a finished match everybody may know everything: the caller
    /// then asks as [`Viewer::Everything`].
    fn view(&self, viewer: Viewer) -> Self::View;

    /// The event as the viewer may see it. Every event is seen by everybody in some form, so that
    /// counting events tells nobody anything.
    fn redact(event: &Self::Event, viewer: Viewer) -> Self::Event;

    /// Where bodies came to rest, if the event tells of the physical world; a record is verified
    /// with this in place of the engine.
    fn at_rest(_event: &Self::Event) -> Option<&[Pose]> {
        None
    }

    /// The result, once it is known.
    fn outcome(&self) -> Option<Outcome>;

    /// What a bot thinks of the actions, best first. It knows what its seat may know and nothing
    /// else: the seat's view and its legal actions (never none).
    fn advise(
        view: &Self::View,
        seat: Seat,
        options: &Self::Options,
        legal: Vec<Self::Action>,
        thinking: &mut Thinking<'_>,
    ) -> Vec<Advice<Self::Action>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_named_as_in_json() {
        for level in Level::ALL {
            assert_eq!(serde_json::to_value(level).unwrap(), level.name());
        }
        assert!(Level::ALL.is_sorted());
    }
}
