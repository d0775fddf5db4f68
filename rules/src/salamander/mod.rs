//! サラマンダー (salamander): a hidden-hand race for sets of one element, one stone, one number.
//!
//! The rules are in `docs/rules/salamander.md`; each is a line of [`RULES`].

mod actions;
mod beliefs;
mod board;
mod bot;
mod cards;
mod events;
mod hand;
mod knowledge;
mod legal;
mod options;
mod pips;
mod refusals;
mod state;
mod sticks;
#[cfg(test)]
mod tests;
mod view;

use std::ops::ControlFlow;
use std::sync::Arc;

pub use actions::{Action, Claim, Claims};
pub use board::Piece;
pub use cards::{Card, Element, Kind, Number, Room, Stone};
pub use events::{Event, FreedBy, JailedFor, JudgedClaim};
pub use options::Options;
pub use pips::Pips;
pub use state::{Ending, Salamander};
pub use sticks::{By, Face, KeyThrows, Picture, Throw};
pub use view::{Known, PhaseName, View};

use crate::chance::Script;
use crate::game::{Advice, Completeness, Context, Facts, Game, Inquiry, Level, Thinking, Visit};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatCount, SeatSet, Viewer};
use crate::text::{Fault, Refusal, Rule, Text};
use state::Phase;

/// Every rule, in the order of the rule text.
const RULES: &[Rule] = &[
    Rule::new(
        "sal.rooms",
        "4 wings of 3 columns (stones) and 7 rows (numbers) make 84 rooms; a set of three cards scores the product of its values.",
        "4区画×3列（石）×7行（数字）で84部屋。3枚の組はその値の積が得点になる。",
    ),
    Rule::new(
        "sal.road",
        "Five squares lie before each seat's home; together they are a ring walked clockwise. Unused homes have no squares.",
        "各席の前に5マスの道があり、つながった輪を時計回りに進む。いない席の道は使わない。",
    ),
    Rule::new(
        "sal.leave-home",
        "A piece that leaves home counts the centre of its own five squares as 1.",
        "出発地から出る駒は、自分の5マスの中央を1と数える。",
    ),
    Rule::new(
        "sal.enter-home",
        "A piece enters home through its own centre by exact count, or walks on past it: its player chooses.",
        "自分の中央のマスから、ちょうどの目で出発地に入れる。入らずに通り過ぎてもよい。",
    ),
    Rule::new(
        "sal.deal",
        "Each seat is dealt two secret cards; of two of the same kind it discards one, face up, before the first turn.",
        "2枚ずつ伏せて配る。2枚が同じ種類なら、最初の手番の前にどちらか1枚を表向きに捨てる。",
    ),
    Rule::new(
        "sal.picture-lizard",
        "A lizard: draw the top card of the deck.",
        "トカゲの絵が出たら、山札の一番上を引く。",
    ),
    Rule::new(
        "sal.hand-limit",
        "A hand keeps at most two cards: with a third of another kind discard any one of the three.",
        "手札は2枚まで。別の種類の3枚目を引いたら、3枚のうち1枚を捨てる。",
    ),
    Rule::new(
        "sal.one-per-kind",
        "A hand never keeps two cards of a kind: discard the old one or the new one.",
        "同じ種類は1枚まで。重なったら、前のカードか引いたカードを捨てる。",
    ),
    Rule::new(
        "sal.picture-stone",
        "A stone: place the own marker in a room that agrees with every card held; without a card nothing happens.",
        "石の絵が出たら、手札のすべてと合う部屋に自分の石を置く。手札がなければ何もしない。",
    ),
    Rule::new(
        "sal.move",
        "Move by the sum or the difference of the number sticks; a difference of 0 stays.",
        "2本の数の和か差だけ駒を進める。差が0ならその場にとどまる。",
    ),
    Rule::new(
        "sal.doubles",
        "After equal numbers, played to the end, another throw may follow; not from jail.",
        "2本の数が同じなら、行動を終えた後にもう一度振ってもよい。牢からはできない。",
    ),
    Rule::new(
        "sal.bump",
        "Landing on another piece's square sends that piece to jail; passing does not.",
        "他の駒がいるマスに止まると、その駒は牢に入る。通り過ぎるだけなら何も起きない。",
    ),
    Rule::new(
        "sal.ask",
        "Standing before another seat's home after the move, ask that seat once a throw whether it holds a card; only these two see the answer.",
        "移動の後に他の席の前にいれば、その席に1回振るごとに1つ、あるカードを持っているか質問できる。答えは二人だけが見る。",
    ),
    Rule::new(
        "sal.asked-in-jail",
        "A jailed seat that is asked goes home at once.",
        "牢の中で質問された席は、すぐに出発地へ戻る。",
    ),
    Rule::new(
        "sal.announce",
        "At home after the move, show the whole hand and name one or two cards of others that complete a set; if all is so, take and score them, if not, go to jail.",
        "移動の後に出発地にいれば、手札全部を見せ、組を完成させる他の席のカードを1〜2枚言い当てる。すべて正しければ得点、違えば牢に入る。",
    ),
    Rule::new("sal.jail-pass", "A jailed seat may do nothing.", "牢の中では何もしなくてもよい。"),
    Rule::new(
        "sal.keys",
        "Throw all sticks up to five times, setting keys aside; three keys lead home. The turn ends either way.",
        "鍵の出た杖を残しながら5回まで振り、鍵が3つそろえば出発地に戻る。どちらでも手番は終わる。",
    ),
    Rule::new(
        "sal.jail-ask",
        "From jail, ask any other seat one question and stay.",
        "牢から他のどの席にも1つ質問できる。駒は牢に残る。",
    ),
    Rule::new(
        "sal.jail-announce",
        "From jail, announce: success leads home, failure changes nothing.",
        "牢から発表できる。正しければ出発地に戻り、違えば牢に残る。",
    ),
    Rule::new(
        "sal.target",
        "The match ends as soon as a score reaches the target; the highest score wins.",
        "だれかが目標点に達したら終わり。最も得点の高い席が勝つ。",
    ),
    Rule::new(
        "sal.reshuffle",
        "The next draw from an empty deck shuffles the discards first; with neither it is skipped. When no set is left, the match ends.",
        "山札がなければ、次に引くときに捨て札を切って山札にする。どちらもなければ引かない。組が作れなくなったら終わる。",
    ),
];

