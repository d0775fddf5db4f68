//! 賽の河原 (sainokawara): stack fourteen dice, three to six seats (`docs/rules/sainokawara.md`).
//!
//! A round is a preparation, a roll and a tower. The tower is of real dice, with the server as the
//! referee (`reported.rs`), or one that a physics engine holds (`simulated.rs`).

mod actions;
mod board;
mod bot;
mod dice;
mod events;
mod options;
mod preparation;
mod reported;
mod rounds;
mod scoring;
mod simulated;
mod state;
mod tremor;
mod view;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use actions::{Action, Placement, Placements};
pub use board::{Duty, GOAL, Ring, SPACES, Space};
pub use dice::{Dice, Die};
pub use events::{Cause, Event};
pub use options::{Options, Stacking, Tremor};
pub use scoring::Steps;
pub use simulated::{Landing, Tower};
pub use state::Sainokawara;
pub use view::{PhaseName, StackingView, TowerDie, View};

use physics::pose::Pose;

use crate::chance::Script;
use crate::game::{Advice, Completeness, Context, Facts, Game, Inquiry, Level, Thinking, Visit};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatCount, SeatSet, Viewer};
use crate::text::{Fault, Refusal, Rule, Text};
use crate::time::Timestamp;

/// Every rule, in the order of the rule text.
const RULES: &[Rule] = &[
    Rule::new(
        "sai.prepare",
        "Clockwise, each turn either places dice or takes a duty; when only one is possible it must be done; no passing.",
        "手番は時計回り。賽子を置くか担当を取るかのどちらかを必ず行う。片方しかできなければそれを行う。パスはない。",
    ),
    Rule::new(
        "sai.place-dice",
        "Put one to three dice of the supply on vacant spaces, one die a space.",
        "残っている賽子を1個から3個まで、空いたスペースに1つずつ置く。",
    ),
    Rule::new(
        "sai.take-duty",
        "Take one duty card that nobody owns; a seat may own several, or none.",
        "誰も持っていない担当カードを1枚取る。何枚持ってもよく、1枚もなくてもよい。",
    ),
    Rule::new(
        "sai.start-roll",
        "The owner of 1–3 rolls two dice: the die on the space with their sum is first, the others follow clockwise.",
        "「1〜3」の担当が賽子を二つ振り、和の番号のスペースの賽子から時計回りに積む。",
    ),
    Rule::new(
        "sai.stack",
        "The owner of 1–3 stacks the first three dice, the owner of 4 the fourth, and so on to 14.",
        "「1〜3」の担当が3個目まで、「4」の担当が4個目、と14個目まで順に積む。",
    ),
    Rule::new(
        "sai.clock",
        "Two minutes for dice 1 to 3 together, one minute for each later die; running out counts as a collapse.",
        "持ち時間は1〜3個目あわせて2分、以後1個につき1分。時間切れは崩したものとみなす。",
    ),
    Rule::new(
        "sai.one-hand",
        "One hand only; the stacker may touch any die.",
        "使ってよいのは片手のみ。自分の番にはどの賽子に触ってもよい。",
    ),
    Rule::new(
        "sai.collapse",
        "A collapse is when a stacked die other than the bottom one falls; it takes two stacked dice at least.",
        "積み上がった賽子のうち一番下以外の1個以上が落ちたら崩れたことになる（2個以上積まれていること）。",
    ),
    Rule::new(
        "sai.blame",
        "From taking a die until the next seat takes the next one, its stacker is to blame for a collapse.",
        "賽子を取ってから次の人が次の賽子を取るまでに崩れたら、その賽子を積んだ人の責任になる。",
    ),
    Rule::new(
        "sai.pause",
        "Before taking its die, from die 4 on, the stacker may ask for one pause of ten seconds; the blame moves at its end.",
        "4個目以降、賽子を取る前に一度だけ10秒の一時停止を要求できる。責任は一時停止の終わりに移る。",
    ),
    Rule::new(
        "sai.back-to-start",
        "The seat to blame goes back to the start and gets nothing this round.",
        "崩した人はスタートに戻り、この回は一切進めない。",
    ),
    Rule::new(
        "sai.complete",
        "When all fourteen dice stand, the owner of 14 moves 5 steps and nobody else moves.",
        "14個すべて積み上がったら「14」の担当だけが5マス進む。",
    ),
    Rule::new(
        "sai.early",
        "A fall at die 1 to 3: the owner of 4 moves 3 steps, the owner of 5 moves 1.",
        "3個目までに崩れたら「4」の担当が3マス、「5」の担当が1マス進む。",
    ),
    Rule::new(
        "sai.neighbours",
        "A fall at die n from 4 on: the owner of n−1 moves 4 steps, n+1 moves 3, n−2 moves 2, n+2 moves 1; 1–3 counts as 3.",
        "n個目（4以上）で崩れたら、n−1の担当が4、n+1が3、n−2が2、n+2が1マス進む。「1〜3」は3と数える。",
    ),
    Rule::new(
        "sai.goal",
        "After the scoring, seats at or beyond step 15 have reached the goal: they share the first place, all others the last.",
        "得点計算のあと15マス目以上に着いた人が全員1位、ほかは全員最下位で、ゲームは終わる。",
    ),
    Rule::new(
        "sai.next-round",
        "Else duties and dice go back, and the seat to blame begins, or the owner of 14 after a whole tower.",
        "誰も着いていなければ担当と賽子を戻し、崩した人（完成なら「14」の担当）の手番から次の回を始める。",
    ),
];

