//! Two deals that a viewer cannot tell apart give it the same answers everywhere, byte for byte.
//!
//! Two matches are played side by side, their decks and secret choices scripted so that they differ
//! in nothing but what is hidden from the viewers under test. Ids, times and commitments differ by
//! nature: they are written out of both answers before these are compared.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use rules::time::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::server::{Answer, Match, Server};

/// Two matches, and the viewers that cannot tell them apart.
struct Twins<'a> {
    tables: [Match<'a>; 2],
    /// The seats; the public is always one of the viewers.
    seats: Vec<usize>,
    /// Actions that are tried by every viewer's seat, as a dry run and, where none is legal, for real.
    tried: Vec<Value>,
    compared: usize,
}

impl<'a> Twins<'a> {
    async fn create(server: &'a Server, setups: [Value; 2], seats: &[usize], tried: Vec<Value>) -> Self {
        let [one, other] = setups.map(|setup| async move { server.create(&setup).await });
        let tables = [one.await, other.await];
        let twins = Self { tables, seats: seats.to_vec(), tried, compared: 0 };
        for table in &twins.tables {
            assert!(table.public().await["sandbox"].as_bool().unwrap());
        }
        twins.compare().await
    }

    /// The same action in both, or one for each where the viewers do not see which.
    async fn act(self, seat: usize, actions: [Value; 2]) -> Self {
        for (table, action) in self.tables.iter().zip(&actions) {
            table.act(seat, action.clone()).await.expect(200);
        }
        // The answer to an action is compared where a viewer under test has acted.
        self.compare().await
    }

    async fn both(self, seat: usize, action: Value) -> Self {
        if !self.seats.contains(&seat) {
            return self.act(seat, [action.clone(), action]).await;
        }
        let mut told = Vec::new();
        for table in &self.tables {
            let request = table.server.request(Method::POST, &format!("{}/actions", table.path));
            let body = json!({"action": action});
            let answer = table.server.send(as_viewer(request.json(&body), table, Some(seat))).await;
            assert_eq!(answer.status, 200, "{}", answer.text);
            told.push(normal(table, &answer));
        }
        assert_eq!(told[0], told[1], "the answer to {action} of seat {seat}");
        self.compare().await
    }

    async fn compare(mut self) -> Self {
        let viewers = self.seats.iter().copied().map(Some).chain([None]);
        for viewer in viewers.collect::<Vec<_>>() {
            let [one, other] = [surfaces(&self, 0, viewer).await, surfaces(&self, 1, viewer).await];
            assert_eq!(one.len(), other.len());
            for (one, other) in one.iter().zip(&other) {
                assert_eq!(one, other, "for {viewer:?}");
                self.compared += 1;
            }
        }
        self
    }

    /// Whether the two matches did differ after all: at the end everything is open.
    async fn differ(self) -> usize {
        let mut open = Vec::new();
        for table in &self.tables {
            for seat in 0..table.tokens.len() {
                table.act(seat, json!({"type": "resign"})).await;
            }
            table.finished().await;
            let events = table.server.get(&format!("{}/events", table.path), None).await;
            open.push(normal(table, &events));
        }
        assert_ne!(open[0], open[1], "the deals are one and the same");
        self.compared
    }
}

fn as_viewer(request: RequestBuilder, table: &Match<'_>, viewer: Option<usize>) -> RequestBuilder {
    let request = request.header("X-Request-Id", "the-same");
    match viewer {
        Some(seat) => request.bearer_auth(&table.tokens[seat]),
        None => request,
    }
}

