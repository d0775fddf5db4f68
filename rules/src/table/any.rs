//! Tables of any game behind one face, for those who move JSON and know no game.

use std::fmt::Debug;
use std::marker::PhantomData;

use dictionary::Lexicon;
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::{Deviation, Entry, Head, Judgement, Plan, Step, Table, read_move};
use crate::chance::{Key, Script};
use crate::game::{Advice, Facts, Game, Inquiry, Level};
use crate::seat::{Seat, SeatCount, Viewer};
use crate::strict::{Strict, Unreadable, same_form};
use crate::text::{Fault, Text, counted};
use crate::time::Timestamp;

/// Legal actions as JSON.
#[derive(Debug)]
pub struct Legal {
    /// Each can be posted as it is.
    pub actions: Vec<Box<RawValue>>,
    /// Whether these are all.
    pub complete: bool,
}

/// References to the schemas of a game's types, and all schemas by name.
pub struct Schemas {
    /// Of the options.
    pub options: RefOr<Schema>,
    /// Of an action.
    pub action: RefOr<Schema>,
    /// Of a view.
    pub view: RefOr<Schema>,
    /// Of an event.
    pub event: RefOr<Schema>,
    /// Every named schema, these four among them.
    pub named: Vec<(String, RefOr<Schema>)>,
}

/// A game without its types.
pub trait AnyGame: Send + Sync {
    /// The game's facts.
    fn facts(&self) -> &'static Facts;

    /// Reads and checks a set-up, and lays the table. The options come back with defaults filled in.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    fn lay(&self, options: &Value, plan: Plan) -> Result<(Box<dyn AnyTable>, Value), Vec<Fault>>;

    /// An event of the log as a viewer may see it.
    ///
    /// # Errors
    /// Why the event does not decode.
    fn redact(&self, event: &Value, viewer: Viewer) -> Result<Value, String>;

    /// The schemas of the game's types.
    fn schemas(&self) -> Schemas;
}

/// A table without its game's types.
pub trait AnyTable: Send + Sync + Debug {
    /// A copy that can be tried out.
    fn clone_box(&self) -> Box<dyn AnyTable>;
    /// The referee's sheet.
    fn head(&self) -> &Head;
    /// See [`Table::set_chance`].
    fn set_chance(&mut self, key: Key);
    /// See [`Table::start`].
    ///
    /// # Errors
    /// Why it cannot start.
    fn start(&mut self, at: Timestamp, lexicon: &Lexicon) -> Result<Step, Judgement>;
    /// See [`Table::claim`].
    ///
    /// # Errors
    /// Why the seat cannot be taken.
    fn claim(&mut self, seat: Seat, name: String, at: Timestamp, lexicon: &Lexicon) -> Result<Step, Judgement>;
    /// See [`Table::act`].
    ///
    /// # Errors
    /// Why the action was not taken.
    fn act(&mut self, seat: Seat, action: &Value, at: Timestamp, lexicon: &Lexicon) -> Result<Step, Judgement>;
    /// See [`Table::bot_step`].
    fn bot_step(&mut self, at: Timestamp, lexicon: &Lexicon) -> Option<Step>;
    /// See [`Table::due`].
    fn due(&self) -> Option<Timestamp>;
    /// See [`Table::expire`].
    fn expire(&mut self, now: Timestamp, lexicon: &Lexicon) -> Option<Step>;
    /// See [`Game::is_slow`].
    fn is_slow(&self) -> bool;
    /// See [`Table::redo`].
    ///
    /// # Errors
    /// What about the step cannot be.
    fn redo(&mut self, step: &Step) -> Result<(), String>;
    /// See [`Table::replay`].
    ///
    /// # Errors
    /// The first thing that does not follow.
    fn replay(&mut self, step: &Step, lexicon: &Lexicon) -> Result<(), Deviation>;
    /// See [`Table::view`].
    fn view(&self, viewer: Viewer) -> Box<RawValue>;
    /// See [`Table::open_to`].
    fn open_to(&self, viewer: Viewer) -> Viewer;
    /// See [`Table::legal_actions`].
    fn legal_actions(&self, seat: Seat, inquiry: Inquiry<'_>, limit: usize) -> Legal;
    /// See [`Table::advise`].
    fn advise(&self, seat: Seat, level: Level, lexicon: &Lexicon) -> Vec<Advice<Value>>;
}

/// The registry's entry for a game.
pub const fn entry<G: Game>() -> impl AnyGame {
    Registered::<G>(PhantomData)
}

struct Registered<G>(PhantomData<fn() -> G>);

impl<G: Game> AnyGame for Registered<G> {
    fn facts(&self) -> &'static Facts {
        const { &G::FACTS }
    }

