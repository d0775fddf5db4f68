//! What every request passes: methods, request ids, languages, compression, CORS, limits, metrics,
//! and the pages for people.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::json;
use takujo::http::Kind;

use crate::play::humans;
use crate::server::{Server, database};

#[actix_web::test]
async fn head_is_get_without_its_body() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    for path in [
        "/healthz",
        "/openapi.json",
        "/v1/games",
        "/v1/games/hachiku",
        &table.path,
        "/v1/matches?limit=1",
        "/v1/nothing",
    ] {
        let get = server.get(path, None).await;
        let head = server.send(server.request(Method::HEAD, path)).await;
        assert_eq!((head.status, head.text.as_str()), (get.status, ""), "{path}");
        for name in ["content-type", "etag", "content-length"] {
            assert_eq!(head.headers.get(name), get.headers.get(name), "{path}: {name}");
        }
    }
    let refused = server.send(server.request(Method::HEAD, &format!("{}/actions", table.path))).await;
    assert_eq!((refused.status.as_u16(), &refused.headers["allow"]), (405, &"POST".parse().unwrap()));
}

#[actix_web::test]
async fn head_of_a_stream_ends_at_once() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    for _ in 0..2 {
        let head = server.send(server.request(Method::HEAD, &format!("{}/events/stream", table.path))).await;
        assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
        assert_eq!(head.headers["content-type"], "text/event-stream");
        // The connection is free for the next request.
        assert_eq!(server.get("/healthz", None).await.status, 200);
    }
}

#[actix_web::test]
async fn a_route_answers_in_its_own_forms_alone() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    for (accepted, status) in [
        ("application/json", 200),
        ("application/*;q=0.1", 200),
        ("text/html, */*;q=0.8", 200),
        ("text/csv", 406),
        ("text/event-stream", 406),
        ("application/json;q=0", 406),
        ("nonsense", 200),
    ] {
        let answer = server.send(server.request(Method::GET, &table.path).header("Accept", accepted)).await;
        assert_eq!(answer.status, status, "{accepted}: {}", answer.text);
    }
    // What was is cached as what is.
    for path in [table.path.clone(), format!("{}/at/0", table.path)] {
        let first = server.get(&path, None).await;
        let again = server.request(Method::GET, &path).header("If-None-Match", &first.headers["etag"]);
        let again = server.send(again).await;
        assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""), "{path}");
        for name in ["etag", "vary", "cache-control"] {
            assert_eq!(again.headers.get(name), first.headers.get(name), "{path}: {name}");
        }
    }
    let stream = server.request(Method::GET, &format!("{}/events/stream", table.path));
    assert_eq!(server.send(stream.header("Accept", "application/json")).await.code(406), "not-acceptable");
}

#[actix_web::test]
async fn a_request_id_comes_back_where_it_is_a_sensible_one() {
    let server = Server::start().await;
    let ask = async |path: &str, id: Option<&str>| {
        let request = server.request(Method::GET, path);
        let request = if let Some(id) = id { request.header("X-Request-Id", id) } else { request };
        server.send(request).await.headers["x-request-id"].to_str().unwrap().to_owned()
    };
    for path in ["/v1/games", "/v1/nothing", "/v1/matches/x", "/healthz"] {
        assert_eq!(ask(path, Some("client-7:a/b")).await, "client-7:a/b");
        let fresh =
            BTreeSet::from([ask(path, None).await, ask(path, None).await, ask(path, Some(&"x".repeat(129))).await]);
        assert_eq!(fresh.len(), 3);
        assert!(fresh.iter().all(|id| id.len() == 36));
        assert_ne!(ask(path, Some("two words")).await, "two words");
    }
}

#[actix_web::test]
async fn every_problem_has_a_page_in_both_languages() {
    let server = Server::start().await;
    for kind in Kind::ALL {
        let mut pages = BTreeSet::new();
        for (accepted, language) in
            [("en", "en"), ("ja", "ja"), ("fr, ja;q=0.2, en;q=0.1", "ja"), ("fr", "en"), ("§", "en"), ("ja;q=0", "en")]
        {
            let request = server.request(Method::GET, &format!("/problems/{}", kind.code()));
            let page = server.send(request.header("Accept-Language", accepted)).await;
            assert_eq!(page.status, 200);
            assert_eq!(page.headers["content-language"], language, "{accepted}");
            assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
            assert!(page.text.contains(kind.code()) && page.text.contains(kind.status().as_str()));
            pages.insert(page.text);
        }
        assert_eq!(pages.len(), 2, "{}", kind.code());
    }
    let request = server.request(Method::GET, "/v1/matches/x").header("Accept-Language", "ja");
    let problem = server.send(request).await;
    assert_eq!(problem.headers["content-language"], "ja");
    let varies: Vec<_> = problem.headers.get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
    assert!(varies.join(",").contains("Accept-Language"), "{varies:?}");
    assert!(!problem.json()["title"].as_str().unwrap().is_ascii() && problem.json()["code"] == "not-found");
    assert_eq!(problem.code(404), "not-found");
}