/// Every answer that a viewer can have about one of the matches.
async fn surfaces(twins: &Twins<'_>, which: usize, viewer: Option<usize>) -> Vec<String> {
    let table = &twins.tables[which];
    let (server, path) = (table.server, table.path.as_str());
    let ask = async |method: Method, tail: &str, body: Option<&Value>| {
        let request = server.request(method, &format!("{path}{tail}"));
        let request = if let Some(body) = body { request.json(body) } else { request };
        let answer = server.send(as_viewer(request, table, viewer)).await;
        format!("{tail} {}{}", body.unwrap_or(&Value::Null), normal(table, &answer))
    };
    let version = table.public().await["version"].as_u64().unwrap();
    let mut seen = Vec::new();
    for tail in ["", "/events", "/events?after=2&limit=3", "/legal-actions", "/legal-actions?limit=1", "/record"] {
        seen.push(ask(Method::GET, tail, None).await);
    }
    for version in (0..=version + 1).rev().take(6).chain([0]) {
        seen.push(ask(Method::GET, &format!("/at/{version}"), None).await);
    }
    seen.push(ask(Method::POST, "/seats/1/claim", Some(&json!({}))).await);
    for action in &twins.tried {
        seen.push(ask(Method::POST, "/actions?dry_run=true", Some(&json!({"action": action}))).await);
    }
    for refused in [json!({"action": twins.tried[0], "version": 0}), json!({"action": twins.tried[0], "at_s": -1})] {
        seen.push(ask(Method::POST, "/actions", Some(&refused)).await);
    }
    seen.push(analysis(table, viewer).await);
    seen.push(stream(table, viewer).await);
    seen.push(listed(table).await);
    seen
}

/// What the analysis says. Each match draws by a key of its own in what order equals come, and in
/// 八築 the whims of the bot: there it is compared how many actions are weighed.
async fn analysis(table: &Match<'_>, viewer: Option<usize>) -> String {
    let request = table.server.request(Method::POST, &format!("{}/analysis", table.path));
    let answer = table.server.send(as_viewer(request.json(&json!({"limit": 500})), table, viewer)).await;
    if answer.status != 200 {
        return normal(table, &answer);
    }
    let mut said = answer.json();
    let actions = said["actions"].as_array().unwrap().iter();
    said["actions"] = match table.public().await["game"].as_str() {
        Some("hachiku") => json!(actions.len()),
        _ => json!(actions.map(Value::to_string).collect::<BTreeSet<_>>()),
    };
    said.to_string()
}

/// The messages of a stream from the beginning: the match, the clock, every event, and the clock again.
async fn stream(table: &Match<'_>, viewer: Option<usize>) -> String {
    let request = table.server.request(Method::GET, &format!("{}/events/stream?after=0", table.path));
    let mut response = as_viewer(request, table, viewer).send().await.unwrap();
    let (status, headers, mut bytes) = (response.status(), response.headers().clone(), Vec::new());
    let mut text = String::new();
    while text.matches("event: clock\n").count() < 2 || !text.ends_with("\n\n") {
        let chunk = tokio::time::timeout(Duration::from_secs(20), response.chunk()).await;
        bytes.extend_from_slice(&chunk.unwrap().unwrap().unwrap());
        text = String::from_utf8_lossy(&bytes).into_owned();
    }
    normal(table, &Answer { status, headers, text })
}

/// The match in the list of matches.
async fn listed(table: &Match<'_>) -> String {
    let list = table.server.get("/v1/matches?sandbox=true&limit=500", None).await.expect(200);
    let id = table.path.rsplit('/').next().unwrap();
    let own = list["matches"].as_array().unwrap().iter().find(|listed| listed["id"] == id);
    without_nature(table, &own.map(Value::to_string).unwrap_or_default())
}

/// An answer without what differs by nature: its status, its headers, its body.
fn normal(table: &Match<'_>, answer: &Answer) -> String {
    let mut headers: Vec<_> = answer
        .headers
        .iter()
        .filter(|(name, _)| *name != "date")
        .map(|(name, value)| {
            let value = value.to_str().unwrap();
            let value = match name.as_str() {
                "etag" => tag(value, &answer.text),
                // A set, in the order of a hash that is drawn for each answer.
                "access-control-expose-headers" => value.split(", ").collect::<BTreeSet<_>>().len().to_string(),
                _ => value.to_owned(),
            };
            format!("{name}: {value}")
        })
        .collect();
    headers.sort();
    let body = without_nature(table, &answer.text);
    format!("{} {}\n{}\n{body}", answer.status, body.len(), headers.join("\n"))
}