    fn lay(&self, options: &Value, plan: Plan) -> Result<(Box<dyn AnyTable>, Value), Vec<Fault>> {
        let facts = self.facts();
        let mut faults = Vec::new();
        let count = SeatCount::new(plan.seats.len()).filter(|count| facts.seats.contains(&(count.get() as u8)));
        if count.is_none() {
            faults.push(wrong_seats(facts, plan.seats.len()));
        }
        faults.extend(script_faults(facts, &plan.script));
        let options = match options {
            Value::Null => Ok(G::Options::default()),
            value => read_options::<G>(value),
        };
        match (options, count) {
            (Ok(options), Some(count)) => {
                faults.extend(G::check(&options, count, &plan.script));
                if faults.is_empty() {
                    let filled = super::to_json(&options);
                    return Ok((Box::new(Table::<G>::new(options, plan)), filled));
                }
            }
            (Err(unreadable), _) => faults.push(unreadable.within("options").into()),
            (Ok(_), None) => {}
        }
        Err(faults)
    }

    fn redact(&self, event: &Value, viewer: Viewer) -> Result<Value, String> {
        match Entry::<G::Event>::deserialize(event).map_err(|error| error.to_string())? {
            Entry::Table(_) => Ok(event.clone()),
            Entry::Game(event) => Ok(super::to_json(&G::redact(&event, viewer))),
        }
    }

    fn schemas(&self) -> Schemas {
        let mut named = Vec::new();
        let mut schema = |of: fn(&mut Vec<_>) -> RefOr<Schema>| of(&mut named);
        Schemas {
            options: schema(collect::<G::Options>),
            action: schema(collect::<G::Action>),
            view: schema(collect::<G::View>),
            event: schema(collect::<G::Event>),
            named,
        }
    }
}

/// Reads options as a client posts them.
fn read_options<G: Game>(value: &Value) -> Result<G::Options, Unreadable> {
    let options = G::Options::deserialize(Strict(value))?;
    same_form(value, &super::to_json(&options))?;
    Ok(options)
}

fn collect<T: ToSchema + PartialSchema>(named: &mut Vec<(String, RefOr<Schema>)>) -> RefOr<Schema> {
    T::schemas(named);
    named.push((T::name().into_owned(), T::schema()));
    Ref::from_schema_name(T::name()).into()
}

/// The fault of a set-up with too few seats or too many.
pub fn wrong_seats(facts: &Facts, given: usize) -> Fault {
    let seats = counted(&facts.seats);
    Fault::new(
        "seats",
        Text::new(
            format!("{} is for {seats} seats, not {given}", facts.name.en),
            format!("{}の席の数は{seats:#}です（{given}でした）", facts.name.ja),
        ),
    )
}

fn script_faults(facts: &Facts, script: &Script) -> Vec<Fault> {
    let mut faults = Vec::new();
    match &facts.dice {
        None if !script.dice.is_empty() => faults.push(Fault::new(
            "sandbox.dice",
            Text::new(format!("{} has no dice", facts.name.en), format!("{}にさいころはありません", facts.name.ja)),
        )),
        Some(faces) => {
            if let Some((at, face)) = script.dice.iter().enumerate().find(|(_, face)| !faces.contains(face)) {
                let (least, most) = (faces.start(), faces.end());
                faults.push(Fault::new(
                    format!("sandbox.dice[{at}]"),
                    Text::new(
                        format!("{face} is no face: they are {least} to {most}"),
                        format!("{face}の目はありません（{least}から{most}まで）"),
                    ),
                ));
            }
        }
        None => {}
    }
    if !facts.deck && !script.deck.is_empty() {
        faults.push(Fault::new(
            "sandbox.deck",
            Text::new(format!("{} has no deck", facts.name.en), format!("{}に山札はありません", facts.name.ja)),
        ));
    }
    faults
}

