//! The built-in bot is worth playing against, and is told no more than its seat may know.

use super::*;
use crate::game::{Advice, Level, Thinking};

fn advice(table: &Table, number: u8, random: &mut Chance) -> Vec<Advice<Action>> {
    let mut thinking = Thinking { level: Level::Easy, lexicon: &Lexicon::empty(), random };
    Kamudakara::advise(&table.view(number), seat(number), &table.game.options, table.legal(number), &mut thinking)
}

#[test]
fn it_ranks_every_legal_action_by_a_chance_to_win() {
    let table = Table::bare(3).hand(0, "smd").hand(1, "j").open(0, "smmd").deck("smdj");
    let advice = advice(&table, 0, &mut random(1));
    assert_eq!(advice.len(), table.legal(0).len());
    assert!(advice.iter().all(|advice| (0.0..=1.0).contains(&advice.value)));
    assert!(advice.is_sorted_by(|a, b| a.value >= b.value));
}

#[test]
fn it_stores_what_scores_most_and_gives_demons_to_who_is_behind() {
    let mut table = Table::bare(3).hand(0, "dsjm").hand(1, "jjjj").hand(2, "j").open(0, "msss").deck("smdj");
    table.act(0, &Action::Memorial { blessing: crate::kamudakara::Blessing::Wisdom });
    let best = |table: &Table| advice(table, 0, &mut random(1)).swap_remove(0).action;
    assert_eq!(best(&table), store("s"));
    table.act(0, &store("s"));
    assert_eq!(best(&table), give(&[2]));
}

#[test]
fn it_wins_most_matches_against_random_play() {
    let mut choices = random(7);
    let won = (0..60).filter(|&seed| {
        let mut table = Table::dealt(2, Options::default(), "");
        table.chance = random(seed);
        let bot = seed % 2;
        while let Some(&number) = table.owing().first() {
            let action = if number == bot {
                advice(&table, number, &mut choices).swap_remove(0).action
            } else {
                let mut legal = table.legal(number);
                legal.swap_remove(choices.below(legal.len() as u32) as usize)
            };
            table.act(number, &action);
        }
        table.game.outcome().expect("it is over").winners.contains(&seat(bot))
    });
    let won = won.count();
    assert!(won >= 48, "{won} of 60");
}
