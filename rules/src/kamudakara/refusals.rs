//! What a refused action is told: the rule it breaks, and how to mend it.

use serde_json::json;

use super::actions::Action;
use super::cards::{Blessing, Card, Cards};
use super::state::{Kamudakara, Phase, Step};
use crate::seat::{Seat, SeatCount};
use crate::text::{Refusal, Text};

/// Another kind of action is owed.
pub(super) fn not_now(game: &Kamudakara, action: &Action) -> Refusal {
    let (rule, en, ja) = match &game.phase {
        Phase::Opening { .. } => (
            "kd.opening",
            "The round begins with `choose_opening`: two hand cards for your storehouse.",
            "まず choose_opening で手札から倉に納める2枚を選んでください。",
        ),
        Phase::Ritual { .. } => (
            "kd.ritual",
            "You have drawn two cards: say with `ritual_keep` which one you keep and where the other goes.",
            "神事で2枚引いています。ritual_keep で手札に残す1枚と、もう1枚の戻し先を決めてください。",
        ),
        Phase::Offer(_) => (
            "kd.rite",
            "A card is offered to you: answer with `rite_choose`, taking shown, hidden or treasure.",
            "祭祀の札が差し出されています。rite_choose で shown、hidden、treasure のどれかを選んでください。",
        ),
        Phase::Order(_) => (
            "kd.rite",
            "The treasure was taken: say with `blessing_order` which blessing you receive first.",
            "神宝が選ばれました。blessing_order で先に受ける加護を決めてください。",
        ),
        Phase::Blessing(reception) => match (reception.step, reception.blessing) {
            (Step::Declare, _) => (
                "kd.demon-wild",
                "Say with `use_demons` how many of your face-up demons count for this blessing.",
                "この加護で使う表向きの鬼札の枚数を use_demons で宣言してください。",
            ),
            (Step::Give { count }, _) => (
                reception.rule_of_giving(count),
                "Say with `give_demons` to which seats the demons used go.",
                "使った鬼札を納める他国の席を give_demons で決めてください。",
            ),
            (_, Blessing::Benevolence) => (
                "kd.benevolence",
                "You have drawn by 仁: put as many hand cards face down with `veil`.",
                "仁で引いた枚数と同じだけ、veil で手札から形代を納めてください。",
            ),
            (_, Blessing::Courage | Blessing::Wisdom) => (
                "kd.wisdom",
                "You receive 知: put hand cards face up into your storehouse with `store`.",
                "知の加護を受けています。store で手札から倉へ納めてください。",
            ),
        },
        Phase::Turn | Phase::Dealing | Phase::Rite(_) | Phase::RoundOver | Phase::Over => (
            rule_of(action),
            "A turn is one of `ritual`, `rite`, `memorial` and `memorial_store`.",
            "手番に行えるのは ritual、rite、memorial、memorial_store のどれか一つです。",
        ),
    };
    Refusal::new(rule, Text::fixed(en, ja))
}

/// The rule that says when such an action is made.
const fn rule_of(action: &Action) -> &'static str {
    match action {
        Action::ChooseOpening { .. } => "kd.opening",
        Action::Ritual {} | Action::RitualKeep { .. } => "kd.ritual",
        Action::Rite { .. } | Action::RiteChoose { .. } | Action::BlessingOrder { .. } => "kd.rite",
        Action::Memorial { .. } | Action::MemorialStore {} => "kd.memorial",
        Action::UseDemons { .. } | Action::GiveDemons { .. } => "kd.demon-wild",
        Action::Store { .. } => "kd.wisdom",
        Action::Veil { .. } => "kd.benevolence",
    }
}

pub(super) fn not_two_of_hand(hand: Cards) -> Refusal {
    Refusal::new(
        "kd.opening",
        Text::fixed(
            "Choose exactly two cards that your hand holds; to name a kind twice you need two of it.",
            "手札にある札からちょうど2枚を選んでください（同じ種類を2枚選ぶには2枚必要です）。",
        ),
    )
    .with("hand", json!(hand))
}

pub(super) fn not_drawn(drawn: Cards) -> Refusal {
    Refusal::new(
        "kd.ritual",
        Text::fixed("Keep one of the two cards that you have drawn.", "引いた2枚のうちの1枚を残してください。"),
    )
    .with("drawn", json!(drawn))
}

pub(super) fn demon_offered() -> Refusal {
    Refusal::new(
        "kd.rite",
        Text::fixed(
            "A demon cannot be offered: choose a sword, a mirror or a jewel.",
            "鬼札は差し出せません。剣、鏡、玉の神札を選んでください。",
        ),
    )
}

pub(super) fn offered_not_in_hand(card: Card, hand: Cards) -> Refusal {
    let name = card.name();
    Refusal::new(
        "kd.rite",
        Text::new(
            format!("Your hand holds no {name}: offer a treasure card that it holds."),
            format!("手札に {name} はありません。手札にある神札を差し出してください。"),
        ),
    )
    .with("hand", json!(hand))
}

/// A seat was named that is the own or that the table does not have.
pub(super) fn no_other_seat(rule: &'static str, seats: SeatCount, own: Seat) -> Refusal {
    let others: Vec<_> = seats.seats().filter(|&seat| seat != own).collect();
    Refusal::new(rule, Text::fixed("Name another seat of this table.", "この卓の、自分以外の席を指定してください。"))
        .with("candidates", json!(others))
}

pub(super) fn no_demon_in_hand() -> Refusal {
    Refusal::new(
        "kd.memorial",
        Text::fixed(
            "A memorial needs a demon in your hand; perform a ritual or a rite instead.",
            "慰霊には手札の鬼札が必要です。神事か祭祀を行ってください。",
        ),
    )
}

pub(super) fn not_of_the_card(blessings: [Blessing; 2]) -> Refusal {
    Refusal::new(
        "kd.rite",
        Text::fixed(
            "Name one of the two blessings of the card that you offered.",
            "差し出した札の二つの加護のどちらかを指定してください。",
        ),
    )
    .with("candidates", json!(blessings))
}

pub(super) fn too_many_demons(most: u8, open: u8) -> Refusal {
    let text = if most < open {
        Text::new(
            format!("With more than {most} demons your hand would be too small for this 知: declare at most {most}."),
            format!("鬼札を{most}枚より多く使うと手札が足りず知が無効になります。{most}枚以下にしてください。"),
        )
    } else {
        Text::new(
            format!("Your storehouse has {open} face-up demons: declare at most {most}."),
            format!("倉の表向きの鬼札は{open}枚です。{most}枚以下にしてください。"),
        )
    };
    Refusal::new("kd.demon-wild", text).with("most", most)
}

pub(super) fn not_so_many_of_hand(blessing: Blessing, count: u8, hand: Cards) -> Refusal {
    let rule = match blessing {
        Blessing::Benevolence => "kd.benevolence",
        Blessing::Courage | Blessing::Wisdom => "kd.wisdom",
    };
    Refusal::new(
        rule,
        Text::new(
            format!("Choose exactly {count} cards that your hand holds."),
            format!("手札にある札からちょうど{count}枚を選んでください。"),
        ),
    )
    .with("count", count)
    .with("hand", json!(hand))
}

pub(super) fn not_so_many_seats(rule: &'static str, count: u8) -> Refusal {
    Refusal::new(
        rule,
        Text::new(
            format!("Name one seat for each of the {count} demons; a seat may be named more than once."),
            format!("{count}枚の鬼札それぞれの行き先を指定してください（同じ席を重ねて指定できます）。"),
        ),
    )
    .with("count", count)
}