impl<G: Game> AnyTable for Table<G> {
    fn clone_box(&self) -> Box<dyn AnyTable> {
        Box::new(self.clone())
    }

    fn head(&self) -> &Head {
        self.head()
    }

    fn set_chance(&mut self, key: Key) {
        self.set_chance(key);
    }

    fn start(&mut self, at: Timestamp, lexicon: &Lexicon) -> Result<Step, Judgement> {
        self.start(at, lexicon)
    }

    fn claim(&mut self, seat: Seat, name: String, at: Timestamp, lexicon: &Lexicon) -> Result<Step, Judgement> {
        self.claim(seat, name, at, lexicon)
    }

    fn act(&mut self, seat: Seat, action: &Value, at: Timestamp, lexicon: &Lexicon) -> Result<Step, Judgement> {
        let action = read_move(action).map_err(Judgement::Unreadable)?;
        self.act(seat, action, at, lexicon)
    }

    fn bot_step(&mut self, at: Timestamp, lexicon: &Lexicon) -> Option<Step> {
        self.bot_step(at, lexicon)
    }

    fn due(&self) -> Option<Timestamp> {
        self.due()
    }

    fn expire(&mut self, now: Timestamp, lexicon: &Lexicon) -> Option<Step> {
        self.expire(now, lexicon)
    }

    fn is_slow(&self) -> bool {
        self.game().is_slow()
    }

    fn redo(&mut self, step: &Step) -> Result<(), String> {
        self.redo(step)
    }

    fn replay(&mut self, step: &Step, lexicon: &Lexicon) -> Result<(), Deviation> {
        self.replay(step, lexicon)
    }

    fn view(&self, viewer: Viewer) -> Box<RawValue> {
        raw(&self.view(viewer))
    }

    fn open_to(&self, viewer: Viewer) -> Viewer {
        self.open_to(viewer)
    }

    fn legal_actions(&self, seat: Seat, inquiry: Inquiry<'_>, limit: usize) -> Legal {
        let (actions, complete) = self.legal_actions(seat, inquiry, limit);
        Legal { actions: actions.iter().map(raw).collect(), complete }
    }

    fn advise(&self, seat: Seat, level: Level, lexicon: &Lexicon) -> Vec<Advice<Value>> {
        self.advise(seat, level, lexicon)
            .into_iter()
            .map(|advice| Advice { action: super::to_json(&advice.action), value: advice.value })
            .collect()
    }
}

/// Views and actions are plain data: they always have a JSON form.
fn raw<T: serde::Serialize>(value: &T) -> Box<RawValue> {
    to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// The named schemas as a JSON object, for documents of their own.
impl Schemas {
    /// One self-contained JSON Schema a type, with what they refer to under `$defs`.
    pub fn to_json_schemas(&self) -> Map<String, Value> {
        let local = |schema: &RefOr<Schema>| {
            let text = super::to_json(schema).to_string().replace("#/components/schemas/", "#/$defs/");
            serde_json::from_str::<Value>(&text).unwrap_or_default()
        };
        let defs: Map<_, _> = self.named.iter().map(|(name, schema)| (name.clone(), local(schema))).collect();
        [("options", &self.options), ("action", &self.action), ("view", &self.view), ("event", &self.event)]
            .into_iter()
            .map(|(name, schema)| {
                let mut schema = local(schema);
                if let Value::Object(fields) = &mut schema {
                    fields.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
                    fields.insert("$defs".into(), Value::Object(defs.clone()));
                }
                (name.to_owned(), schema)
            })
            .collect()
    }
}
