//! Why an action is refused, and what would be right instead.

use serde_json::Value;

use super::actions::Action;
use super::cards::Card;
use super::hand::Hand;
use super::state::{Phase, Step};
use crate::seat::Seat;
use crate::text::{Refusal, Text};

fn names(cards: impl IntoIterator<Item = Card>) -> Value {
    cards.into_iter().map(|card| Value::from(card.name())).collect()
}

/// Anything but the discard that the deal asks for.
pub fn opening(hand: &Hand) -> Refusal {
    Refusal::new(
        "sal.deal",
        Text::fixed(
            "You were dealt two cards of the same kind: discard one of them first.",
            "配られた2枚が同じ種類です。まずどちらか一方を捨ててください。",
        ),
    )
    .with("candidates", names(hand.surplus()))
}

/// A card that cannot go.
pub fn discard(hand: &Hand, card: Card, phase: Phase) -> Refusal {
    let rule = match phase {
        Phase::Opening { .. } => "sal.deal",
        _ if hand.repeated_kind().is_some() => "sal.one-per-kind",
        _ => "sal.hand-limit",
    };
    let candidates: Vec<_> = hand.surplus().collect();
    let english = candidates.iter().map(|card| card.name()).collect::<Vec<_>>().join(", ");
    let japanese = candidates.iter().map(|card| card.japanese()).collect::<Vec<_>>().join("、");
    let (fault, fault_ja) = if hand.has(card) {
        ("it is the only one of its kind", "は重なっていない種類のカードです")
    } else {
        ("you do not hold it", "は手札にありません")
    };
    Refusal::new(
        rule,
        Text::new(
            format!("{} cannot be discarded, {fault}. Discard one of: {english}.", card.name()),
            format!("{}{fault_ja}。次のうち1枚を捨ててください：{japanese}。", card.japanese()),
        ),
    )
    .with("candidates", names(candidates))
}

/// A room that does not agree with the hand.
pub fn room(hand: &Hand) -> Refusal {
    Refusal::new(
        "sal.picture-stone",
        Text::fixed(
            "The room must agree with every card you hold: its element, stone and number are yours where you have such a card.",
            "石は、持っているすべてのカードと合う部屋に置きます（元素・石・数字のうち、手札にあるものはその通りに）。",
        ),
    )
    .with("hand", names(hand.cards().iter().copied()))
}

/// Entering home by a wrong count.
pub fn enter_home(steps: u8, needed: Option<u8>) -> Refusal {
    match needed {
        Some(needed) => Refusal::new(
            "sal.enter-home",
            Text::new(
                format!("Entering your home takes exactly {needed}, and this would move {steps}. Set enter_home to false to walk on."),
                format!("出発地に入るにはちょうど{needed}が必要で、この移動は{steps}です。通り過ぎるなら enter_home を false にしてください。"),
            ),
        )
        .with("needed", needed),
        None => Refusal::new(
            "sal.enter-home",
            Text::fixed(
                "Your piece is not on the road, so it cannot enter its home. Set enter_home to false.",
                "駒は道の上にいないので、出発地に入れません。enter_home を false にしてください。",
            ),
        ),
    }
}

/// A question that the place does not allow.
pub fn ask(host: Option<Seat>, asked: bool) -> Refusal {
    let text = match (asked, host) {
        (true, _) => Text::fixed(
            "Each throw allows one question, and you have asked it.",
            "質問は1回振るごとに1つまでで、もう質問しました。",
        ),
        (false, Some(host)) => Text::new(
            format!("Standing here you may ask seat {host} alone."),
            format!("ここで質問できる相手は席{host}だけです。"),
        ),
        (false, None) => Text::fixed(
            "A question needs your piece on one of the five squares before another seat's home.",
            "質問できるのは、駒が他の席の前の5マスに止まっているときだけです。",
        ),
    };
    Refusal::new("sal.ask", text)
}

/// A question from jail to nobody else.
pub fn jail_ask() -> Refusal {
    Refusal::new(
        "sal.jail-ask",
        Text::fixed(
            "From jail you may ask any other seat of the table.",
            "牢からは、自分以外のどの席にも質問できます。",
        ),
    )
}

/// An announcement where none can be made.
pub fn announce_here(hand: &Hand) -> Refusal {
    let text = if hand.is_empty() {
        Text::fixed(
            "You have no card to show; an announcement needs at least one of your own.",
            "手札がありません。発表には自分のカードが1枚以上必要です。",
        )
    } else {
        Text::fixed(
            "Announcements are made from home: enter it by exact count first.",
            "発表は出発地で行います。まずちょうどの目で出発地に入ってください。",
        )
    };
    Refusal::new("sal.announce", text)
}

/// Cards that make no set.
pub fn set(rule: &'static str, hand: &Hand) -> Refusal {
    Refusal::new(
        rule,
        Text::fixed(
            "Your whole hand (one or two cards) and the cards you name at other seats must be one element, one stone and one number.",
            "自分の手札全部（1枚か2枚）と、他の席の名指ししたカードとで、元素・石・数字が1枚ずつになる必要があります。",
        ),
    )
    .with("hand", names(hand.cards().iter().copied()))
}

/// An action that is not what the turn asks for now.
pub fn untimely(step: Step, action: &Action) -> Refusal {
    let (rule, text) = match (step, action) {
        (Step::Act { .. }, Action::Throw {}) => (
            "sal.doubles",
            Text::fixed(
                "Only equal numbers allow another throw: ask, announce or end the turn.",
                "もう一度振れるのは2本の数が同じときだけです。質問か発表をするか、手番を終えてください。",
            ),
        ),
        (Step::Act { .. }, _) => (
            "sal.move",
            Text::fixed(
                "This throw has been moved already: ask, announce or end the turn, or throw again after equal numbers.",
                "この目での移動は済んでいます。質問か発表をするか、手番を終えてください（同じ数ならもう一度振れます）。",
            ),
        ),
        (Step::Throw, Action::ThrowKeys {}) => (
            "sal.keys",
            Text::fixed(
                "Only in jail you throw for keys; throw the sticks with `throw`.",
                "鍵のために振るのは牢の中だけです。`throw` で振ってください。",
            ),
        ),
        (Step::Throw, _) => (
            "sal.move",
            Text::fixed("The turn begins with a throw of the sticks.", "手番はまず杖を振ることから始まります。"),
        ),
        (Step::Jail, _) => (
            "sal.keys",
            Text::fixed(
                "In jail a turn is one of: throw_keys, ask, announce, end_turn.",
                "牢では throw_keys、ask、announce、end_turn のうち1つだけができます。",
            ),
        ),
        (Step::Discard { .. }, _) => (
            "sal.hand-limit",
            Text::fixed("You drew a card too many: discard one first.", "カードが多すぎます。まず1枚捨ててください。"),
        ),
        (Step::PlaceStone { .. }, _) => (
            "sal.picture-stone",
            Text::fixed(
                "The stick shows a stone: place your marker first.",
                "石の絵が出ています。まず自分の石を置いてください。",
            ),
        ),
        (Step::Move { .. }, _) => (
            "sal.move",
            Text::fixed("Move your piece by the sum or the difference first.", "まず和か差で駒を動かしてください。"),
        ),
    };
    Refusal::new(rule, text)
}
