//! How high simulated towers stand: `cargo run --release -p takujo-rules --example tower -- 1000`
//! builds so many towers for each tremor with a careful and a careless stacker, prints the share that
//! stands at each die as a table, and draws `docs/tower.svg`.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use dictionary::Lexicon;
use physics::decimal::Milli;
use physics::world::Engine;
use rules::chance::{Chance, Key};
use rules::game::{Context, Game, Inquiry, Level, Thinking};
use rules::sainokawara::{Action, Event, Options, SPACES, Sainokawara, Stacking, Tremor};
use rules::seat::{SeatCount, Viewer};
use rules::time::Timestamp;

/// A careless stacker aims anywhere within so many millimetres of the middle of the die below.
const CARELESS: f64 = 4.0;

#[derive(Clone, Copy)]
struct Series {
    name: &'static str,
    tremor: Tremor,
    careful: bool,
    colour: &'static str,
}

const SERIES: [Series; 6] = [
    Series { name: "steady, careful", tremor: Tremor::Steady, careful: true, colour: "#1b7837" },
    Series { name: "normal, careful", tremor: Tremor::Normal, careful: true, colour: "#2166ac" },
    Series { name: "shaky, careful", tremor: Tremor::Shaky, careful: true, colour: "#b2182b" },
    Series { name: "steady, careless", tremor: Tremor::Steady, careful: false, colour: "#1b7837" },
    Series { name: "normal, careless", tremor: Tremor::Normal, careful: false, colour: "#2166ac" },
    Series { name: "shaky, careless", tremor: Tremor::Shaky, careful: false, colour: "#b2182b" },
];

/// What was measured of a series.
#[derive(Default)]
struct Measured {
    /// How many towers stood with at least this many dice, from 1.
    standing: [u32; SPACES],
    /// How long each placement took.
    times: Vec<Duration>,
}

/// Builds one tower of dice in random order; how many dice stood before it fell.
fn build(series: Series, seed: u32, times: &mut Vec<Duration>) -> u8 {
    let stream = |tag: u8| {
        let mut bytes = [tag; 32];
        bytes[..4].copy_from_slice(&seed.to_le_bytes());
        Chance::new(Key::derive(&bytes, &[0; 16], []), Arc::default())
    };
    let options =
        Options { stacking: Stacking::Simulated, tremor: series.tremor, enforce_clock: false, ..Options::default() };
    let options = Arc::new(options);
    let (mut chance, mut choices) = (stream(0), stream(1));
    let lexicon = Lexicon::empty();
    let mut game = Sainokawara::setup(&options, SeatCount::new(3).expect("3 to 6"));
    let mut log = Vec::new();
    loop {
        for event in log.drain(..) {
            match event {
                Event::TowerFell { number, .. } => return number - 1,
                Event::TowerCompleted { .. } => return SPACES as u8,
                _ => {}
            }
        }
        let seat = game.to_act().iter().next().expect("the round is not over");
        let mut legal = Vec::new();
        game.legal_actions(seat, Inquiry { lexicon: &lexicon, words: false }, &mut |action| {
            legal.push(action);
            ControlFlow::Continue(())
        });
        let is_stacking = game.view(Viewer::Public).stacking.is_some();
        let mut even = |span: f64| Milli::round((f64::from(choices.below(20_001)) / 10_000.0 - 1.0) * span);
        let action = match (is_stacking, series.careful) {
            (true, true) => {
                let mut thinking = Thinking { level: Level::Easy, lexicon: &lexicon, random: &mut choices };
                let view = game.view(Viewer::Seat(seat));
                Sainokawara::advise(&view, seat, &options, legal, &mut thinking).swap_remove(0).action
            }
            (true, false) => Action::Stack { x: even(CARELESS), y: even(CARELESS), turn: even(180.0), face: 1 },
            (false, _) => legal.swap_remove(choices.below(legal.len() as u32) as usize),
        };
        let mut context =
            Context { chance: &mut chance, now: Timestamp::from_millis(0), lexicon: &lexicon, world: &mut Engine };
        let began = Instant::now();
        game.apply(seat, &action, &mut context, &mut log).expect("it is legal");
        if is_stacking {
            times.push(began.elapsed());
        }
    }
}

