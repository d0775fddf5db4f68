//! One match of a generated history, played to its end.

use std::ops::RangeInclusive;
use std::sync::Arc;

use dictionary::Lexicon;
use rules::chance::{Chance, Key};
use rules::game::{Inquiry, Level};
use rules::seat::Seat;
use rules::table::{AnyGame, AnyTable, Head, Player, Status, Step};
use rules::time::Timestamp;
use serde_json::{Value, json};
use uuid::Builder;

use super::cast::{Cast, random};
use crate::ids::MatchId;
use crate::matches::create::bot_name;
use crate::matches::facts::{Facts, SeatOrder};
use crate::matches::store::bulk::{Finished, FinishedSeat};

/// A month in milliseconds: a twelfth of a year.
const MONTH_MS: u64 = 30 * 24 * 3_600_000 + 10 * 3_600_000;
/// After so many steps everybody gives up.
const LONGEST: usize = 3_000;
/// In one of so many matches somebody resigns.
const RESIGNS: u32 = 60;
/// The share of decisions, in a hundred, in which somebody unregistered errs.
const ERRS: u32 = 15;

/// What a history is made from.
pub struct Plan {
    /// What is played.
    pub game: &'static dyn AnyGame,
    /// How many seats a match may have.
    pub seats: RangeInclusive<u8>,
    /// What the matches are drawn from.
    pub seed: u64,
    /// Who plays.
    pub cast: Cast,
    /// The words of the matches.
    pub lexicon: Lexicon,
    /// The last matches begin before this.
    pub until: Timestamp,
    /// The first ones so many months earlier.
    pub months: u32,
}

/// A seat of a match to be played.
struct Sitter {
    seat: FinishedSeat,
    /// The share of decisions, in a hundred, in which it takes any legal action.
    errs: u32,
}

impl Plan {
    /// Plays the match of this number.
    ///
    /// # Errors
    /// Where the rules refuse what they themselves offered.
    pub fn play(&self, number: u64) -> Result<Finished, String> {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&number.to_le_bytes());
        let mut chance = Chance::new(Key::derive(&bytes, b"takujo generate ", []), Arc::default());
        let sitters = self.seat(&mut chance);
        let mut facts = self.facts(&mut chance);
        let seats = sitters.iter().map(|sitter| (Arc::clone(&sitter.seat.name), sitter.seat.player)).collect();
        let mut table = facts.lay(seats).map_err(|faults| format!("{faults:?}"))?;
        table.set_chance(facts.key(sitters.iter().map(|sitter| sitter.seat.entropy.as_slice())));
        let steps = self.play_out(&mut *table, &sitters, &mut chance)?;
        let outcome = table.head().outcome.clone().ok_or("the match does not end")?;
        Ok(Finished { facts, seats: sitters.into_iter().map(|sitter| sitter.seat).collect(), steps, outcome })
    }

    fn facts(&self, chance: &mut Chance) -> Facts {
        let span = (u64::from(self.months) * MONTH_MS / 1000) as u32;
        let created_at = self.until.plus_millis(-i64::from(chance.below(span)) * 1000 - 3_600_000);
        let millis = created_at.millis().unsigned_abs();
        let facts = self.game.facts();
        Facts {
            id: MatchId(Builder::from_unix_timestamp_millis(millis, &random(chance)).into_uuid()),
            game: self.game,
            options: Arc::new(options(facts.id, chance)),
            rules_version: facts.rules_version as i32,
            lexicon_version: self.lexicon.version().to_owned(),
            seat_order: SeatOrder::AsGiven,
            turn_seconds: None,
            listed: true,
            analysis: true,
            sandbox: None,
            server_seed: random(chance),
            created_at,
        }
    }

    /// Half of the matches are among humans, three of ten mixed, the others among bots. Few seats
    /// are more frequent.
    fn seat(&self, chance: &mut Chance) -> Vec<Sitter> {
        let (least, most) = (u32::from(*self.seats.start()), u32::from(*self.seats.end()));
        let seats = least + chance.below(most - least + 1).min(chance.below(most - least + 1));
        let bots = match chance.below(10) {
            0..5 => 0,
            5..8 => 1 + chance.below(seats - 1),
            _ => seats,
        };
        let mut order: Vec<bool> = (0..seats).map(|seat| seat < bots).collect();
        chance.shuffle(&mut order);
        let mut sitters: Vec<Sitter> = Vec::with_capacity(order.len());
        for (place, is_bot) in order.into_iter().enumerate() {
            let sitter = if is_bot { self.bot(chance) } else { self.human(chance, place, &sitters) };
            sitters.push(sitter);
        }
        sitters
    }

    fn bot(&self, chance: &mut Chance) -> Sitter {
        let levels = self.game.facts().levels;
        let level = levels[chance.below(levels.len() as u32) as usize];
        let seat = FinishedSeat {
            name: bot_name(level).into(),
            player: Player::Bot(level),
            player_id: None,
            opened: false,
            entropy: Vec::new(),
        };
        Sitter { seat, errs: 0 }
    }

    /// A registered player who has no seat here yet, or somebody.
    fn human(&self, chance: &mut Chance, place: usize, seated: &[Sitter]) -> Sitter {
        let player = self.cast.draw(chance);
        let is_free = |player| !seated.iter().any(|sitter| sitter.seat.player_id == Some(player));
        let (player_id, name, errs) = match player.filter(|(player, ..)| is_free(*player)) {
            Some((player, name, errs)) => (Some(player), name, errs),
            None => (None, format!("Player {}", place + 1), ERRS),
        };
        let entropy = Vec::new();
        let seat = FinishedSeat { name: name.into(), player: Player::Human, player_id, opened: false, entropy };
        Sitter { seat, errs }
    }

    fn play_out(&self, table: &mut dyn AnyTable, sitters: &[Sitter], chance: &mut Chance) -> Result<Vec<Step>, String> {
        let at = table.head().now.plus_millis(40);
        let mut steps = vec![table.start(at, &self.lexicon).map_err(|judgement| format!("{judgement:?}"))?];
        let resigns_at = (chance.below(RESIGNS) == 0).then(|| 3 + chance.below(20) as usize);
        while table.head().status != Status::Finished {
            let head = table.head();
            let gives_up = resigns_at == Some(steps.len()) || steps.len() > LONGEST;
            let seat = head.to_act.iter().next().ok_or("nobody is to act")?;
            let is_bots = head.bot_to_act().is_some();
            let at = head.now.plus_millis(thinking_ms(is_bots, chance));
            let resigner = if gives_up { resigner(head) } else { None };
            if let Some(step) = table.expire(at, &self.lexicon) {
                steps.push(step);
                continue;
            }
            let step = if let Some(resigner) = resigner {
                table.act(resigner, &json!({"type": "resign"}), at, &self.lexicon)
            } else if is_bots {
                table.bot_step(at, &self.lexicon).map_or_else(|| Err(rules::table::Judgement::NotYourTurn), Ok)
            } else {
                let action = self.choose(table, seat, sitters[seat.index()].errs, chance).ok_or("nothing is legal")?;
                table.act(seat, &action, at, &self.lexicon)
            };
            steps.push(step.map_err(|judgement| format!("{judgement:?}"))?);
        }
        Ok(steps)
    }

    /// What the bot advises, or any legal action in so many of a hundred decisions.
    fn choose(&self, table: &dyn AnyTable, seat: Seat, errs: u32, chance: &mut Chance) -> Option<Value> {
        if chance.below(100) < errs {
            let legal = table.legal_actions(seat, Inquiry { lexicon: &self.lexicon, words: false }, 64).actions;
            let action = legal.get(chance.below(legal.len().max(1) as u32) as usize)?;
            return serde_json::from_str(action.get()).ok();
        }
        let best = table.advise(seat, Level::Easy, &self.lexicon).into_iter().next();
        best.map(|advice| advice.action)
    }
}

