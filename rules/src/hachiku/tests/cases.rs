//! The plain table of what is allowed and what is not.

use super::*;

#[test]
fn cases_hold() {
    let table = include_str!("../cases.csv");
    let rows: Vec<_> = table.lines().filter(|line| !line.starts_with('#')).collect();
    for row in &rows {
        let [head, hand, action, rule, comment] = <[&str; 5]>::try_from(row.split(';').collect::<Vec<_>>()).expect(row);
        let mut game = turn(Options::default(), head, [hand, ""]);
        let broken = act(&mut game, FIRST, &read(action)).err().map_or("", |refusal| refusal.rule);
        assert_eq!(broken, rule, "{action} with head {head} and hand {hand}: {comment}");
    }
    assert!(rows.len() >= 35);
}
