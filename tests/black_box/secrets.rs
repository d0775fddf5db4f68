//! What a seat may not know is in none of its answers: checked against what is open after the end.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::play::Random;
use crate::server::{Match, Server};

/// An event's fields that only its own seat may see, by game and type.
fn hidden_fields(game: &str, kind: &str) -> &'static [&'static str] {
    match (game, kind) {
        ("hachiku", "final_given") => &["choice"],
        ("kamudakara", "opening_chosen" | "ritual_drawn" | "drew" | "veiled") | ("salamander", "dealt") => &["cards"],
        ("kamudakara", "ritual_kept") => &["kept", "returned"],
        ("kamudakara", "offered") => &["card", "side"],
        ("salamander", "drew") => &["card"],
        ("salamander", "asked") => &["answer"],
        _ => &[],
    }
}

/// What one viewer was told while the match was played.
struct Witness {
    /// The seat; none for the public.
    seat: Option<usize>,
    views: Vec<Value>,
    events: Vec<Value>,
    /// Every answer, as it came.
    texts: Vec<String>,
}

impl Witness {
    async fn look(&mut self, table: &Match<'_>) {
        let token = self.seat.map(|seat| table.tokens[seat].as_str());
        let shown = table.server.get(&table.path, token).await;
        self.views.push(shown.json());
        let after = self.events.len();
        let events = table.server.get(&format!("{}/events?after={after}", table.path), token).await;
        self.events.extend(events.json()["events"].as_array().unwrap().iter().cloned());
        self.texts.extend([shown.text, events.text]);
        if let Some(seat) = self.seat {
            let legal = table.server.get(&format!("{}/legal-actions?words=false", table.path), token).await;
            let owes = self.views.last().unwrap()["to_act"].as_array().unwrap().contains(&json!(seat));
            assert!(owes || legal.json()["actions"] == json!([]));
            let refused = table.act(seat, json!({"type": "roll"})).await;
            assert_ne!(refused.status, 200);
            self.texts.push(refused.text);
            self.texts.push(legal.text);
        }
    }
}

/// Plays a match at random, watched by everybody, to its end or for a hundred actions.
async fn play(table: &Match<'_>, random: &mut Random) -> Vec<Witness> {
    let seats = (0..table.tokens.len()).map(Some).chain([None]);
    let mut witnesses: Vec<_> =
        seats.map(|seat| Witness { seat, views: Vec::new(), events: Vec::new(), texts: Vec::new() }).collect();
    for _ in 0..100 {
        let now = table.public().await;
        if now["status"] == "finished" {
            return witnesses;
        }
        for witness in &mut witnesses {
            witness.look(table).await;
        }
        let owing = now["to_act"].as_array().unwrap();
        let seat = owing[random.below(owing.len())].as_u64().unwrap() as usize;
        let words = now["view"]["phase"] == "final_word";
        let path = format!("{}/legal-actions?limit=200&words={words}", table.path);
        let legal = table.server.get(&path, Some(&table.tokens[seat])).await.expect(200);
        let legal = legal["actions"].as_array().unwrap();
        // 八築 comes to its final words when the field has been gathered.
        let gather = legal.iter().find(|action| action["type"] == "gather");
        let action = gather.unwrap_or_else(|| &legal[random.below(legal.len())]).clone();
        let acted = table.act(seat, action).await;
        assert_eq!(acted.status, 200, "{}", acted.text);
        // The end itself opens everything.
        if acted.json()["match"]["status"] != "finished" {
            witnesses[seat].texts.push(acted.text);
        }
    }
    for seat in 0..table.tokens.len() {
        table.act(seat, json!({"type": "resign"})).await;
    }
    witnesses
}