fn measure(series: Series, towers: u32) -> Measured {
    let workers = thread::available_parallelism().map_or(1, usize::from) as u32;
    thread::scope(|scope| {
        let parts: Vec<_> = (0..workers)
            .map(|worker| {
                scope.spawn(move || {
                    let mut part = Measured::default();
                    for seed in (worker..towers).step_by(workers as usize) {
                        let height = build(series, seed, &mut part.times);
                        part.standing.iter_mut().take(height.into()).for_each(|count| *count += 1);
                    }
                    part
                })
            })
            .collect();
        parts.into_iter().fold(Measured::default(), |mut all, part| {
            let part = part.join().expect("the worker ends");
            all.standing.iter_mut().zip(part.standing).for_each(|(sum, count)| *sum += count);
            all.times.extend(part.times);
            all
        })
    })
}

fn main() -> std::io::Result<()> {
    let towers = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(1000);
    let mut times = Vec::new();
    let mut curves = Vec::new();
    println!("| stacker | {} |", (1..=SPACES).map(|n| n.to_string()).collect::<Vec<_>>().join(" | "));
    println!("|---{}|", "|---:".repeat(SPACES));
    for series in SERIES {
        let measured = measure(series, towers);
        let shares = measured.standing.map(|count| f64::from(count) / f64::from(towers));
        let cells: Vec<_> = shares.iter().map(|share| format!("{:.1}", share * 100.0)).collect();
        println!("| {} | {} |", series.name, cells.join(" | "));
        times.extend(measured.times);
        curves.push((series, shares));
    }
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
    println!("\n{} placements: median {:.1?}, 99th percentile {:.1?}", times.len(), at(50), at(99));
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tower.svg"), chart(&curves, towers))
}

/// The curves as an SVG picture: dice across, share of standing towers up.
fn chart(curves: &[(Series, [f64; SPACES])], towers: u32) -> String {
    let x = |die: usize| 60.0 + (die as f64 - 1.0) * 40.0;
    let y = |share: f64| 340.0 - share * 300.0;
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 780 400\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"780\" height=\"400\" fill=\"#fff\"/>\n",
    );
    let mut line = |text: std::fmt::Arguments<'_>| {
        let _ = writeln!(svg, "{text}");
    };
    line(format_args!("<text x=\"60\" y=\"24\" font-size=\"14\">Towers standing, of {towers} each (%)</text>"));
    for percent in (0..=100).step_by(25) {
        let height = y(f64::from(percent) / 100.0);
        line(format_args!("<path d=\"M60 {height}H580\" stroke=\"#ddd\"/>"));
        line(format_args!("<text x=\"52\" y=\"{}\" text-anchor=\"end\">{percent}</text>", height + 4.0));
    }
    for die in 1..=SPACES {
        line(format_args!("<text x=\"{}\" y=\"360\" text-anchor=\"middle\">{die}</text>", x(die)));
    }
    line(format_args!("<text x=\"320\" y=\"384\" text-anchor=\"middle\">dice</text>"));
    for (place, (series, shares)) in (0..).zip(curves) {
        let points: Vec<_> = (1..).zip(shares).map(|(die, &share)| format!("{},{:.1}", x(die), y(share))).collect();
        let dash = if series.careful { "none" } else { "6 4" };
        let style =
            format!("fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"", series.colour);
        line(format_args!("<polyline {style} points=\"{}\"/>", points.join(" ")));
        let height = 60 + place * 22;
        line(format_args!("<path {style} d=\"M610 {height}h36\"/>"));
        line(format_args!("<text x=\"654\" y=\"{}\">{}</text>", height + 4, series.name));
    }
    svg.push_str("</svg>\n");
    svg
}