impl Game for Sainokawara {
    type Options = Options;
    type Action = Action;
    type Event = Event;
    type View = View;

    const FACTS: Facts = Facts {
        id: "sainokawara",
        name: Text::fixed("Sai no Kawara", "賽の河原"),
        seats: 3..=6,
        rules_version: 1,
        rules: RULES,
        dice: Some(1..=6),
        deck: false,
        levels: &[Level::Easy],
    };

    fn check(options: &Options, _seats: SeatCount, _script: &Script) -> Vec<Fault> {
        options.faults()
    }

    fn setup(options: &Arc<Options>, seats: SeatCount) -> Self {
        Self::new(options, seats)
    }

    fn start(&mut self, _context: &mut Context<'_>, log: &mut Vec<Event>) {
        self.emit(Event::RoundBegan { round: 1, seat: Seat::FIRST }, log);
    }

    fn to_act(&self) -> SeatSet {
        self.owing()
    }

    fn is_slow(&self) -> bool {
        !self.is_reported() && matches!(self.phase, state::Phase::Stacking(_))
    }

    fn may_act(&self, seat: Seat, action: &Action) -> bool {
        self.owing().contains(seat) || *action == Action::ReportCollapse {}
    }

    fn legal_actions(&self, seat: Seat, _inquiry: Inquiry<'_>, visit: Visit<'_, Action>) -> Completeness {
        if self.owing().contains(seat) { self.options_of_turn(visit) } else { self.options_of_others(visit) }
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
        self.take(event);
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.next_instant()
    }

    fn expire(&mut self, context: &mut Context<'_>, log: &mut Vec<Event>) {
        reported::expire(self, context.now, log);
    }

    fn view(&self, _viewer: Viewer) -> View {
        self.look()
    }

    fn redact(event: &Event, _viewer: Viewer) -> Event {
        event.clone()
    }

    fn at_rest(event: &Event) -> Option<&[Pose]> {
        event.poses()
    }

    fn outcome(&self) -> Option<Outcome> {
        let reached = scoring::at_goal(&self.track, self.seats);
        let arrived: arrayvec::ArrayVec<bool, { scoring::MOST_SEATS }> =
            self.seats.seats().map(|seat| reached.contains(seat)).collect();
        (!reached.is_empty()).then(|| Outcome::by_score(&arrived, "goal"))
    }

    fn advise(
        view: &View,
        seat: Seat,
        _options: &Options,
        legal: Vec<Action>,
        thinking: &mut Thinking<'_>,
    ) -> Vec<Advice<Action>> {
        bot::advise(view, seat, legal, thinking.random)
    }
}