/// An entity tag is a function of what is seen: of the whole body, or of the match in it.
fn tag(value: &str, text: &str) -> String {
    let inner = text.split_once("\"match\":").and_then(|(_, rest)| rest.strip_suffix('}'));
    let of_seen = [Some(text), inner]
        .into_iter()
        .flatten()
        .any(|seen| value.trim_matches('"') == hex::encode(&Sha256::digest(seen)[..16]));
    if of_seen { "of what is seen".to_owned() } else { value.to_owned() }
}

/// A text without the match's id, its commitment and the time on the wall, and with its own times as
/// milliseconds since the first of them.
fn without_nature(table: &Match<'_>, text: &str) -> String {
    let mut text = text.replace(table.path.rsplit('/').next().unwrap(), "ID");
    for (field, length) in [("commitment", 64), ("now", 24)] {
        let parts: Vec<_> = text.split(&format!("\"{field}\":\"")).collect();
        let rest = parts[1..].iter().map(|part| format!("\"{field}\":\"…{}", &part[length..]));
        text = std::iter::once(parts[0].to_owned()).chain(rest).collect();
    }
    let mut created = None;
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("\"20") {
        let (before, quoted) = rest.split_at(at + 1);
        plain.push_str(before);
        let time = quoted.get(..24).and_then(|text| serde_json::from_value::<Timestamp>(json!(text)).ok());
        match time {
            Some(time) => {
                let since = time.millis_since(*created.get_or_insert(time));
                plain.push('T');
                plain += &since.to_string();
                rest = &quoted[24..];
            }
            None => rest = quoted,
        }
    }
    plain + rest
}

fn sandbox(game: &str, seats: usize, options: &Value, deck: &str, dice: &[u8]) -> Value {
    let deck: Vec<_> = deck.split_whitespace().collect();
    let mut sandbox = json!({"virtual_clock": true});
    if !deck.is_empty() {
        sandbox["deck"] = json!(deck);
    }
    if !dice.is_empty() {
        sandbox["dice"] = json!(dice);
    }
    let players = vec![json!({}); seats];
    json!({"game": game, "seats": players, "options": options, "turn_seconds": 600, "listed": true, "sandbox": sandbox})
}

/// What a seat may try at any time in カムダカラ.
fn kamudakara_tried() -> Vec<Value> {
    vec![
        json!({"type": "choose_opening", "cards": ["sword", "jewel"]}),
        json!({"type": "choose_opening", "cards": ["demon", "demon"]}),
        json!({"type": "ritual"}),
        json!({"type": "ritual_keep", "keep": "sword", "return_to": "top"}),
        json!({"type": "ritual_keep", "keep": "demon", "return_to": "bottom"}),
        json!({"type": "rite", "card": "sword", "to": 1, "show": "left"}),
        json!({"type": "rite", "card": "mirror", "to": 0, "show": "right"}),
        json!({"type": "rite", "card": "demon", "to": 1, "show": "right"}),
        json!({"type": "rite_choose", "take": "shown"}),
        json!({"type": "rite_choose", "take": "hidden"}),
        json!({"type": "rite_choose", "take": "treasure"}),
        json!({"type": "memorial", "blessing": "courage"}),
        json!({"type": "memorial_store"}),
        json!({"type": "blessing_order", "first": "wisdom"}),
        json!({"type": "use_demons", "count": 1}),
        json!({"type": "store", "cards": ["mirror"]}),
        json!({"type": "veil", "cards": ["sword", "sword"]}),
        json!({"type": "give_demons", "to": [0]}),
        json!({"type": "roll"}),
    ]
}

