//! Whether everything in a record follows. The checks and their order are those of `docs/chance.md`.

use std::sync::Arc;

use dictionary::Lexicon;
use rules::chance;
use rules::registry;
use rules::table::{AnyGame, AnyTable, Deviation, Player, Step};

use super::chain::hash;
use super::{FORMAT, RecordBody, RecordSeat, RecordStep};
use crate::matches::create::seat_order;
use crate::matches::facts::{Facts, SeatOrder};

/// The first check that a record does not stand, by the name that `docs/chance.md` gives it, and
/// what is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// It is no record.
    #[error("form: {0}")]
    Form(String),
    /// The chance is made in another way.
    #[error("algorithm: {0}")]
    Algorithm(String),
    /// The seed is not the one that was promised.
    #[error("commitment: it is not the hash of the server seed")]
    Commitment,
    /// The game is not known, or not by this version of its rules.
    #[error("rules: {0}")]
    Rules(String),
    /// The seats do not sit in the order that the seed gives.
    #[error("seat-order: the seats of the request should sit in the order {0:?}")]
    SeatOrder(Vec<u8>),
    /// The game takes no such set-up.
    #[error("set-up: {0}")]
    SetUp(String),
    /// A step's hash is not that of the step and what is before it.
    #[error("version {0}: hash: it does not follow from the step and what is before it")]
    Hash(u32),
    /// A step does not follow from the rules and the chance.
    #[error("version {0}: {1}")]
    Step(u32, Deviation),
    /// The result is another.
    #[error("outcome: {0}")]
    Outcome(String),
}

impl RecordBody {
    /// Reads a record.
    ///
    /// # Errors
    /// [`Flaw::Form`] where it is none.
    pub fn read(json: &[u8]) -> Result<Self, Flaw> {
        serde_json::from_slice(json).map_err(|error| Flaw::Form(error.to_string()))
    }

    /// Checks that everything in the record follows: the commitment from the seed, every step with
    /// its dice and events from the rules and the chance, the hash chain, and the outcome.
    ///
    /// # Errors
    /// The first thing that does not follow.
    pub fn verify(&self, lexicon: &Lexicon) -> Result<(), Flaw> {
        let mut table = self.lay()?;
        let mut before = self.setup_hash();
        for link in &self.steps {
            if hash(&before, link) != link.hash {
                return Err(Flaw::Hash(link.version));
            }
            before.clone_from(&link.hash);
            table.replay(&link.step(), lexicon).map_err(|deviation| Flaw::Step(link.version, deviation))?;
        }
        match &table.head().outcome {
            None => Err(Flaw::Outcome("the match is not finished after its last step".to_owned())),
            Some(outcome) if *outcome != self.outcome => Err(Flaw::Outcome(format!("it should be {outcome:?}"))),
            Some(_) => Ok(()),
        }
    }

    /// The table before the first step, with the chance that the seed makes.
    fn lay(&self) -> Result<Box<dyn AnyTable>, Flaw> {
        if self.format != FORMAT {
            return Err(Flaw::Form(format!("the format is {}, not {FORMAT}", self.format)));
        }
        if self.chance.algorithm != chance::ALGORITHM {
            let algorithm = &self.chance.algorithm;
            return Err(Flaw::Algorithm(format!("the chance is made by {algorithm}, not {}", chance::ALGORITHM)));
        }
        let server_seed = self.server_seed()?;
        if hex::encode(chance::commitment(&server_seed)) != self.chance.commitment {
            return Err(Flaw::Commitment);
        }
        let game = self.game()?;
        let known = game.facts().rules_version;
        if known as i32 != self.rules_version {
            let judged_by = self.rules_version;
            return Err(Flaw::Rules(format!("it was judged by version {judged_by}, this program has {known}")));
        }
        self.check_seat_order(&server_seed)?;
        if self.seats.iter().zip(0..).any(|(seat, place)| seat.seat.number() != place) {
            return Err(Flaw::SetUp("the seats should be listed in their order".to_owned()));
        }
        let players = self.players()?;
        let entropy: Vec<_> = self.seats.iter().map(entropy).collect::<Result<_, _>>()?;
        let mut facts = self.facts()?;
        let mut table = facts.lay(players).map_err(|faults| Flaw::SetUp(format!("{faults:?}")))?;
        table.set_chance(facts.key(entropy.iter().map(Vec::as_slice)));
        Ok(table)
    }