#[actix_web::test]
async fn the_root_says_what_this_is_and_where_everything_is() {
    let server = Server::start().await;
    let mut pages = BTreeSet::new();
    for (accepted, language) in [("en", "en"), ("ja, en;q=0.5", "ja"), ("fr", "en")] {
        let request = server.request(Method::GET, "/").header("Accept-Language", accepted);
        let page = server.send(request.header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")).await;
        assert_eq!(page.status, 200, "{}", page.text);
        assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
        assert_eq!(page.headers["content-language"], language);
        assert!(page.headers["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'; style-src"));
        assert_eq!(page.headers["x-content-type-options"], "nosniff");
        let varies: Vec<_> = page.headers.get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
        assert!(varies.join(",").contains("Accept-Language"), "{varies:?}");
        assert!(page.text.contains(&format!("<html lang=\"{language}\">")) && page.text.contains("takujo"));
        let links: Vec<_> = page.text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(links.len() >= 5 + Kind::ALL.len(), "{links:?}");
        for link in links {
            assert_eq!(server.get(link, None).await.status, 200, "{link}");
        }
        pages.insert(page.text);
    }
    assert_eq!(pages.len(), 2);
}

#[actix_web::test]
async fn answers_are_compressed_for_those_who_take_it() {
    let server = Server::start().await;
    let plain = server.get("/openapi.json", None).await;
    assert_eq!(plain.headers.get("content-encoding"), None);
    for coding in ["gzip", "br", "zstd"] {
        let answer = server.send(server.request(Method::GET, "/openapi.json").header("Accept-Encoding", coding));
        let request = server.request(Method::GET, "/openapi.json").header("Accept-Encoding", coding);
        let bytes = request.send().await.unwrap().bytes().await.unwrap();
        assert_eq!(answer.await.headers["content-encoding"], coding);
        assert!(bytes.len() * 4 < plain.text.len(), "{coding}: {} of {} bytes", bytes.len(), plain.text.len());
    }
}

#[actix_web::test]
async fn pages_of_any_origin_read_and_those_of_the_settings_act() {
    let server =
        Server::on(&database().await, |settings| settings.cors_origins = vec!["https://own.example".into()]).await;
    let preflight = async |origin: &str, method: &str| {
        let request = server.request(Method::OPTIONS, "/v1/matches");
        let request = request.header("Origin", origin).header("Access-Control-Request-Method", method);
        server
            .send(request.header("Access-Control-Request-Headers", "authorization, content-type, idempotency-key"))
            .await
    };
    for (origin, method, allowed) in [
        ("https://any.example", "GET", true),
        ("https://any.example", "POST", false),
        ("https://own.example", "GET", true),
        ("https://own.example", "POST", true),
        ("null", "POST", false),
    ] {
        let answer = preflight(origin, method).await;
        let given = answer.headers.get("access-control-allow-origin");
        assert_eq!(given.is_some_and(|given| given == origin), allowed, "{origin} {method}: {}", answer.text);
        assert_eq!(answer.status.is_success(), allowed, "{origin} {method}");
        assert_eq!(answer.headers.contains_key("access-control-allow-headers"), allowed);
        assert_eq!(answer.headers["x-request-id"].len(), 36, "{origin} {method}");
        if !allowed {
            assert_eq!(answer.code(403), "preflight-refused");
        }
    }
    let refused = server.request(Method::OPTIONS, "/v1/matches").header("Origin", "https://any.example");
    let refused = refused.header("Access-Control-Request-Method", "DELETE").header("Accept-Language", "ja");
    let refused = server.send(refused.header("X-Request-Id", "asked-7")).await;
    assert_eq!(
        (&refused.headers["x-request-id"], &refused.headers["content-language"]),
        (&"asked-7".parse().unwrap(), &"ja".parse().unwrap())
    );
    assert!(refused.json()["detail"].as_str().unwrap().contains("オリジン"), "{}", refused.text);
    let read = server.request(Method::GET, "/v1/games").header("Origin", "https://any.example");
    let read = server.send(read).await;
    assert_eq!(read.headers["access-control-allow-origin"], "https://any.example");
    assert!(read.headers.contains_key("access-control-expose-headers"));
    let act = server.request(Method::POST, "/v1/matches").header("Origin", "https://any.example");
    let act = server.send(act.json(&humans("twenty_one", 2))).await;
    assert_eq!(act.headers.get("access-control-allow-origin"), None);
}

#[actix_web::test]
async fn whoever_asks_too_much_waits() {
    let server = Server::on(&database().await, |settings| settings.rate_limit = 1).await;
    let mut left = Vec::new();
    let refused = loop {
        let answer = server.get("/v1/games", None).await;
        if answer.status != 200 {
            break answer;
        }
        assert_eq!(answer.headers["ratelimit-limit"], "10");
        left.push(answer.headers["ratelimit-remaining"].to_str().unwrap().parse::<u32>().unwrap());
    };
    assert!((10..13).contains(&left.len()) && left[0] == 9, "{left:?}");
    for (name, value) in [("ratelimit-limit", "10"), ("ratelimit-remaining", "0"), ("ratelimit-policy", "10;w=10")] {
        assert_eq!(refused.headers[name], value, "{name}");
    }
    let wait: u64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert_eq!(refused.code(429), "rate-limited");
    for free in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(server.get(free, None).await.status, 200, "{free}");
    }
    tokio::time::sleep(std::time::Duration::from_secs(wait)).await;
    assert_eq!(server.get("/v1/games", None).await.status, 200);
}