/// Another's opening, the deck's order, cards drawn, veiled, and under the sleeve.
#[actix_web::test]
async fn kamudakara_hides_hands_deck_veiled_cards_and_the_half_under_the_sleeve() {
    let server = Server::start().await;
    // Seat 0's four cards, seat 1's five, then the deck: seat 0 draws the same ones.
    let one = "sword mirror jewel jewel  jewel jewel sword sword mirror  sword sword demon sword mirror jewel \
               jewel mirror";
    let other = "sword mirror jewel jewel  jewel jewel mirror mirror sword  sword sword mirror demon mirror jewel \
                 sword demon";
    let setups = [one, other].map(|deck| sandbox("kamudakara", 2, &json!({}), deck, &[]));
    let twins = Twins::create(&server, setups, &[0], kamudakara_tried()).await;
    let opening = |cards: [&str; 2]| json!({"type": "choose_opening", "cards": cards});
    let twins = twins.act(1, [opening(["jewel", "jewel"]), opening(["jewel", "jewel"])]).await;
    let twins = twins.both(0, opening(["sword", "jewel"])).await;
    let twins = twins.both(0, json!({"type": "ritual"})).await;
    let keep = json!({"type": "ritual_keep", "keep": "sword", "return_to": "bottom"});
    let twins = twins.both(0, keep).await;
    // 仁 of two: seat 1 draws two cards and veils two.
    let twins = twins.both(1, json!({"type": "memorial", "blessing": "benevolence"})).await;
    let veil = |card: &str| json!({"type": "veil", "cards": [card, card]});
    let twins = twins.act(1, [veil("sword"), veil("mirror")]).await;
    let twins = twins.both(0, json!({"type": "ritual"})).await;
    let keep = json!({"type": "ritual_keep", "keep": "mirror", "return_to": "top"});
    let twins = twins.both(0, keep).await;
    let offer = |card: &str| json!({"type": "rite", "card": card, "to": 0, "show": "right"});
    let twins = twins.act(1, [offer("sword"), offer("mirror")]).await;
    assert!(twins.differ().await > 500);
}

/// The same from the other side: the seat that offers knows its card, and nothing of the others'.
#[actix_web::test]
async fn kamudakara_hides_as_much_from_the_last_seat() {
    let server = Server::start().await;
    let one = "sword mirror jewel jewel  jewel jewel sword mirror mirror  demon sword  sword jewel";
    let other = "sword mirror mirror mirror  jewel jewel sword mirror mirror  sword mirror  sword jewel";
    let setups = [one, other].map(|deck| sandbox("kamudakara", 2, &json!({}), deck, &[]));
    let twins = Twins::create(&server, setups, &[1], kamudakara_tried()).await;
    let opening = |cards: [&str; 2]| json!({"type": "choose_opening", "cards": cards});
    let twins = twins.both(0, opening(["sword", "mirror"])).await;
    let twins = twins.both(1, opening(["jewel", "sword"])).await;
    let twins = twins.both(0, json!({"type": "ritual"})).await;
    let keep = |card: &str| json!({"type": "ritual_keep", "keep": card, "return_to": "bottom"});
    let twins = twins.act(0, [keep("demon"), keep("sword")]).await;
    let twins = twins.both(1, json!({"type": "ritual"})).await;
    assert!(twins.differ().await > 200);
}

/// A choice of the opening, until all are turned up.
#[actix_web::test]
async fn kamudakara_hides_an_opening_until_all_have_chosen() {
    const DEAL: &str = "sword mirror jewel  sword mirror jewel mirror  mirror jewel sword sword mirror";
    let server = Server::start().await;
    let setup = || sandbox("kamudakara", 3, &json!({}), DEAL, &[]);
    let twins = Twins::create(&server, [setup(), setup()], &[0, 2], kamudakara_tried()).await;
    let opening = |cards: [&str; 2]| json!({"type": "choose_opening", "cards": cards});
    let twins = twins.act(1, [opening(["sword", "mirror"]), opening(["jewel", "demon"])]).await;
    let twins = twins.both(2, opening(["mirror", "jewel"])).await;
    assert!(twins.differ().await > 150);
}

/// What a seat may try at any time in サラマンダー.
fn salamander_tried() -> Vec<Value> {
    vec![
        json!({"type": "throw"}),
        json!({"type": "discard", "card": "fire"}),
        json!({"type": "discard", "card": "number-4"}),
        json!({"type": "place_stone", "element": "fire", "stone": 1, "number": 1}),
        json!({"type": "place_stone", "element": "air", "stone": 3, "number": 7}),
        json!({"type": "move", "by": "sum"}),
        json!({"type": "move", "by": "difference", "enter_home": true}),
        json!({"type": "ask", "seat": 1, "card": "fire"}),
        json!({"type": "ask", "seat": 2, "card": "water"}),
        json!({"type": "announce", "claims": [{"seat": 1, "card": "fire"}]}),
        json!({"type": "announce", "claims": [{"seat": 1, "card": "stone-1"}, {"seat": 2, "card": "number-4"}]}),
        json!({"type": "end_turn"}),
        json!({"type": "throw_keys"}),
        json!({"type": "resign", "now": true}),
    ]
}

