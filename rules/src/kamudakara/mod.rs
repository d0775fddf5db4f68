//! カムダカラ (kamudakara): hide half a card, share its blessings.
//!
//! The rules are in `docs/rules/kamudakara.md`, and how the gaps of the publisher's text are settled.

mod actions;
mod bot;
mod cards;
mod events;
mod fits;
mod flow;
mod fold;
mod legal;
mod options;
mod refusals;
mod state;
mod view;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use actions::{Action, End, Recipients, Take};
pub use cards::{Blessing, Card, Cards, Treasure};
pub use events::Event;
pub use options::{Faces, Options, Side};
pub use state::Kamudakara;
pub use view::{BlessingView, OfferView, PhaseName, StorehouseView, View};

use crate::chance::Script;
use crate::game::{Advice, Completeness, Context, Facts, Game, Inquiry, Level, Thinking, Visit};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatCount, SeatSet, Viewer};
use crate::text::{Fault, Refusal, Rule, Text};

const RULES: &[Rule] = &[
    Rule::new(
        "kd.faces",
        "A treasure card has its treasure in the middle and two blessings at its sides: sword wisdom|benevolence, mirror courage|benevolence, jewel courage|wisdom, unless option `faces` says otherwise.",
        "神札は中央に神宝、左右に異なる加護を持つ。既定では剣が知と仁、鏡が勇と仁、玉が勇と知（オプション faces で変更できる）。",
    ),
    Rule::new(
        "kd.deal",
        "Each seat gets a demon; of the other cards, shuffled, the first seat gets 4 (of 2 seats), 3 (of 3) or 2 (of 4), and each next seat one more. The rest is the deck.",
        "各席に鬼札1枚を配り、残りを混ぜて1番手に4枚（二人）、3枚（三人）、2枚（四人）、以降の席には1枚ずつ多く配る。余りが山札になる。",
    ),
    Rule::new(
        "kd.opening",
        "All seats choose two hand cards in secret; they are turned up together in the storehouses. Then the first seat begins.",
        "全員が手札から2枚を伏せて選び、一斉に表にして倉に納める。その後1番手から始める。",
    ),
    Rule::new(
        "kd.ritual",
        "Ritual: draw two, keep one, put the other on the top or the bottom of the deck. The last single card stays in the hand and ends the round.",
        "神事：山札から2枚引き、1枚を手札に、もう1枚を山札の上か底に戻す。1枚しか引けなければ手札に加えてゲーム終了となる。",
    ),
    Rule::new(
        "kd.rite",
        "Rite: offer a treasure card with one blessing showing. The other seat takes either blessing or the treasure; then the offering seat receives every blessing left, and the treasure goes to the storehouse of its owner.",
        "祭祀：片側の加護だけを見せて神札を差し出す。相手は加護のどちらかか神宝を選んで受け、続いて手番の席が残りの加護をすべて受け、最後に神宝を所有者の倉に納める。",
    ),
    Rule::new(
        "kd.memorial",
        "Memorial: with a demon of the hand either receive any blessing, after which the demon goes face down to another seat, or store the demon face up.",
        "慰霊：手札の鬼札で、好きな加護を一つ受けてからその鬼札を他国の倉に形代として納めるか、自分の倉に表向きに納める。",
    ),
    Rule::new(
        "kd.courage",
        "Courage: draw as many cards as there are swords face up in the storehouse.",
        "勇：倉の剣と同数の札を山札から引く。",
    ),
    Rule::new(
        "kd.wisdom",
        "Wisdom: put exactly as many hand cards face up as there are mirrors; with a smaller hand nothing happens. Treasures stored so give no blessing.",
        "知：倉の鏡と同数の手札を表向きに倉へ納める。手札が足りなければ無効。こうして納めた神宝の加護は発生しない。",
    ),
    Rule::new(
        "kd.benevolence",
        "Benevolence: draw as many cards as there are jewels, then put as many hand cards as were drawn face down.",
        "仁：倉の玉と同数の札を引き、引いた枚数と同じだけ手札から形代として倉に納める。",
    ),
    Rule::new(
        "kd.demon-wild",
        "Before a blessing its receiver may declare face-up demons of the own storehouse: each counts as a treasure more, and goes face down to another seat afterwards. It may not void a wisdom so.",
        "加護を受ける前に、自分の倉の表向きの鬼札を何枚使うか宣言できる。1枚が神宝1つ分となり、受けた後に他国の倉へ形代として納める。知を無効にする宣言はできない。",
    ),
    Rule::new(
        "kd.short-deck",
        "When the deck runs out during a draw, what there is is drawn; benevolence then veils only as many.",
        "引く途中で山札が尽きたらある分だけ引き、仁で納めるのも引いた枚数だけになる。",
    ),
    Rule::new(
        "kd.end",
        "The round ends at the end of the turn in which the deck ran out.",
        "山札が尽きたターンの終了時にゲーム終了となる。",
    ),
    Rule::new(
        "kd.score",
        "A hand card is worth 1, a face-down card 2, and the treasures of a kind face up the square of their number; demons face up nothing.",
        "手札1枚は1点、形代1枚は2点、表向きの神宝は種類ごとに枚数の2乗。表向きの鬼札は0点。",
    ),
    Rule::new(
        "kd.tie",
        "Equal highest scores share the win. In a series of rounds the points add up, and each round begins with the next seat.",
        "最高点が同じなら勝ちを分け合う。複数回戦では点を合計し、回ごとに次の席が1番手になる。",
    ),
];

impl Game for Kamudakara {
    type Options = Options;
    type Action = Action;
    type Event = Event;
    type View = View;

    const FACTS: Facts = Facts {
        id: "kamudakara",
        name: Text::fixed("Kamudakara", "カムダカラ"),
        seats: 2..=4,
        rules_version: 1,
        rules: RULES,
        dice: None,
        deck: true,
        levels: &[Level::Easy],
    };

    fn check(options: &Options, seats: SeatCount, script: &Script) -> Vec<Fault> {
        options::check(options, seats, script)
    }

    fn setup(options: &Arc<Options>, seats: SeatCount) -> Self {
        Self::new(options, seats)
    }

    fn start(&mut self, context: &mut Context<'_>, log: &mut Vec<Event>) {
        self.proceed(context, log);
    }

    fn to_act(&self) -> SeatSet {
        self.deciding()
    }

    fn is_simultaneous(&self) -> bool {
        self.is_opening()
    }

    fn legal_actions(&self, seat: Seat, _inquiry: Inquiry<'_>, visit: Visit<'_, Action>) -> Completeness {
        // Who breaks off has seen enough: the enumeration itself leaves nothing out.
        let _ = self.visit_legal(seat, visit);
        Completeness::Complete
    }

    fn apply(
        &mut self,
        seat: Seat,
        action: &Action,
        context: &mut Context<'_>,
        log: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let event = self.judge(seat, action)?;
        self.emit(event, log);
        self.proceed(context, log);
        Ok(())
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
        event.redacted(viewer)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome::by_score(&self.points[..self.seats.get()], "deck_empty"))
    }

    fn advise(
        view: &View,
        seat: Seat,
        _options: &Options,
        legal: Vec<Action>,
        thinking: &mut Thinking<'_>,
    ) -> Vec<Advice<Action>> {
        bot::advise(view, seat, legal, thinking)
    }
}

impl Kamudakara {
    /// Everything that follows without a decision.
    fn proceed(&mut self, context: &mut Context<'_>, log: &mut Vec<Event>) {
        while let Some(event) = self.follows(context.chance) {
            self.emit(event, log);
        }
    }
}
