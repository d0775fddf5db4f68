//! Nothing that is secret reaches the log, however much is logged.

use serde_json::{Value, json};

use crate::play::{GAMES, Random, play};
use crate::program::{Folder, Program};
use crate::server::Match;

/// Every way in which a log line might spell bytes.
fn spellings(hex: &str) -> Vec<String> {
    let bytes = hex::decode(hex).unwrap();
    let escaped = bytes[..8].escape_ascii().to_string();
    vec![hex.to_owned(), hex.to_uppercase(), format!("{bytes:?}"), escaped.replace('\\', "\\\\"), escaped]
}

/// The cards of every deck, as the log would have them.
fn decks(events: &Value) -> Vec<String> {
    let events = events["events"].as_array().unwrap().iter();
    events.filter(|event| event["deck"].is_array()).map(|event| event["deck"].to_string()).collect()
}

#[actix_web::test]
async fn the_log_keeps_seeds_decks_tokens_and_keys_to_itself() {
    let folder = Folder::new();
    let mut program = Program::start(&folder, "trace");
    let server = &program.server;
    let player = server.post("/v1/players", None, &json!({"name": "先生"})).await.expect(201);
    let player_token = player["token"].as_str().unwrap().to_owned();
    let mut secrets = vec![player_token.clone()];
    for (game, seats) in GAMES {
        let mut players = vec![json!({}); seats];
        players[0] = json!({"player_token": player_token});
        players[1] = json!({"open": true});
        let request =
            server.request(reqwest::Method::POST, "/v1/matches").header("Idempotency-Key", format!("key-of-{game}"));
        let created = server.send(request.json(&json!({"game": game, "seats": players}))).await.expect(201);
        let path = format!("/v1/matches/{}", created["match"]["id"].as_str().unwrap());
        let claimed =
            server.post(&format!("{path}/seats/1/claim"), None, &json!({"entropy": "c0ffee"})).await.expect(200);
        let token_of = |seat: &Value| seat["token"].as_str().unwrap_or_default().to_owned();
        let mut tokens: Vec<_> = created["seats"].as_array().unwrap().iter().map(token_of).collect();
        tokens[1] = token_of(&claimed);
        secrets.extend(tokens.iter().cloned());
        secrets.push(format!("key-of-{game}"));
        let table = Match { server, path, tokens };
        play(&table, &mut Random::new(9), 15).await;
        table.act(0, json!({"type": "no such action"})).await;
        server
            .get(&format!("{}/events/stream?after=0", table.path.replace("/v1", "/v2")), Some(&table.tokens[0]))
            .await;
        for seat in 0..seats {
            table.act(seat, json!({"type": "resign"})).await;
        }
        let end = table.finished().await;
        secrets.extend(spellings(end["chance"]["server_seed"].as_str().unwrap()));
        let events = server.get(&format!("{}/events", table.path), None).await.expect(200);
        secrets.extend(decks(&events));
    }
    let (status, _) = program.terminate().await;
    assert!(status.success());
    let log = program.log();
    assert!(log.contains("TRACE") && log.len() > 10_000, "much is logged: {}", log.len());
    let plain = log.replace("\\\"", "\"");
    for secret in secrets {
        assert!(secret.len() > 5, "{secret:?} is found everywhere");
        let told = plain.find(&secret).map(|at| {
            let line = plain[..at].rfind('\n').map_or(0, |end| end + 1);
            &plain[line..(at + secret.len()).min(plain.len())]
        });
        assert_eq!(told, None, "{secret}");
    }
}
