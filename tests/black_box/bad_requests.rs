//! Every route of the description, asked for what it cannot answer: the answer is one that the
//! description lists, and says what was wrong.

use reqwest::Method;
use serde_json::json;

use crate::play::{all_that_is_seen, humans};
use crate::routes::{self, Route};
use crate::server::{Answer, Server};

/// What any request may be answered, without a word of it at each route.
const ANYWHERE: [u16; 5] = [405, 406, 408, 429, 503];

/// Checks that a refusal is a problem which the description of the route lists.
#[track_caller]
fn is_described(route: &Route, answer: &Answer, about: &str) {
    let status = answer.status.as_u16();
    if answer.status.is_client_error() {
        answer.problem();
    }
    let about = format!("{} {} {about}: {}", route.method, route.pattern, answer.text);
    assert!(route.answers(status) || ANYWHERE.contains(&status), "{status} is not described: {about:.600}");
}

/// What a path names and is not there is named, and how to find what is.
#[actix_web::test]
async fn what_is_not_there_is_said_by_name() {
    let server = Server::start().await;
    let nobody = "0190a0a0-5c1e-7d3a-8b0e-0123456789ab";
    for (path, said, mended) in [
        ("/v1/games/chess", "chess", "hachiku"),
        ("/v1/analytics/chess/summary", "chess", "hachiku"),
        ("/v1/analytics/chess/explorer", "chess", "hachiku"),
        ("/v1/leaderboards/chess", "chess", "hachiku"),
        (&format!("/v1/players/{nobody}"), nobody, "POST /v1/players"),
        ("/v1/players/somebody", "somebody", "an id as the server gives it"),
        (&format!("/v1/matches/{nobody}"), "no match", "GET /v1/matches"),
        ("/docs/rule", "/docs", "chance"),
    ] {
        let answer = server.get(path, None).await;
        let detail = answer.json()["detail"].to_string();
        assert!(detail.contains(said) && detail.contains(mended), "{path}: {detail}");
        assert_eq!(answer.code(404), "not-found", "{path}");
    }
}

#[actix_web::test]
async fn every_route_answers_bad_requests_as_it_says() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    let before = all_that_is_seen(&table).await;
    let mut queries = 0;
    for route in routes::all(&server, &table).await {
        let send = |method: &Method, path: &str| {
            let request = server.request(method.clone(), path).bearer_auth(&table.tokens[0]);
            if route.takes_a_body() { request.json(&json!({})) } else { request }
        };
        let about = format!("{} {}", route.method, route.pattern);
        // A parameter that there is not, and one twice.
        if let Some((name, _)) = route.query().first() {
            for query in ["nonsense=1", &format!("{name}=1&{name}=1"), "%00=%ff"] {
                let answer = server.send(send(&route.method, &format!("{}?{query}", route.path))).await;
                is_described(&route, &answer, query);
                assert_eq!(answer.code(400), "bad-request", "{about}?{query}");
            }
            queries += 1;
        }
        if route.query().is_empty() && route.pattern.starts_with("/v1/") {
            let answer = server.send(send(&route.method, &format!("{}?nonsense=1", route.path))).await;
            is_described(&route, &answer, "nonsense=1");
            assert_eq!(answer.json()["detail"], "there can be no `nonsense` here; leave it out.", "{about}");
            assert_eq!(answer.code(400), "bad-request", "{about}");
        }
        // Values that no parameter has.
        for (name, schema) in route.query() {
            for value in ["", "x", "-1", "1e9", "%00", "99999999999999999999", "%F0%9F%80%84"] {
                if route.is_a_stream() && schema["type"] != "integer" {
                    continue;
                }
                let answer = server.send(send(&route.method, &format!("{}?{name}={value}", route.path))).await;
                is_described(&route, &answer, &format!("{name}={value}"));
            }
        }
        // Another method, and a form that no route of the API writes.
        let other = server.send(server.request(Method::DELETE, &route.path)).await;
        assert!(other.headers.contains_key("allow"), "{about}");
        assert_eq!(other.code(405), "method-not-allowed", "{about}");
        if route.pattern.starts_with("/v1/") && !route.pattern.starts_with("/v1/exports/") {
            let answer = server.send(send(&route.method, &route.path).header("Accept", "image/png")).await;
            assert_eq!(answer.code(406), "not-acceptable", "{about}");
        }
        // What is named in the path and is not there.
        for part in ["{id}", "{game}", "{word}", "{seat}"].into_iter().filter(|part| route.pattern.contains(part)) {
            for nothing in ["x", "%00", "0190a0a0-5c1e-7d3a-8b0e-0123456789ab"] {
                let path = route.pattern.replace(part, nothing).replace("/matches/{id}", &table.path["/v1".len()..]);
                let path = path.replace("{seat}", "1").replace("{version}", "1");
                let answer = server.send(send(&route.method, &path)).await;
                is_described(&route, &answer, &path);
                assert!(answer.status.is_client_error(), "{about}: {path} {}", answer.text);
            }
        }
    }
    assert!(queries >= 17, "{queries}");
    assert_eq!(all_that_is_seen(&table).await, before);
}