    fn check_seat_order(&self, server_seed: &[u8; 32]) -> Result<(), Flaw> {
        let order = seat_order(self.seat_order, self.seats.len(), server_seed, self.id);
        let order: Vec<u8> = order.into_iter().map(|given| given as u8).collect();
        let is_shuffled = self.seat_order == SeatOrder::Shuffled;
        let given = self.seats.iter().map(|seat| seat.given);
        if given.eq(order.iter().map(|&given| is_shuffled.then_some(given))) {
            Ok(())
        } else {
            Err(Flaw::SeatOrder(order))
        }
    }

    fn game(&self) -> Result<&'static dyn AnyGame, Flaw> {
        registry::game(&self.game).ok_or_else(|| Flaw::Rules(format!("there is no game {}", self.game)))
    }

    fn server_seed(&self) -> Result<[u8; 32], Flaw> {
        let bytes = hex::decode(&self.chance.server_seed).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.ok_or_else(|| Flaw::Form("the server seed is not 32 bytes in hex".to_owned()))
    }

    /// Who sat on the seats when the match was created, by name.
    ///
    /// # Errors
    /// [`Flaw::SetUp`] for a kind of seat that there is none of.
    pub(crate) fn players(&self) -> Result<Vec<(Arc<str>, Player)>, Flaw> {
        self.seats.iter().map(|seat| Ok((Arc::from(seat.name.as_str()), seat.player()?))).collect()
    }

    /// What the match was created with. A record does not say whether it was listed, or might be
    /// analysed.
    ///
    /// # Errors
    /// Where its game or its seed is none.
    pub(crate) fn facts(&self) -> Result<Facts, Flaw> {
        Ok(Facts {
            id: self.id,
            game: self.game()?,
            options: Arc::new(self.options.clone()),
            rules_version: self.rules_version,
            lexicon_version: self.lexicon.clone(),
            seat_order: self.seat_order,
            turn_seconds: self.turn_seconds,
            listed: false,
            analysis: false,
            sandbox: self.sandbox.clone(),
            server_seed: self.server_seed()?,
            created_at: self.created_at,
        })
    }
}

impl RecordStep {
    /// The step without its hash.
    pub(crate) fn step(&self) -> Step {
        Step {
            version: self.version,
            cause: self.cause,
            seat: self.seat,
            action: self.action.clone(),
            events: self.events.clone(),
            at: self.at,
            position: self.chance_used,
        }
    }
}

impl RecordSeat {
    /// Who decided for the seat when the match was created.
    ///
    /// # Errors
    /// [`Flaw::SetUp`] for a kind of seat that there is none of.
    pub(crate) fn player(&self) -> Result<Player, Flaw> {
        match (self.kind.as_str(), self.level) {
            ("human", None) => Ok(Player::Human),
            ("open", None) => Ok(Player::Open),
            ("bot", Some(level)) => Ok(Player::Bot(level)),
            _ => Err(Flaw::SetUp(format!("seat {}: {} is no kind of seat", self.seat, self.kind))),
        }
    }
}

/// What a seat added to the chance.
pub(crate) fn entropy(seat: &RecordSeat) -> Result<Vec<u8>, Flaw> {
    let entropy = hex::decode(&seat.entropy);
    let entropy = entropy.map_err(|_| Flaw::Form(format!("seat {}: the entropy is no hex", seat.seat)))?;
    if entropy.len() > 64 {
        return Err(Flaw::SetUp(format!("seat {}: entropy is 64 bytes at most", seat.seat)));
    }
    Ok(entropy)
}