/// Who gives up: the first human who has not yet. A bot's seat plays on, as it has nobody to resign for it.
fn resigner(head: &Head) -> Option<Seat> {
    let seats = (0..).map_while(Seat::new).zip(&head.seats);
    seats.filter(|(_, state)| state.player == Player::Human && !state.resigned).map(|(seat, _)| seat).next()
}

/// How long a decision takes: a bot's a moment, a human's mostly seconds and now and then much longer.
fn thinking_ms(is_bot: bool, chance: &mut Chance) -> i64 {
    let millis = if is_bot {
        20 + chance.below(80)
    } else {
        let unit = 200 + chance.below(1_800);
        // The square of a uniform number has a long tail.
        let root = 1 + chance.below(5);
        unit * root * root / 4
    };
    i64::from(millis)
}

/// Most matches are played by the defaults.
fn options(game: &str, chance: &mut Chance) -> Value {
    let others = match game {
        "hachiku" => [json!({"preset": "light"}), json!({"preset": "easy"}), json!({"closed_hands": true})],
        "twenty_one" => [json!({"hands": true}), json!({"tie_rule": "draw"}), json!({"games": 1})],
        "kamudakara" => [json!({"rounds": 2}), json!({"rounds": 3}), json!({"rounds": 1})],
        "salamander" => [json!({"target": 49}), json!({"target": 100}), json!({"target": 85})],
        _ => [json!({"enforce_clock": false}), json!({"enforce_clock": true}), json!({})],
    };
    let drawn = chance.below(10) as usize;
    others.into_iter().nth(drawn).unwrap_or_else(|| json!({}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_resigns_for_a_bot() {
        let game = rules::registry::game("twenty_one").unwrap();
        let plan = Plan {
            game,
            seats: 2..=2,
            seed: 1,
            cast: Cast(Vec::new()),
            lexicon: Lexicon::empty().clone(),
            until: Timestamp::from_millis(1_793_491_140_000),
            months: 1,
        };
        let mut facts = plan.facts(&mut Chance::new(Key::derive(&[0; 32], &[0; 16], []), Arc::default()));
        let mut resigner_of = |players: [Player; 2]| {
            let table = facts.lay(players.map(|player| ("".into(), player)).to_vec()).unwrap();
            resigner(table.head())
        };
        assert_eq!(resigner_of([Player::Bot(Level::Easy); 2]), None);
        assert_eq!(resigner_of([Player::Bot(Level::Easy), Player::Human]), Seat::new(1));
    }
}