#[actix_web::test]
async fn the_interactive_page_needs_nobody_else() {
    let server = Server::start().await;
    let page = server.get("/docs/", None).await;
    assert_eq!(page.status, 200);
    assert!(!page.text.contains("://"), "{}", page.text);
    let parts: Vec<_> =
        page.text.split(['"', '\'']).filter(|part| [".js", ".css"].iter().any(|end| part.ends_with(end))).collect();
    assert!(parts.len() >= 3, "{parts:?}");
    for part in parts {
        let path = format!("/docs/{}", part.trim_start_matches("./"));
        assert_eq!(server.get(&path, None).await.status, 200, "{path}");
    }
    let starter = server.get("/docs/swagger-initializer.js", None).await.text;
    assert!(starter.contains("/openapi.json") && !starter.contains("https://"), "{starter}");
}

#[actix_web::test]
async fn requests_and_matches_are_counted() {
    let server = Server::start().await;
    let table = server.create(&humans("salamander", 2)).await;
    table.act(0, json!({"type": "resign"})).await.expect(200);
    table.act(0, json!({"type": "resign"})).await;
    server.get("/v1/made/up", None).await;
    let metrics = server.get("/metrics", None).await.text;
    let of = |start: &str, labels: &[&str]| {
        let line =
            metrics.lines().find(|line| line.starts_with(start) && labels.iter().all(|label| line.contains(label)));
        let line = line.unwrap_or_else(|| panic!("{start} {labels:?} in\n{metrics}"));
        line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let act = "route=\"/v1/matches/{id}/actions\"";
    for labels in [
        ["method=\"POST\"", act, "status=\"2xx\""],
        ["method=\"POST\"", act, "status=\"4xx\""],
        ["method=\"GET\"", "route=\"none\"", "status=\"4xx\""],
    ] {
        assert!(of("takujo_http_requests_total{", &labels) >= 1.0);
    }
    assert!(of("takujo_http_request_duration_seconds_bucket{", &["method=\"POST\"", act, "le=\"+Inf\""]) >= 2.0);
    for name in ["takujo_matches_created_total{", "takujo_matches_finished_total{"] {
        assert!(of(name, &["game=\"salamander\""]) >= 1.0);
    }
    assert!(!metrics.contains("made/up") && !metrics.contains(&table.path));
}

#[actix_web::test]
async fn a_key_is_for_one_request() {
    let server = Server::start().await;
    let create = |key: &str, body: serde_json::Value| {
        server.send(server.request(Method::POST, "/v1/matches").header("Idempotency-Key", key).json(&body))
    };
    let first = create("create-1", humans("twenty_one", 2)).await;
    let again = create("create-1", humans("twenty_one", 2)).await;
    assert_eq!((first.status.as_u16(), &first.text), (again.status.as_u16(), &again.text));
    assert_eq!(
        (&first.headers["location"], &first.headers["etag"]),
        (&again.headers["location"], &again.headers["etag"])
    );
    assert_eq!(create("create-1", humans("twenty_one", 3)).await.code(422), "idempotency-key-reused");
    // A refusal is an answer too.
    let refused = create("create-2", humans("hachiku", 3)).await;
    assert_eq!(create("create-2", humans("hachiku", 3)).await.text, refused.text);
    assert_eq!(refused.code(422), "invalid-options");
    let listed = server.get("/v1/matches", None).await.expect(200);
    assert_eq!(listed["matches"].as_array().unwrap().len(), 1);
    for key in ["", &"k".repeat(256), &"k".repeat(4_000)] {
        assert_eq!(create(key, humans("twenty_one", 2)).await.code(400), "bad-request", "{} letters", key.len());
    }
    assert_eq!(create(&"k".repeat(255), humans("twenty_one", 2)).await.status, 201);
}