/// Hands, what others draw, an answer between two others, and the deck.
#[actix_web::test]
async fn salamander_hides_hands_draws_answers_and_the_deck() {
    let server = Server::start().await;
    // Two cards each, then the deck: seat 1 draws first, then seat 0.
    let one = "fire stone-1  fire stone-2  water number-3  number-4 stone-3 air";
    let other = "fire stone-1  fire number-4  earth number-3  stone-2 stone-3 water";
    // Seat 0: a stone, six squares at most; seat 1: a lizard, four squares; seat 2: a stone.
    let dice = [2, 3, 3, 1, 3, 1, 1, 2, 4, 2, 2, 1];
    let setups = [one, other].map(|deck| sandbox("salamander", 3, &json!({}), deck, &dice));
    let twins = Twins::create(&server, setups, &[0], salamander_tried()).await;
    let stone =
        |stone: u8, number: u8| json!({"type": "place_stone", "element": "fire", "stone": stone, "number": number});
    let moved = json!({"type": "move", "by": "sum"});
    let twins = twins.both(0, json!({"type": "throw"})).await;
    let twins = twins.both(0, stone(1, 5)).await;
    let twins = twins.both(0, moved.clone()).await;
    let twins = twins.both(0, json!({"type": "end_turn"})).await;
    // Seat 1 draws what it has not: three cards of three kinds, of which it discards the fire.
    let twins = twins.both(1, json!({"type": "throw"})).await;
    let twins = twins.both(1, json!({"type": "discard", "card": "fire"})).await;
    let twins = twins.both(1, moved.clone()).await;
    // One seat holds the water, the other earth: nobody but these two hears the answer.
    let twins = twins.both(1, json!({"type": "ask", "seat": 2, "card": "water"})).await;
    assert!(twins.differ().await > 400);
}

/// Final words, while only one seat has given its own.
#[actix_web::test]
async fn hachiku_hides_a_final_word_until_both_are_given() {
    let server = Server::start().await;
    let options = json!({"closed_hands": true, "capture_target": 40, "max_turns": 2000});
    let setup = || sandbox("hachiku", 2, &options, "", &[]);
    let tried = vec![
        json!({"type": "final_pass"}),
        json!({"type": "final_word", "word": "かんじ"}),
        json!({"type": "final_word", "letters": "かか"}),
        json!({"type": "final_word", "letters": "か"}),
        json!({"type": "gather", "letter": "あ"}),
        json!({"type": "say", "word": "かさ"}),
        json!({"type": "swap", "return": ["あ", "い"], "head": "う"}),
        json!({"type": "judge", "accept": true}),
        json!({"type": "choose_head", "letter": "あ"}),
    ];
    let twins = Twins::create(&server, [setup(), setup()], &[0], tried).await;
    for table in &twins.tables {
        table.act(1, json!({"type": "choose_head", "letter": "か"})).await.expect(200);
        for turn in 0..45 {
            let seat = turn % 2;
            let field = table.public().await["view"]["field"].as_str().unwrap().to_owned();
            let letter = field.chars().next().unwrap().to_string();
            table.act(seat, json!({"type": "gather", "letter": letter})).await.expect(200);
        }
        assert_eq!(table.public().await["view"]["phase"], "final_word");
    }
    let twins = twins.compare().await;
    let path = format!("{}/legal-actions?limit=1", twins.tables[0].path);
    let words = server.get(&path, Some(&twins.tables[0].tokens[1])).await.expect(200);
    let word = words["actions"][0].clone();
    assert_eq!(word["type"], "final_word");
    let twins = twins.act(1, [word, json!({"type": "final_pass"})]).await;
    assert!(twins.differ().await > 100);
}
