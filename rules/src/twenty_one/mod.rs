//! ２１: push your luck with one die (`docs/rules/twenty_one.md`).
//!
//! Everybody rolls three times, paying a chip for every pip; then one may stop. The highest total
//! up to 21 takes the pot. Nothing is hidden. A match is a series of games, so that everybody
//! deals once.

mod actions;
mod bot;
mod die;
mod events;
mod hand;
mod options;
mod showdown;
mod state;
mod view;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::sync::Arc;

pub use actions::Action;
pub use die::Face;
pub use events::{Event, KeptBy, WonBy};
pub use hand::Hand;
pub use options::{Options, RollerFallback, TieRule};
pub use state::{Standing, TwentyOne};
pub use view::{PhaseName, SuddenDeathView, View};

use crate::chance::Script;
use crate::game::{Advice, Completeness, Context, Facts, Game, Inquiry, Level, Thinking, Visit};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatCount, SeatSet, Viewer};
use crate::text::{Fault, Refusal, Rule, Text};
use state::Phase;

/// The rules of ２１, one line each.
const RULES: &[Rule] = &[
    Rule::new(
        "21.order",
        "The dealer acts first, then clockwise; the seat after the dealer deals the next game.",
        "親から時計回りに手番を行う。次のゲームでは次の席が親になる。",
    ),
    Rule::new(
        "21.roll",
        "Roll the die, add it to your total and pay that many chips into the pot, also for the roll that busts.",
        "ダイスを振り、出目を合計に足し、その数だけチップを場に出す。バーストした出目の分も払う。",
    ),
    Rule::new(
        "21.three-rounds",
        "In rounds 1 to 3 everybody rolls; from round 4 on you may stop instead.",
        "3周目までは全員がダイスを振る。4周目からは振るか止めるかを選べる。",
    ),
    Rule::new(
        "21.stop",
        "Who has stopped keeps the total and rolls no more in this game.",
        "止めた席は合計が決まり、そのゲームではもう振れない。",
    ),
    Rule::new("21.bust", "A total of 22 or more is out at once.", "合計が22以上になった席はその場で負けになる。"),
    Rule::new(
        "21.showdown",
        "When nobody rolls any more the highest total up to 21 takes the pot; the option tie_rule decides between equals.",
        "誰も振らなくなったら、21以下で最も大きい合計の席が場のチップを取る。同点はオプション tie_rule で決める。",
    ),
    Rule::new(
        "21.all-bust",
        "If everybody is bust nobody wins and the pot stays for the next game's winner.",
        "全員が22以上なら勝者はなく、場のチップは次のゲームの勝者のものになる。",
    ),
    Rule::new(
        "21.straight",
        "With hands: 1 to 6 once each, in any order, beats every other 21.",
        "役ありの場合：1から6までを順不同で一つずつ出した21はストレートで、最も強い。",
    ),
    Rule::new(
        "21.double",
        "With hands: 21 of two faces three times each beats a plain 21; 1–6 beats 2–5, which beats 3–4.",
        "役ありの場合：二種類の目を三回ずつ出した21はダブルで、役のない21より強い。1－6、2－5、3－4の順に強い。",
    ),
    Rule::new(
        "21.ranking",
        "After the last game most chips win; equal chips share the rank.",
        "最後のゲームのあとチップの最も多い席が勝ち。同数なら同順位になる。",
    ),
];

impl Game for TwentyOne {
    type Options = Options;
    type Action = Action;
    type Event = Event;
    type View = View;

    const FACTS: Facts = Facts {
        id: "twenty_one",
        name: Text::fixed("Twenty-One", "２１"),
        seats: 2..=10,
        rules_version: 1,
        rules: RULES,
        dice: Some(1..=Face::SIDES as u32),
        deck: false,
        levels: &[Level::Easy, Level::Standard],
    };

    fn check(options: &Options, _seats: SeatCount, _script: &Script) -> Vec<Fault> {
        options.faults()
    }

    fn setup(options: &Arc<Options>, seats: SeatCount) -> Self {
        Self::new(Arc::clone(options), seats)
    }

    fn start(&mut self, _context: &mut Context<'_>, log: &mut Vec<Event>) {
        self.emit(Event::GameBegan { game_no: self.game_no, dealer: self.dealer, pot: self.pot }, log);
    }

    fn to_act(&self) -> SeatSet {
        self.turn().map_or(SeatSet::EMPTY, SeatSet::one)
    }

    fn legal_actions(&self, seat: Seat, _inquiry: Inquiry<'_>, visit: Visit<'_, Action>) -> Completeness {
        if self.turn() == Some(seat)
            && visit(Action::Roll {}) == ControlFlow::Continue(())
            && matches!(self.phase, Phase::Rolling { .. })
            && self.may_stop(seat)
        {
            // It is the last one: breaking off after it changes nothing.
            let _ = visit(Action::Stop {});
        }
        Completeness::Complete
    }

    fn apply(
        &mut self,
        seat: Seat,
        action: &Action,
        context: &mut Context<'_>,
        log: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        self.act(seat, *action, context.chance, log)
    }

    fn fits(&self, event: &Event) -> bool {
        self.event_fits(event)
    }

    fn fold(&mut self, event: &Event) {
        self.fold_event(event);
    }

    fn view(&self, _viewer: Viewer) -> View {
        self.open_view()
    }

    fn redact(event: &Event, _viewer: Viewer) -> Event {
        event.clone()
    }

    fn outcome(&self) -> Option<Outcome> {
        matches!(self.phase, Phase::Over).then(|| Outcome::by_score(self.balances(), "last_game"))
    }

    fn advise(
        view: &View,
        seat: Seat,
        options: &Options,
        legal: Vec<Action>,
        thinking: &mut Thinking<'_>,
    ) -> Vec<Advice<Action>> {
        bot::judge(view, seat, options, legal, thinking.level)
    }
}
