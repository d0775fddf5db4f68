//! The word service over HTTP, as a maker of しりとり apps uses it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::server::{Answer, Server};

async fn check(server: &Server, words: &[&str]) -> Vec<Value> {
    let answer = server.post("/v1/words/check", None, &json!({"words": words})).await.expect(200);
    answer["words"].as_array().unwrap().clone()
}

/// The address of a word.
fn path_of(word: &str) -> String {
    use std::fmt::Write;
    word.bytes().fold("/v1/words/".to_owned(), |mut path, byte| {
        write!(path, "%{byte:02X}").unwrap();
        path
    })
}

async fn raw(server: &Server, path: &str, body: impl Into<Vec<u8>>) -> Answer {
    let request = server.request(Method::POST, path).header("Content-Type", "application/json").body(body.into());
    server.send(request).await
}

fn readings(answer: &Value) -> Vec<&str> {
    answer["words"].as_array().unwrap().iter().map(|word| word["reading"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn a_batch_is_answered_in_order_and_names_its_lexicon() {
    let server = Server::start().await;
    let words = ["ねこ", "けぬむろ", "ねこ", "隠れる", "Tシャツx", "ーか"];
    let answer = server.post("/v1/words/check", None, &json!({"words": words})).await.expect(200);
    assert!(answer["lexicon"].as_str().unwrap().starts_with("standard-"));
    let verdicts = answer["words"].as_array().unwrap();
    for (verdict, word) in verdicts.iter().zip(words) {
        assert_eq!(verdict["input"], word);
    }
    let reasons: Vec<_> = verdicts.iter().map(|verdict| verdict["reason"].as_str()).collect();
    assert_eq!(
        reasons,
        [None, Some("unknown"), None, Some("class-not-allowed"), Some("not-kana"), Some("no-spelling")]
    );
}

#[actix_web::test]
async fn a_batch_says_of_each_word_what_it_says_of_the_word_alone() {
    let server = Server::start().await;
    let words =
        ["いなづま", "稲妻", "ｶﾞﾏ", "がま", "コーヒー", "けぬむろ", "かえる", "京都", "a/b", "", "ー", "ヱビス", "生"];
    let batch = check(&server, &words).await;
    for (word, verdict) in words.iter().zip(&batch) {
        assert_eq!(check(&server, &[word]).await[0], *verdict);
        if word.is_empty() {
            continue;
        }
        let alone = server.get(&path_of(word), None).await;
        if alone.status == 404 {
            assert_eq!(alone.json()["reason"], verdict["reason"]);
            assert_eq!(verdict["valid"], false);
        } else {
            let mut alone = alone.expect(200);
            alone.as_object_mut().unwrap().remove("lexicon");
            assert_eq!(alone, *verdict);
        }
    }
}

#[actix_web::test]
async fn policy_and_own_words_change_the_verdict_of_one_request_only() {
    let server = Server::start().await;
    let body = json!({"words": ["隠れる", "ねこ", "けぬむろ"], "policy": {"classes": ["verb", "common"]},
        "extra": ["けぬむろ"], "banned": ["ねこ"]});
    let answer = server.post("/v1/words/check", None, &body).await.expect(200);
    let valid: Vec<_> = answer["words"].as_array().unwrap().iter().map(|word| word["valid"].clone()).collect();
    assert_eq!(valid, [true, false, true]);
    let plain = check(&server, &["隠れる", "ねこ", "けぬむろ"]).await;
    assert!(plain.iter().map(|word| word["valid"].as_bool().unwrap()).eq([false, true, false]));
}

#[actix_web::test]
async fn bad_batches_are_refused_with_the_place() {
    let server = Server::start().await;
    let many = |count: usize| json!({"words": vec!["ねこ"; count]});
    assert_eq!(server.post("/v1/words/check", None, &many(1000)).await.status, 200);
    for (body, status, code) in [
        (json!({"words": []}), 422, "invalid-parameters"),
        (many(1001), 422, "invalid-parameters"),
        (json!({}), 400, "bad-request"),
        (json!([]), 400, "bad-request"),
        (json!({"words": "ねこ"}), 400, "bad-request"),
        (json!({"words": [1]}), 400, "bad-request"),
        (json!({"words": ["ねこ"], "polcy": {}}), 400, "bad-request"),
        (json!({"words": ["ねこ"], "policy": {"classes": ["noun"]}}), 400, "bad-request"),
        (json!({"words": ["ねこ"], "policy": {"classes": ["verb", "verb"]}}), 400, "bad-request"),
        (json!({"words": ["ねこ"], "policy": {"classes": []}}), 422, "invalid-parameters"),
        (json!({"words": ["ねこ"], "extra": ["猫"]}), 422, "invalid-parameters"),
        (json!({"words": ["ねこ"], "banned": vec!["か"; 201]}), 422, "invalid-parameters"),
    ] {
        assert_eq!(server.post("/v1/words/check", None, &body).await.code(status), code, "{body}");
    }
    let broken = raw(&server, "/v1/words/check", b"{\"words\":[\"\xE3\x81\"]}").await;
    assert_eq!(broken.code(400), "bad-request");
    let large = raw(&server, "/v1/words/check", format!("{{\"words\":[\"{}\"]}}", "あ".repeat(90_000))).await;
    assert_eq!(large.code(413), "payload-too-large");
    let undeclared = server.request(Method::POST, "/v1/words/check").body("{\"words\":[\"ねこ\"]}");
    assert_eq!(server.send(undeclared).await.code(415), "unsupported-media-type");
    assert_eq!(server.post("/v1/words/check?lexicon=none", None, &many(1)).await.code(422), "invalid-parameters");
    assert_eq!(server.post("/v1/words/check?lexcon=standard", None, &many(1)).await.code(400), "bad-request");
    assert_eq!(server.post("/v1/words/check?lexicon=standard", None, &many(1)).await.status, 200);
}

#[actix_web::test]
async fn odd_words_are_words_that_do_not_exist() {
    let server = Server::start().await;
    let long = "あ".repeat(10_000);
    for verdict in check(&server, &[&long, "\u{0}\u{1b}[2J", "\u{3099}", "ねこ\n", " ", "👍"]).await {
        assert_eq!(verdict["valid"], false, "{verdict}");
    }
    for word in ["けぬむろ", "a/b", "%%", "%E7%8C%AB", "++", "\u{0}", "ねこ\n", &long[..6000]] {
        let answer = server.get(&path_of(word), None).await;
        assert_eq!(answer.code(404), "unknown-word", "{word}");
    }
    assert_eq!(server.get("/v1/words/%E3%81", None).await.code(400), "bad-request");
    assert_eq!(server.get("/v1/words/%FF", None).await.code(400), "bad-request");
    assert_eq!(server.get("/v1/words/", None).await.code(404), "not-found");
    assert_eq!(server.get("/v1/words/ねこ/いぬ", None).await.code(404), "not-found");
}

#[actix_web::test]
async fn one_word_is_found_by_its_address() {
    let server = Server::start().await;
    let cat = server.get("/v1/words/猫", None).await.expect(200);
    assert_eq!((&cat["valid"], &cat["entries"][0]["reading"]), (&json!(true), &json!("ねこ")));
    for (address, sign, reading) in [("%25", "%", "ぱーせんと"), ("+", "+", "ぷらす"), ("%2B", "+", "ぷらす")]
    {
        let found = server.get(&format!("/v1/words/{address}"), None).await.expect(200);
        assert_eq!((&found["input"], &found["entries"][0]["reading"]), (&json!(sign), &json!(reading)));
    }
    // Beyond the Basic Multilingual Plane, and with a selector of the glyph.
    for (form, reading) in [("𩸽", "ほっけ"), ("𠮟", "しかり"), ("葛\u{e0100}飾", "かつしか")] {
        let found = server.get(&path_of(form), None).await.expect(200);
        let entries = found["entries"].as_array().unwrap();
        assert!(entries.iter().any(|entry| entry["reading"] == reading), "{found}");
        assert_eq!(check(&server, &[form]).await[0]["entries"], found["entries"]);
    }
    let hide = server.get("/v1/words/隠れる", None).await.expect(200);
    assert_eq!(hide["reason"], "class-not-allowed");
    let verbs = server.get("/v1/words/隠れる?class=verb", None).await.expect(200);
    assert_eq!(verbs["valid"], true);
    assert_eq!(server.get("/v1/words/猫?class=noun", None).await.code(422), "invalid-parameters");
    assert_eq!(server.get("/v1/words/猫?clas=verb", None).await.code(400), "bad-request");

    let request = server.request(Method::GET, "/v1/words/けぬむろ").header("Accept-Language", "ja");
    let problem = server.send(request).await;
    assert_eq!(problem.headers["content-language"], "ja");
    assert!(problem.json()["detail"].as_str().unwrap().contains("「けぬむろ」は辞書にありません"), "{}", problem.text);
    assert_eq!(problem.code(404), "unknown-word");
}

#[actix_web::test]
async fn every_address_says_which_methods_it_has() {
    let server = Server::start().await;
    for (path, allow) in [
        ("/v1/words/check", "POST"),
        ("/v1/words/normalize", "POST"),
        ("/v1/shiritori/check", "POST"),
        ("/v1/shiritori/next", "POST"),
        ("/v1/words", "GET, HEAD"),
        ("/v1/words/%E7%8C%AB", "GET, HEAD"),
        ("/v1/lexicon", "GET, HEAD"),
    ] {
        let wrong = if allow.starts_with("GET") { Method::POST } else { Method::GET };
        for method in [wrong, Method::DELETE] {
            let answer = server.send(server.request(method, path)).await;
            assert_eq!(answer.headers["allow"], allow, "{path}");
            assert_eq!(answer.code(405), "method-not-allowed");
        }
    }
}

#[actix_web::test]
async fn normalizing_tells_every_rule() {
    let server = Server::start().await;
    let answer = server.post("/v1/words/normalize", None, &json!({"text": "ﾂﾞｰ"})).await.expect(200);
    assert_eq!((&answer["hiragana"], &answer["spellings"]), (&json!("づー"), &json!(["すう", "つう"])));
    let steps = answer["steps"].as_array().unwrap();
    assert!(steps.iter().map(|step| step["rule"].as_str().unwrap()).eq(["width", "hiragana", "long", "zu"]));
    for pair in steps.windows(2) {
        assert_eq!(pair[0]["to"], pair[1]["from"]);
    }
    for (text, reason) in [
        ("ねこ1", "not-kana"),
        ("ーか", "no-spelling"),
        ("", "no-spelling"),
        ("\u{0}", "not-kana"),
        (&"か".repeat(10_000), "too-long"),
    ] {
        let answer = server.post("/v1/words/normalize", None, &json!({"text": text})).await;
        assert_eq!(answer.json()["reason"], reason);
        assert_eq!(answer.code(422), "no-spelling");
    }
    let kanji = server.post("/v1/words/normalize", None, &json!({"text": "市場"})).await;
    assert_eq!(kanji.json()["candidates"], json!(["いちば", "しじょう"]));
    assert_eq!(server.post("/v1/words/normalize", None, &json!({"text": 1})).await.code(400), "bad-request");
}

#[actix_web::test]
async fn searching_pages_through_everything_once() {
    let server = Server::start().await;
    for question in ["starts_with=ねこ", "letters=えかるきしねこ&order=length", "ends_with=っきょく&order=common"]
    {
        let all = server.get(&format!("/v1/words?{question}&limit=500"), None).await.expect(200);
        assert!(all["next_cursor"].is_null(), "{question}");
        let (mut paged, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = server.get(&format!("/v1/words?{question}&limit=7{cursor}"), None).await.expect(200);
            assert_eq!(page["lexicon"], all["lexicon"]);
            paged.extend(page["words"].as_array().unwrap().clone());
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert!(paged.len() > 7, "{question}");
        assert_eq!(Value::from(paged), all["words"], "{question}");
    }
}

#[actix_web::test]
async fn a_search_obeys_every_condition() {
    let server = Server::start().await;
    let path = "/v1/words?starts_with=か&ends_with=る&contains=え&min_length=3&max_length=4&distinct=true&class=common,verb&limit=500";
    let found = server.get(path, None).await.expect(200);
    assert!(readings(&found).contains(&"かえる"));
    for word in found["words"].as_array().unwrap() {
        for spelling in word["spellings"].as_array().unwrap() {
            let letters: Vec<char> = spelling.as_str().unwrap().chars().collect();
            let different: std::collections::BTreeSet<_> = letters.iter().collect();
            assert!(letters.starts_with(&['か']) && letters.ends_with(&['る']) && letters.contains(&'え'));
            assert!((3..=4).contains(&letters.len()) && different.len() == letters.len(), "{word}");
        }
        assert!(["common", "verb"].contains(&word["class"].as_str().unwrap()));
    }
    let alphabet = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん";
    let page = server.get(&format!("/v1/words?letters={alphabet}"), None).await.expect(200);
    assert_eq!(page["words"].as_array().unwrap().len(), 50);
}

#[actix_web::test]
async fn bad_searches_are_refused() {
    let server = Server::start().await;
    let first = server.get("/v1/words?starts_with=か&limit=5", None).await.expect(200);
    let cursor = first["next_cursor"].as_str().unwrap();
    let foreign = format!("starts_with=き&cursor={cursor}");
    for (question, status) in [
        ("limit=0", 422),
        ("limit=501", 422),
        ("limit=99999999999999999999999", 400),
        ("limit=-1", 400),
        ("order=random", 400),
        ("min_length=x", 400),
        ("min_length=5&max_length=4", 422),
        ("max_length=0", 422),
        ("min_length=101", 422),
        ("distinct=maybe", 400),
        ("class=noun", 422),
        ("class=", 422),
        ("letters=かか", 422),
        ("letters=猫", 422),
        ("starts_with=", 422),
        ("starts_with=%E3%81", 422),
        ("starts_with=%00", 422),
        ("ends_with=ー", 422),
        ("starts_with=か&starts_with=き", 400),
        ("start_with=か", 400),
        ("cursor=nonsense", 422),
        ("cursor=0.0.0.00000000", 422),
        (&foreign, 422),
        ("lexicon=none", 422),
    ] {
        let code = server.get(&format!("/v1/words?{question}"), None).await.code(status);
        assert_eq!(code, if status == 400 { "bad-request" } else { "invalid-parameters" }, "{question}");
    }
    let request = server.request(Method::GET, "/v1/words?letters=かか").header("Accept-Language", "ja");
    assert!(server.send(request).await.text.contains("一度ずつ"));
    for (language, remedy) in
        [("en", "the kana before it too (such as らー)"), ("ja", "前の仮名も付けて（「らー」など）")]
    {
        let request = server.request(Method::GET, "/v1/words?ends_with=ー").header("Accept-Language", language);
        let detail = server.send(request).await.json()["detail"].clone();
        assert!(detail.as_str().is_some_and(|detail| detail.contains(remedy)), "{detail}");
    }
}

#[actix_web::test]
async fn a_chain_is_judged_by_its_rules() {
    let server = Server::start().await;
    let chain = |words: Value, rules: Value| {
        let server = &server;
        async move { server.post("/v1/shiritori/check", None, &json!({"words": words, "rules": rules})).await.expect(200) }
    };
    let holds = chain(json!(["しりとり", "りす", "西瓜", "かめ"]), json!({})).await;
    assert_eq!((&holds["valid"], &holds["next_must_start_with"]), (&json!(true), &json!(["め"])));
    assert_eq!(holds["rules"]["preset"], "everyday");

    let coffee = |rules| chain(json!(["コーヒー"]), rules);
    assert_eq!(coffee(json!({})).await["next_must_start_with"], json!(["い"]));
    assert_eq!(coffee(json!({"long_vowel": "base"})).await["next_must_start_with"], json!(["ひ"]));
    assert_eq!(coffee(json!({"preset": "hachiku"})).await["next_must_start_with"], json!(["い"]));

    for (words, rules, index, reason) in [
        (json!(["しりとり", "かめ"]), json!({}), 1, "wrong-start"),
        (json!(["しりとり", "りけぬ"]), json!({}), 1, "unknown"),
        (json!(["しりとり", "りんかん"]), json!({}), 1, "ends-in-n"),
        (json!(["いか", "かい", "イカ"]), json!({}), 2, "repeated"),
        (json!(["市場", "牛", "しじょう"]), json!({}), 2, "repeated"),
        (json!(["いか", "かえる"]), json!({"min_length": 4}), 0, "too-short"),
        (json!(["隠れる"]), json!({}), 0, "class-not-allowed"),
        (json!(["ーか"]), json!({}), 0, "no-spelling"),
    ] {
        let answer = chain(words, rules).await;
        let error = &answer["first_error"];
        assert_eq!((&error["index"], &error["reason"]), (&json!(index), &json!(reason)));
        assert_eq!(answer["valid"], false);
    }
    let expected = &chain(json!(["しりとり", "かめ"]), json!({})).await["first_error"]["expected"];
    assert_eq!(*expected, json!(["り"]));
}

#[actix_web::test]
async fn the_next_word_follows_and_was_not_said() {
    let server = Server::start().await;
    let ask = |body: Value| {
        let server = &server;
        async move { server.post("/v1/shiritori/next", None, &body).await.expect(200) }
    };
    let first = ask(json!({"after": "しりとり", "limit": 3})).await;
    let used = readings(&first);
    assert!(used.len() == 3 && used.iter().all(|word| word.starts_with('り') && !word.ends_with('ん')));
    let again = ask(json!({"after": "しりとり", "used": used, "limit": 500})).await;
    assert!(readings(&again).iter().all(|word| !used.contains(word)));

    let strong = ask(json!({"after": "しりとり", "order": "fewest_answers", "limit": 20})).await;
    let leaves: Vec<_> = strong["words"].as_array().unwrap().iter().map(|word| word["leaves"].as_u64()).collect();
    assert!(leaves.is_sorted() && leaves[0].is_some());

    let page = ask(json!({"after": "しりとり", "limit": 3, "cursor": first["next_cursor"]})).await;
    assert!(readings(&page).iter().all(|word| !used.contains(word)));

    let end = ask(json!({"starts_with": "ん"})).await;
    assert_eq!(end["dead_end"], end["words"] == json!([]));
    let none = ask(json!({"after": "りんかん"})).await;
    assert_eq!((&none["dead_end"], &none["words"]), (&json!(true), &json!([])));
    let market = ask(json!({"after": "市場"})).await;
    assert_eq!(market["candidates"], json!(["いちば", "しじょう"]));
}

#[actix_web::test]
async fn bad_questions_about_shiritori_are_refused() {
    let server = Server::start().await;
    for (path, body, status) in [
        ("check", json!({"words": []}), 422),
        ("check", json!({"words": vec!["ねこ"; 1001]}), 422),
        ("check", json!({"words": ["ねこ"], "rules": {"preset": "easy"}}), 400),
        ("check", json!({"words": ["ねこ"], "rules": {"min_length": 0}}), 422),
        ("check", json!({"words": ["ねこ"], "rules": {"min_length": 300}}), 400),
        ("check", json!({"words": ["ねこ"], "rules": {"classes": []}}), 422),
        ("check", json!({"words": ["ねこ"], "extra": ["猫"]}), 422),
        ("check", json!({"word": ["ねこ"]}), 400),
        ("next", json!({}), 422),
        ("next", json!({"after": "ねこ", "starts_with": "こ"}), 422),
        ("next", json!({"after": "けぬ漢"}), 422),
        ("next", json!({"after": "か".repeat(10_000)}), 422),
        ("next", json!({"after": "ねこ", "limit": 0}), 422),
        ("next", json!({"after": "ねこ", "limit": 1_000_000_000}), 422),
        ("next", json!({"after": "ねこ", "cursor": "1.2.3.00000000"}), 422),
        ("next", json!({"after": "ねこ", "order": "best"}), 400),
        ("next", json!({"after": "ねこ", "used": vec!["ねこ"; 1001]}), 422),
    ] {
        let code = server.post(&format!("/v1/shiritori/{path}"), None, &body).await.code(status);
        assert_eq!(code, if status == 400 { "bad-request" } else { "invalid-parameters" }, "{path} {body}");
    }
}

#[actix_web::test]
async fn the_lexicon_tells_what_it_is() {
    let server = Server::start().await;
    let lexicon = server.get("/v1/lexicon", None).await.expect(200);
    assert_eq!((&lexicon["version"], &lexicon["lexicons"]), (&lexicon["lexicon"], &json!(["standard"])));
    assert_eq!(lexicon["checksum"].as_str().unwrap().len(), 64);
    for source in lexicon["sources"].as_array().unwrap() {
        assert!(["licence", "notice", "version"].iter().all(|name| !source[name].as_str().unwrap().is_empty()));
    }
    let verdict = server.post("/v1/words/check", None, &json!({"words": ["ねこ"]})).await.expect(200);
    assert_eq!(verdict["lexicon"], lexicon["lexicon"]);
}

/// The operator's list changes verdicts while the server runs; a match that began before keeps the
/// verdicts it has had, and its lexicon's name.
#[actix_web::test]
async fn own_words_are_read_again_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("words.txt");
    std::fs::write(&list, "けぬむろ # ours\n").unwrap();
    let database = crate::server::database().await;
    let server = Server::on(&database, |settings| settings.own_words = Some(list.clone())).await;
    let before = server.get("/v1/words/けぬむろ", None).await.expect(200);
    assert_eq!(before["valid"], true);
    assert!(before["lexicon"].as_str().unwrap().contains('+'));
    let duel = server.create(&json!({"game": "hachiku", "seats": [{}, {}]})).await;
    let began = duel.public().await["lexicon"].clone();
    assert_eq!(began, before["lexicon"]);

    std::fs::write(&list, "-けぬむろ\n-ねこ\n").unwrap();
    for _ in 0..100 {
        if server.get("/v1/words/けぬむろ", None).await.status == 404 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    let now = check(&server, &["けぬむろ", "ねこ"]).await;
    assert!(now.iter().all(|word| word["valid"] == false && word["reason"] == "unknown"), "{now:?}");
    let lexicon = server.get("/v1/lexicon", None).await.expect(200);
    assert_ne!(lexicon["lexicon"], before["lexicon"]);
    assert_eq!(duel.public().await["lexicon"], began);
}

#[actix_web::test]
async fn a_second_lexicon_is_asked_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.bin");
    let tiny = dictionary::Lexicon::build([dictionary::Row::new("けぬむろ", dictionary::Class::Common, &["毛塗室"])]);
    tiny.unwrap().save(&path).unwrap();
    let named = format!("tiny={}", path.display()).parse().unwrap();
    let database = crate::server::database().await;
    let server = Server::on(&database, |settings| settings.lexicons = vec![named]).await;
    assert_eq!(server.get("/v1/lexicon", None).await.expect(200)["lexicons"], json!(["standard", "tiny"]));
    assert_eq!(server.get("/v1/words/毛塗室?lexicon=tiny", None).await.expect(200)["valid"], true);
    assert_eq!(server.get("/v1/words/毛塗室", None).await.status, 404);
    assert_eq!(readings(&server.get("/v1/words?lexicon=tiny", None).await.expect(200)), ["けぬむろ"]);
    let next = server.post("/v1/shiritori/next?lexicon=tiny", None, &json!({"starts_with": "け"})).await.expect(200);
    assert_eq!(readings(&next), ["けぬむろ"]);
    let version = server.get("/v1/lexicon?lexicon=tiny", None).await.expect(200);
    assert_eq!(version["lexicon"], next["lexicon"]);
}
