//! 1,000 words checked over HTTP, beside what cannot be avoided: reading and printing the same
//! JSON, and 1,000 bare look-ups in an FST of the same keys. One client, one connection; no
//! database is touched. `cargo bench -p takujo --bench words_over_http`

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use dictionary::{Letter, Lexicon, OwnWords, Policy, fold};
use fst::Map;
use serde::Deserialize;
use sqlx::postgres::PgPoolOptions;
use takujo::config::Given;
use takujo::startup;
use takujo::words::check::Verdicts;

const WORDS: usize = 1000;
const ROUNDS: usize = 300;

#[derive(Deserialize)]
struct Asked {
    words: Vec<String>,
}

/// Readings spread over the whole lexicon.
fn readings(lexicon: &Lexicon) -> Vec<String> {
    let mut all = Vec::new();
    lexicon.visit_spellings(&mut |letters| {
        all.extend(lexicon.entries(letters).next().map(|entry| entry.reading.to_owned()));
        ControlFlow::Continue(())
    });
    let step = all.len() / WORDS;
    (0..WORDS).map(|number| all[number * 379 % WORDS * step].clone()).collect()
}

fn key(letters: &[Letter]) -> Vec<u8> {
    letters.iter().map(|letter| letter.index() as u8 + 1).collect()
}

/// The middle one of many times.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

#[actix_web::main]
async fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let lexicon = Lexicon::standard(Some(folder.path()))?;
    let words = readings(&lexicon);
    let request = serde_json::to_vec(&serde_json::json!({"words": words}))?;

    let mut keys = Vec::new();
    lexicon.visit_spellings(&mut |letters| {
        keys.push(key(letters));
        ControlFlow::Continue(())
    });
    let bare = Map::from_iter(keys.into_iter().zip(0..))?;
    let folded: Vec<_> = words.iter().filter_map(|word| Some(key(fold(word).ok()?.spellings[0].letters()))).collect();

    let mut settings = Given::default().complete()?;
    settings.listen = ([127, 0, 0, 1], 0).into();
    settings.workers = 1;
    settings.rate_limit = 0;
    let pool = PgPoolOptions::new().connect_lazy("postgres:///takujo?host=/nowhere")?;
    let running = startup::serve(settings, pool, lexicon.clone())?;
    let address = format!("http://{}/v1/words/check", running.address);
    let server = running.server.handle();
    actix_web::rt::spawn(running.server);
    let client = reqwest::Client::new();

    let (policy, own) = (Policy::default(), OwnWords::default());
    let verdicts = words.iter().map(|word| lexicon.judge(word, &policy, &own)).collect();
    let answer = Verdicts { lexicon: lexicon.version(), words: verdicts };
    let (mut unavoidable, mut served, mut judged) = (Vec::new(), Vec::new(), Vec::new());
    // Alternating, so that whatever else the machine does hits all alike.
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let asked: Asked = serde_json::from_slice(&request)?;
        for key in &folded {
            black_box(bare.get(key));
        }
        black_box(serde_json::to_vec(&answer)?);
        unavoidable.push(start.elapsed());

        let start = Instant::now();
        for word in &asked.words {
            black_box(lexicon.judge(word, &policy, &own).valid);
        }
        judged.push(start.elapsed());

        let post = client.post(&address).header("Content-Type", "application/json").body(request.clone());
        let start = Instant::now();
        let body = post.send().await?.error_for_status()?.bytes().await?;
        served.push(start.elapsed());
        assert_eq!(body, serde_json::to_vec(&answer)?);
    }
    server.stop(true).await;
    let (unavoidable, served, judged) = (median(unavoidable), median(served), median(judged));
    println!("JSON read and printed, and {WORDS} bare look-ups: {unavoidable:?}");
    println!("{WORDS} verdicts alone:                             {judged:?}");
    println!("{WORDS} words checked over HTTP:                    {served:?}");
    println!("over HTTP ÷ unavoidable: {:.2}", served.as_secs_f64() / unavoidable.as_secs_f64());
    Ok(())
}
