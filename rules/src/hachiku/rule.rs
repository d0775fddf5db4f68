//! The rules of 八築, each in one line.

use crate::text::Rule;

/// In the order of the rule text.
pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "hachiku.field",
        "All 46 letter cards lie open in the field; hands and captures are empty.",
        "46枚の文字カードをすべて表向きに並べて場とする。手札も獲得もゼロから始める。",
    ),
    Rule::new(
        "hachiku.choose-head",
        "Seat 1 takes any card of the field as the head letter; then seat 0 moves.",
        "後攻が場の好きな一枚を頭文字に決め、先攻から始める。",
    ),
    Rule::new(
        "hachiku.gather",
        "集: take one card of the field into the hand, which has no limit.",
        "集：場のカードを一枚手札に加える。手札に上限はない。",
    ),
    Rule::new(
        "hachiku.say",
        "発: say a word that begins with the head and goes on in cards of the hand.",
        "発：頭文字で始まり、続きが手札にある言葉を言う。",
    ),
    Rule::new("hachiku.min-length", "A word has at least two letters.", "言葉は二文字以上。"),
    Rule::new("hachiku.starts-with-head", "A word begins with the head letter.", "言葉は頭文字で始まる。"),
    Rule::new(
        "hachiku.distinct-letters",
        "No letter comes twice in a word: there is one card of each.",
        "同じ文字を二度使う言葉は作れない。カードは一文字一枚だから。",
    ),
    Rule::new(
        "hachiku.letters-in-hand",
        "All letters after the head are cards of the own hand.",
        "頭文字の後の文字はすべて自分の手札にある。",
    ),
    Rule::new(
        "hachiku.not-a-word",
        "A word is in the lexicon under the match's word policy, or among its extra words, and not banned.",
        "言葉は、この試合の品詞の取り決めで辞書にあるか追加の言葉であり、禁止されていない。",
    ),
    Rule::new(
        "hachiku.judge",
        "With unknown_words = ask the opponent accepts or refuses an unknown word; refused, the speaker keeps the turn.",
        "unknown_words が ask なら、辞書にない言葉を認めるかどうか相手が決める。認められなければ言った側の手番のまま。",
    ),
    Rule::new(
        "hachiku.capture",
        "A word captures all its letters but the last, which becomes the head; captures are never played again.",
        "最後の文字を除く全部を獲得し、最後の文字が次の頭文字になる。獲得した文字はもう使えない。",
    ),
    Rule::new(
        "hachiku.swap",
        "臨: put two cards of the hand back, then exchange the head for another card of the field.",
        "臨：手札を二枚場に戻し、頭文字を場の別の一枚と交換する。",
    ),
    Rule::new("hachiku.fold-marks", "Voiced and semi-voiced marks are ignored.", "濁点と半濁点は無視する。"),
    Rule::new("hachiku.fold-long", "ー is the vowel before it.", "長音は直前の母音に読みかえる。"),
    Rule::new("hachiku.fold-small", "Small kana count as large ones.", "小さい仮名は大きい仮名として扱う。"),
    Rule::new(
        "hachiku.zu",
        "ず and づ are spelled す or つ, each as the player likes.",
        "「ず」と「づ」は一つごとに「す」でも「つ」でもよい。",
    ),
    Rule::new(
        "hachiku.ambiguous-spelling",
        "A word that can be laid in several ways now has to be given by its letters.",
        "いま二通り以上に並べられる言葉は、どの文字で作るかをはっきりさせる。",
    ),
    Rule::new("hachiku.eight", "A word of eight letters or more wins at once.", "八文字以上の言葉を作れば即勝ち。"),
    Rule::new(
        "hachiku.target",
        "Reaching the target of captures wins at once, by a word of at least finish_min_length letters if that is set.",
        "獲得が目標に届けば即勝ち。finish_min_length を定めた試合では、届かせる言葉にその文字数が要る。",
    ),
    Rule::new(
        "hachiku.ends-with-n",
        "Any other word that ends in ん loses at once.",
        "それ以外で「ん」で終わる言葉を作れば即負け。",
    ),
    Rule::new(
        "hachiku.final-word",
        "When a gather empties the field, both seats give one last word or a pass in secret; then more captures win.",
        "集で場のカードがなくなったら、両者が同じ頭文字から最後の言葉（またはパス）を伏せて出し、獲得の多い方が勝つ。",
    ),
    Rule::new(
        "hachiku.move-cap",
        "After max_turns turns more captures win; equal captures are a draw.",
        "max_turns 回の手番で終わらなければ獲得の多い方が勝ち、同数なら引き分け。",
    ),
];
