//! What a summary says is what the records of the same matches say.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::history::{Tallies, count, settled, some_matches, tallies};
use crate::play::GAMES;
use crate::server::{Match, Server};

async fn records(matches: &[Match<'_>]) -> Vec<Value> {
    let mut records = Vec::new();
    for table in matches {
        records.push(table.server.get(&format!("{}/record", table.path), None).await.expect(200));
    }
    records
}

/// Seconds since 1970.
fn time(text: &Value) -> f64 {
    let time: jiff::Timestamp = text.as_str().unwrap().parse().unwrap();
    time.as_millisecond() as f64 / 1000.0
}

#[actix_web::test]
async fn a_summary_is_what_the_records_say() {
    let server = Server::start().await;
    for (game, seats) in GAMES {
        let matches = some_matches(&server, game, seats).await;
        let path = format!("/v1/analytics/{game}/summary");
        let summary = settled(&server, &path, matches.len()).await;
        let records = records(&matches).await;

        let (mut wins, mut reasons, mut lengths, mut durations) = (Tallies::new(), Tallies::new(), 0, 0.0);
        let mut deciders = [0, 0];
        for record in &records {
            for seat in 0..seats {
                count(&mut wins, seat.to_string(), record["outcome"]["ranks"][seat] == 1);
            }
            count(&mut reasons, record["outcome"]["reason"].as_str().unwrap(), true);
            let steps = record["steps"].as_array().unwrap();
            lengths += steps.iter().filter(|step| step["action"].is_object()).count();
            durations += time(&steps.last().unwrap()["at"]) - time(&steps[0]["at"]);
            deciders[0] +=
                steps.iter().filter(|step| step["cause"] == "action" && step["action"]["type"] != "resign").count();
            deciders[1] += steps.iter().filter(|step| step["cause"] == "bot").count();
        }
        assert_eq!(tallies(&summary["seats"]), wins, "{game}");
        let shares = tallies(&summary["reasons"]);
        assert_eq!(shares.len(), reasons.len(), "{game}");
        for (reason, (n, _)) in reasons {
            assert_eq!(shares[&reason], (matches.len() as i64, n), "{game} {reason}");
        }
        let mean = |spread: &Value| spread["mean"].as_f64().unwrap();
        let of = matches.len() as f64;
        assert!((mean(&summary["length"]) - lengths as f64 / of).abs() < 1e-9, "{game}");
        assert!((mean(&summary["duration_s"]) - durations / of).abs() < 2e-3 * of, "{game}");
        assert_eq!(summary["decision_s"]["bot"]["n"], deciders[1], "{game}");
        // A seat may resign when it owes nothing; then no time is taken.
        let human = summary["decision_s"]["human"]["n"].as_u64().unwrap() as usize;
        assert!((deciders[0]..=deciders[0] + 2 * matches.len() * seats).contains(&human), "{game} {human}");
        let first: i64 = tallies(&summary["first_moves"]).values().map(|(n, _)| n).sum();
        assert_eq!(first, matches.len() as i64, "{game}");
        figures_agree(game, &summary["figures"], &records);
    }
}

/// What is counted of a game's own, by figure.
#[derive(Default)]
struct Found(BTreeMap<&'static str, Tallies>);

impl Found {
    fn tally(&mut self, figure: &'static str, key: &Value, hit: bool) {
        let key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
        count(self.0.entry(figure).or_default(), key, hit);
    }

    /// The rates of a figure whose keys share one whole.
    fn shares(&mut self, figure: &'static str) -> Tallies {
        let found = self.0.remove(figure).unwrap_or_default();
        let all = found.values().map(|(n, _)| n).sum();
        found.into_iter().map(|(key, (n, _))| (key, (all, n))).collect()
    }
}

/// The figures of a game's own against what its records say.
fn figures_agree(game: &str, figures: &Value, records: &[Value]) {
    let mut found = Found::default();
    let mut jail_turns = Vec::new();
    for record in records {
        match game {
            "hachiku" => words(record, &mut found),
            "twenty_one" => rolls(record, &mut found),
            "kamudakara" => offers(record, &mut found),
            "salamander" => jail_turns.extend(claims(record, &mut found)),
            _ => towers(record, &mut found),
        }
    }
    let rates = |figure: &str| tallies(&figures[figure]["rates"]);
    for figure in ["jailed_for", "jail_ended_by", "towers"] {
        if figures[figure].is_object() {
            assert_eq!(rates(figure), found.shares(figure), "{game} {figure}");
        }
    }
    if game == "salamander" {
        let values = &figures["jail_turns"]["values"];
        assert_eq!(values["n"], jail_turns.len());
        if !jail_turns.is_empty() {
            let mean = jail_turns.iter().sum::<u64>() as f64 / jail_turns.len() as f64;
            assert!((values["mean"].as_f64().unwrap() - mean).abs() < 1e-9, "{values} {jail_turns:?}");
        }
    }
    if game == "twenty_one" {
        // How often there was a choice is known; which was the best is the bot's affair.
        let choices = |figure| rates(figure).into_iter().map(|(total, (n, _))| (total, n));
        assert!(choices("optimum").eq(choices("choices")));
    }
    for (figure, expected) in found.0 {
        let got = rates(figure);
        if figure == "words" {
            assert!(got.iter().all(|(word, tally)| expected[word] == *tally), "{figure}: {got:?}");
            assert_eq!(got.len(), expected.len().min(50));
        } else {
            assert_eq!(got, expected, "{game} {figure}");
        }
    }
}

fn events(record: &Value) -> impl Iterator<Item = &Value> {
    record["steps"].as_array().unwrap().iter().flat_map(|step| step["events"].as_array().unwrap())
}

fn words(record: &Value, found: &mut Found) {
    let mut said = |seat: &Value, word: &Value| {
        let won = record["outcome"]["winners"].as_array().unwrap().contains(seat);
        let letters = word["letters"].as_str().unwrap();
        found.tally("words", &json!(letters), won);
        found.tally("heads", &json!(letters.chars().next().unwrap().to_string()), won);
        found.tally("word_lengths", &json!(letters.chars().count()), won);
    };
    for event in events(record) {
        match event["type"].as_str().unwrap() {
            "said" => said(&event["seat"], &event["word"]),
            "finals_revealed" => {
                for (seat, choice) in event["choices"].as_array().unwrap().iter().enumerate() {
                    if choice["word"].is_object() {
                        said(&json!(seat), &choice["word"]);
                    }
                }
            }
            _ => {}
        }
    }
    let mut put = Value::Null;
    for event in events(record) {
        match event["type"].as_str().unwrap() {
            "put" => put = event["word"]["letters"].clone(),
            "judged" => found.tally("refused_words", &put, event["accept"] == false),
            _ => {}
        }
    }
}

fn rolls(record: &Value, found: &mut Found) {
    /// What a seat has done in a game: its rolls, its total, whether it stopped.
    type Run = (u64, u64, bool);
    let mut runs: BTreeMap<u64, Run> = BTreeMap::new();
    let mut sudden_death = false;
    for step in record["steps"].as_array().unwrap() {
        let kind = step["action"]["type"].as_str().unwrap_or_default();
        if let Some((rolls, total, _)) = step["seat"].as_u64().and_then(|seat| runs.get(&seat))
            && *rolls >= 3
            && !sudden_death
            && ["roll", "stop"].contains(&kind)
        {
            found.tally("choices", &json!(total), kind == "stop");
        }
        for event in step["events"].as_array().unwrap() {
            match event["type"].as_str().unwrap() {
                "game_began" => (runs, sudden_death) = (BTreeMap::new(), false),
                "sudden_death_began" => sudden_death = true,
                "rolled" => {
                    let (rolls, total, _) = runs.entry(event["seat"].as_u64().unwrap()).or_default();
                    let after = event["total"].as_u64().unwrap();
                    if *rolls >= 3 {
                        found.tally("rolls", &json!(total), after > 21);
                    }
                    (*rolls, *total) = (*rolls + 1, after);
                }
                "stopped" => runs.entry(event["seat"].as_u64().unwrap()).or_default().2 = true,
                "game_won" | "game_drawn" | "pot_kept" => {
                    for (seat, (rolls, total, stopped)) in &runs {
                        let shares = event["seats"].as_array().is_some_and(|seats| seats.contains(&json!(seat)));
                        found.tally("busts", &json!(rolls), *total > 21);
                        if *stopped {
                            found.tally("stops", &json!(total), shares || event["seat"] == *seat);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn offers(record: &Value, found: &mut Found) {
    let mut offer = &Value::Null;
    for event in events(record) {
        match event["type"].as_str().unwrap() {
            "offered" => offer = event,
            "offer_taken" => {
                let sides = &record["options"]["faces"][offer["card"].as_str().unwrap()];
                let hidden = &sides[usize::from(offer["side"] == "left")];
                found.tally("shown_blessings", &offer["shown"], event["take"] == "shown");
                found.tally("hidden_blessings", hidden, event["take"] == "hidden");
                found.tally("treasures", &offer["card"], event["take"] == "treasure");
            }
            _ => {}
        }
    }
}

/// The turns of each stay in jail that ended before the match did.
fn claims(record: &Value, found: &mut Found) -> Vec<u64> {
    let (mut jailed, mut stays) = (BTreeMap::new(), Vec::new());
    for event in events(record) {
        let seat = event["seat"].as_u64();
        match event["type"].as_str().unwrap() {
            "announced" => {
                let claims = event["claims"].as_array().unwrap().len();
                found.tally("announcements", &json!(claims), event["points"].is_u64());
            }
            "keys_thrown" => {
                let last: Vec<Vec<Value>> = serde_json::from_value(event["throws"].clone()).unwrap();
                let sticks = [1, 1, 4].into_iter().enumerate();
                let keys = sticks.filter(|(stick, key)| last.iter().any(|faces| faces[*stick] == *key)).count();
                found.tally("keys", &json!("three"), keys == 3);
            }
            "jailed" => {
                assert_eq!(jailed.insert(seat, 0), None, "{event}");
                found.tally("jailed_for", &event["reason"], true);
            }
            "freed" => {
                stays.push(jailed.remove(&seat).unwrap());
                found.tally("jail_ended_by", &event["reason"], true);
            }
            "turn_ended" => {
                if let Some(turns) = jailed.get_mut(&seat) {
                    *turns += 1;
                }
            }
            _ => {}
        }
    }
    for _ in jailed {
        found.tally("jail_ended_by", &json!("match_end"), true);
    }
    stays
}

fn towers(record: &Value, found: &mut Found) {
    let mut order = &Value::Null;
    for event in events(record) {
        let (dice, fell) = match event["type"].as_str().unwrap() {
            "start_rolled" => {
                order = &event["order"];
                continue;
            }
            "tower_fell" => (event["number"].as_u64().unwrap() as usize, true),
            "tower_completed" => (order.as_array().unwrap().len(), false),
            _ => continue,
        };
        let end = if fell { event["cause"].clone() } else { json!("complete") };
        found.tally("towers", &end, true);
        for number in 1..=dice {
            let falls = fell && number == dice;
            found.tally("falls_by_number", &json!(number), falls);
            found.tally("falls_by_die", &order[number - 1], falls);
        }
    }
}
