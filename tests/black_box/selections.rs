//! Selections that nothing can fulfil are refused, not answered with nothing.

use serde_json::json;

use crate::import::takujo;
use crate::server::Server;

#[actix_web::test]
async fn a_time_ends_after_it_begins() {
    let server = Server::start().await;
    for path in ["/v1/matches", "/v1/exports/matches", "/v1/exports/actions", "/v1/exports/words"] {
        for query in ["from=2026-12-01&to=2026-11-01", "from=2026-11-01&to=2026-11-01T00:00:00Z"] {
            let request = server.request(reqwest::Method::GET, &format!("{path}?{query}"));
            let answer = server.send(request.header("Accept-Language", "ja")).await;
            assert!(answer.json()["detail"].as_str().unwrap().contains("より前に"), "{}", answer.text);
            assert_eq!(answer.code(422), "invalid-parameters", "{path}?{query}");
        }
        let day = server.get(&format!("{path}?from=2026-11-01&to=2026-11-02"), None).await;
        assert_eq!(day.status, 200, "{}", day.text);
    }
    for path in ["/v1/matches?game=hachikku", "/v1/exports/words?game=hachikku"] {
        let answer = server.get(path, None).await;
        assert_eq!(
            answer.json()["detail"],
            "There is no game “hachikku”; there are hachiku, twenty_one, kamudakara, salamander, sainokawara."
        );
        assert_eq!(answer.code(422), "invalid-parameters");
    }
    let created = server.post("/v1/matches", None, &json!({"game": "hachikku", "seats": [{}, {}]})).await;
    assert_eq!(created.json()["faults"][0]["field"], "game");
    assert_eq!(created.code(422), "invalid-options");
}

#[actix_web::test]
async fn commands_refuse_them_before_they_look_for_the_database() {
    let backwards = ["--from", "2026-12-01", "--to", "2026-11-01"];
    let generate = ["generate", "--matches", "1", "--game"];
    for (arguments, told) in [
        (&["export-records", "--game", "hachikku"] as &[_], "there are hachiku, twenty_one"),
        (&["replay", "--game", "hachikku"], "there are hachiku, twenty_one"),
        (&[&generate[..], &["hachikku"]].concat(), "there are hachiku, twenty_one"),
        (&[&["export-records"], &backwards[..]].concat(), "must come before to"),
        (&[&["replay"], &backwards[..]].concat(), "must come before to"),
        (&[&generate[..], &["hachiku", "--months", "0"]].concat(), "0 is not in 1..=600"),
        (&[&generate[..], &["hachiku", "--months", "1635"]].concat(), "1635 is not in 1..=600"),
    ] {
        let ran = takujo("postgres:///nowhere?host=/nowhere", arguments, b"").await;
        assert!(ran.code == 2 && ran.err.contains(told), "{arguments:?}: {} {}", ran.code, ran.err);
        assert!(ran.out.is_empty(), "{arguments:?}: {}", ran.out);
    }
}