/// The events that a witness saw are the open ones less what is hidden, no more and no less.
fn events_hide_what_they_should(game: &str, witness: &Witness, open: &[Value]) -> usize {
    let mut hidden_from_it = 0;
    for (seen, open) in witness.events.iter().zip(open) {
        let mut expected: Map<_, _> = open.as_object().unwrap().clone();
        let kind = open["type"].as_str().unwrap();
        let mut owners = vec![open["seat"].as_u64()];
        if kind == "asked" {
            owners.push(open["target"].as_u64());
        }
        let own = witness.seat.is_some_and(|seat| owners.contains(&Some(seat as u64)));
        for field in hidden_fields(game, kind).iter().filter(|_| !own) {
            hidden_from_it += usize::from(expected.remove(*field).is_some());
        }
        expected.remove("deck");
        if let Some(hands) = expected.get_mut("hands") {
            let hands = hands.as_array_mut().unwrap().iter_mut().enumerate();
            hands.filter(|(seat, _)| Some(*seat) != witness.seat).for_each(|(_, hand)| *hand = Value::Null);
        }
        assert_eq!(seen, &Value::Object(expected), "{game}: seat {:?}", witness.seat);
    }
    hidden_from_it
}

/// A view shows the viewer's own secrets only.
fn views_hide_what_they_should(game: &str, witness: &Witness, opened: &BTreeMap<u64, Value>) {
    for seen in &witness.views {
        let view = &seen["view"];
        let open = &opened[&seen["version"].as_u64().unwrap()];
        let own = |all: &Value| witness.seat.map_or(Value::Null, |seat| all[seat].clone());
        if game == "hachiku" {
            for other in (0..2).filter(|seat| Some(*seat) != witness.seat) {
                assert_eq!((&view["hands"][other], &view["final_words"][other]), (&Value::Null, &Value::Null));
            }
            assert_eq!(own(&view["hands"]), own(&open["view"]["hands"]));
            continue;
        }
        for secret in ["deck", "hands"] {
            assert_eq!(view.get(secret), None, "{game}: {secret} for seat {:?}", witness.seat);
        }
        assert_eq!(view["hand"], own(&open["view"]["hands"]), "{game}: the hand for seat {:?}", witness.seat);
        let only_of = |field: &str, owner: &Value| {
            assert!(
                view.get(field).is_none() || owner.as_u64() == witness.seat.map(|seat| seat as u64),
                "{field}: {view}"
            );
        };
        let shown = view["veiled_cards"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|cards| cards.as_array().unwrap().len())
            .sum::<usize>();
        assert!(shown <= cards_veiled_by(witness), "{game}: cards that others have veiled for seat {:?}", witness.seat);
        only_of("drawn", &view["turn"]);
        only_of("offered", &view["turn"]);
        for own in ["opening", "known"] {
            assert!(view.get(own).is_none() || witness.seat.is_some(), "{own}: {view}");
        }
    }
}

/// How many cards a witness has put face down itself.
fn cards_veiled_by(witness: &Witness) -> usize {
    let own = |event: &&Value| witness.seat.is_some_and(|seat| event["seat"] == seat);
    let events = witness.events.iter().filter(own);
    let lists = events.filter_map(|event| match event["type"].as_str()? {
        "veiled" => event["cards"].as_array(),
        "demons_given" => event["to"].as_array(),
        _ => None,
    });
    lists.map(Vec::len).sum()
}

#[actix_web::test]
async fn nobody_is_told_what_belongs_to_others() {
    let server = Server::start().await;
    for (game, seats, options) in [
        ("hachiku", 2, json!({"closed_hands": true, "capture_target": 40})),
        ("kamudakara", 3, json!({"rounds": 1})),
        ("salamander", 3, json!({})),
    ] {
        let players = vec![json!({}); seats];
        let table = server.create(&json!({"game": game, "seats": players, "options": options})).await;
        let witnesses = play(&table, &mut Random::new(11)).await;
        let end = table.finished().await;
        let open = server.get(&format!("{}/events", table.path), None).await.expect(200);
        let open = open["events"].as_array().unwrap();
        let mut opened = BTreeMap::new();
        for seen in &witnesses[0].views {
            let version = seen["version"].as_u64().unwrap();
            let then = server.get(&format!("{}/at/{version}", table.path), None).await.expect(200);
            opened.insert(version, then);
        }
        let (seed, mut hidden) = (end["chance"]["server_seed"].as_str().unwrap(), 0);
        for witness in &witnesses {
            hidden += events_hide_what_they_should(game, witness, open);
            views_hide_what_they_should(game, witness, &opened);
            assert!(
                witness.texts.len() > 30 && witness.texts.iter().all(|text| !text.contains(seed)),
                "{game}: the seed"
            );
        }
        assert!(hidden > 0, "{game}: nothing was ever hidden");
    }
}