impl Game for Salamander {
    type Options = Options;
    type Action = Action;
    type Event = Event;
    type View = View;

    const FACTS: Facts = Facts {
        id: "salamander",
        name: Text::fixed("Salamander", "サラマンダー"),
        seats: 2..=4,
        rules_version: 1,
        rules: RULES,
        dice: Some(1..=4),
        deck: true,
        levels: &[Level::Easy],
    };

    fn check(options: &Options, _seats: SeatCount, script: &Script) -> Vec<Fault> {
        options.faults(script)
    }

    fn setup(options: &Arc<Options>, seats: SeatCount) -> Self {
        Self::new(options.target, seats)
    }

    fn start(&mut self, context: &mut Context<'_>, log: &mut Vec<Event>) {
        self.begin(context, log);
    }

    fn to_act(&self) -> SeatSet {
        match self.phase {
            Phase::Opening { owing } => owing,
            Phase::Turn { seat, .. } => SeatSet::one(seat),
            Phase::Over { .. } => SeatSet::EMPTY,
        }
    }

    fn is_simultaneous(&self) -> bool {
        matches!(self.phase, Phase::Opening { .. })
    }

    fn legal_actions(&self, seat: Seat, _inquiry: Inquiry<'_>, visit: Visit<'_, Action>) -> Completeness {
        match self.visit_legal(seat, visit) {
            ControlFlow::Continue(()) | ControlFlow::Break(()) => Completeness::Complete,
        }
    }

    fn apply(
        &mut self,
        seat: Seat,
        action: &Action,
        context: &mut Context<'_>,
        log: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        self.act(seat, action, context, log)
    }

    fn fits(&self, event: &Event) -> bool {
        self.event_fits(event)
    }

    fn fold(&mut self, event: &Event) {
        self.fold_event(event);
    }

    fn view(&self, viewer: Viewer) -> View {
        self.seen_by(viewer)
    }

    fn redact(event: &Event, viewer: Viewer) -> Event {
        event.seen_by(viewer)
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over { ending } => {
                let scores: Vec<_> = self.seats.seats().map(|seat| self.score(seat)).collect();
                Some(Outcome::by_score(&scores, ending.reason()))
            }
            Phase::Opening { .. } | Phase::Turn { .. } => None,
        }
    }

    fn advise(
        view: &View,
        seat: Seat,
        options: &Options,
        legal: Vec<Action>,
        thinking: &mut Thinking<'_>,
    ) -> Vec<Advice<Action>> {
        bot::advise(view, seat, options.target, legal, thinking.random)
    }
}
