//! The description of the API, made from the routes themselves.

use std::collections::BTreeMap;

use actix_web::http::Method;
use actix_web::web::Bytes;
use rules::registry;
use rules::table::TableEvent;
use utoipa::openapi::path::{Operation, Parameter, ParameterIn};
use utoipa::openapi::schema::{SchemaType, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Object, OpenApi, PathItem, RefOr, Required, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use crate::http::params::text_limit;
use crate::matches::answer::{Resign, ResignType};
use crate::matches::follow::{Connected, Ended, Ending};
use crate::matches::socket::{SocketAction, SocketAnswer};

/// The header that makes a request safe to repeat.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[allow(dead_code, reason = "it only describes the header")]
pub struct IdempotencyKey {
    /// A fresh key for each new request, the same for its retries: they get the first answer again.
    #[param(
        rename = "Idempotency-Key",
        min_length = 1,
        max_length = 255,
        example = "0f4c9f2e-5b3f-4b0e-9d54-3f6f0f1a2b3c"
    )]
    key: Option<String>,
}

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "takujo",
        description = "The open game server for five Japanese table games, and a word service for しりとり.\n\nErrors are `application/problem+json` (RFC 9457) with a stable `code`, in Japanese with `Accept-Language: ja`. Any request may also get 406 `not-acceptable`, 429 `rate-limited` or 503 `unavailable`, the last two with `Retry-After`. Bodies are JSON as it is: one with a `Content-Encoding` gets 415 `unsupported-content-encoding`, one that does not arrive in time 408 `request-timeout`. `from` and `to` are times (RFC 3339) or days, which stand for their first moment in UTC.",
        license(name = "Apache-2.0 OR MIT", identifier = "Apache-2.0 OR MIT")
    ),
    tags(
        (name = "Games", description = "What can be played"),
        (name = "Matches", description = "Create, join, play, watch, read again"),
        (name = "Players", description = "People who link their seats"),
        (name = "Exports", description = "The history in bulk"),
        (name = "Analytics", description = "What finished matches tell"),
        (name = "Words", description = "Check, normalise and search Japanese words"),
        (name = "Operations", description = "For those who run the server")
    )
)]
struct Frame;

/// The description without its paths, to be filled by the routes.
pub fn frame() -> OpenApi {
    <Frame as utoipa::OpenApi>::openapi()
}

/// Completes what the routes have put together.
pub fn complete(mut api: OpenApi) -> OpenApi {
    let components = api.components.get_or_insert_default();
    for (name, schema) in registry::games().into_iter().flat_map(|game| game.schemas().named) {
        components.schemas.insert(name, schema);
    }
    let mut named = vec![(TableEvent::name().into_owned(), TableEvent::schema())];
    TableEvent::schemas(&mut named);
    for describe in [SocketAction::schemas, SocketAnswer::schemas] {
        describe(&mut named);
    }
    named.extend([
        (SocketAction::name().into_owned(), SocketAction::schema()),
        (SocketAnswer::name().into_owned(), SocketAnswer::schema()),
        (Resign::name().into_owned(), Resign::schema()),
        (ResignType::name().into_owned(), ResignType::schema()),
        (Connected::name().into_owned(), Connected::schema()),
        (Ended::name().into_owned(), Ended::schema()),
        (Ending::name().into_owned(), Ending::schema()),
    ]);
    components.schemas.extend(named);
    spread_choices(&mut components.schemas);
    for (name, description) in [
        ("seat_token", "The token of a seat, given when the match is created or the seat is claimed."),
        ("player_token", "The token of a player, for every seat that the player holds."),
    ] {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(description)).build();
        components.add_security_scheme(name, SecurityScheme::Http(scheme));
    }
    free_bodies(&mut api);
    bound_texts(&mut api);
    api
}

/// States of bodies in which no field must be there that they may be left out.
fn free_bodies(api: &mut OpenApi) {
    let named = api.components.as_ref().map(|components| &components.schemas);
    let is_free = |schema: &RefOr<Schema>| {
        let objects = named.and_then(|named| objects_of(schema, named));
        objects.is_some_and(|objects| objects.iter().any(|object| object.required.is_empty()))
    };
    let posts = api.paths.paths.values_mut().filter_map(|item| item.post.as_mut()?.request_body.as_mut());
    for body in posts {
        let RefOr::T(body) = body else { continue };
        let contents = body.content.values().filter_map(|content| match content {
            RefOr::T(content) => content.schema.as_ref(),
            RefOr::Ref(_) => None,
        });
        body.required = Some(if contents.into_iter().any(is_free) { Required::False } else { Required::True });
    }
}

/// States the longest text that an address takes where a parameter says nothing narrower, and which
/// games there are.
fn bound_texts(api: &mut OpenApi) {
    for item in api.paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
        let parameters = operations.into_iter().flatten().filter_map(|operation| operation.parameters.as_mut());
        for parameter in parameters.flatten() {
            let RefOr::T(parameter) = parameter else { continue };
            if !matches!(parameter.parameter_in, ParameterIn::Query | ParameterIn::Path) {
                continue;
            }
            let names_a_game = parameter.name == "game" && parameter.parameter_in == ParameterIn::Path;
            if let Some(RefOr::T(Schema::Object(object))) = &mut parameter.schema {
                let is_text = match &object.schema_type {
                    SchemaType::Type(one) => *one == Type::String,
                    SchemaType::Array(several) => several.contains(&Type::String),
                    SchemaType::AnyValue => false,
                };
                if names_a_game {
                    object.enum_values = Some(registry::games().iter().map(|game| game.facts().id.into()).collect());
                } else if is_text && object.enum_values.is_none() && object.format.is_none() {
                    object.max_length.get_or_insert(text_limit(&parameter.name));
                }
            }
        }
    }
}

/// Writes choices among variants that are put together of parts (`allOf`) as choices among plain
/// objects, which say the same: many a generator of clients reads no other.
fn spread_choices(schemas: &mut BTreeMap<String, RefOr<Schema>>) {
    let named = schemas.clone();
    for schema in schemas.values_mut() {
        if let RefOr::T(Schema::OneOf(choice)) = schema {
            choice.items = choice.items.iter().flat_map(|item| plain(item, &named)).collect();
        }
    }
}

/// A variant as one or more plain objects; as it is, where it is not put together of such.
fn plain(item: &RefOr<Schema>, named: &BTreeMap<String, RefOr<Schema>>) -> Vec<RefOr<Schema>> {
    let RefOr::T(Schema::AllOf(parts)) = item else { return vec![item.clone()] };
    let mut whole = Object::default();
    whole.description.clone_from(&parts.description);
    let objects = parts.items.iter().try_fold(vec![whole], |wholes, part| {
        let choices = objects_of(part, named)?;
        Some(wholes.iter().flat_map(|whole| choices.iter().map(|part| joined(whole, part))).collect())
    });
    objects.map_or_else(|| vec![item.clone()], |objects| objects.into_iter().map(RefOr::from).collect())
}

/// The objects that a schema is a choice of.
fn objects_of<'a>(schema: &'a RefOr<Schema>, named: &'a BTreeMap<String, RefOr<Schema>>) -> Option<Vec<&'a Object>> {
    match schema {
        RefOr::Ref(name) => objects_of(named.get(name.ref_location.rsplit('/').next()?)?, named),
        RefOr::T(Schema::Object(object)) => Some(vec![object]),
        RefOr::T(Schema::OneOf(choice)) => {
            let objects: Option<Vec<_>> = choice.items.iter().map(|item| objects_of(item, named)).collect();
            Some(objects?.concat())
        }
        RefOr::T(_) => None,
    }
}

fn joined(whole: &Object, part: &Object) -> Object {
    let mut whole = whole.clone();
    whole.properties.extend(part.properties.clone());
    whole.required.extend(part.required.clone());
    whole
}

/// The routes there are: the served description, and what each path has.
pub struct Routes {
    document: Bytes,
    paths: Vec<(actix_web::dev::ResourceDef, PathItem)>,
}

impl Routes {
    /// From the completed description.
    pub fn new(api: &OpenApi) -> Self {
        let paths = &api.paths.paths;
        let paths = paths.iter().map(|(path, item)| (actix_web::dev::ResourceDef::new(path.as_str()), item.clone()));
        Self { document: to_text(api).into(), paths: paths.collect() }
    }

    /// The description as JSON.
    pub fn document(&self) -> Bytes {
        self.document.clone()
    }

    /// The methods of a path; none where there is no such path.
    pub fn methods_of(&self, path: &str) -> Vec<&'static str> {
        self.operations(path).map(|(method, _)| method).collect()
    }

    /// Whether there is such a route, and it has no parameter in its query.
    pub fn has_no_query(&self, method: &Method, path: &str) -> bool {
        let route = self.operations(path).find(|(name, _)| method == name);
        let is_in_query = |parameter: &RefOr<Parameter>| match parameter {
            RefOr::T(parameter) => parameter.parameter_in == ParameterIn::Query,
            RefOr::Ref(_) => false,
        };
        route.is_some_and(|(_, operation)| !operation.parameters.iter().flatten().any(is_in_query))
    }

    /// What there is at a path, by its methods. A path that is spelled out comes before one with a
    /// parameter in its place: `{` sorts after every letter.
    fn operations(&self, path: &str) -> impl Iterator<Item = (&'static str, &Operation)> {
        let item = self.paths.iter().find(|(route, _)| route.is_match(path)).map(|(_, item)| item);
        let operations = item.into_iter().flat_map(|item| {
            [
                ("GET", &item.get),
                ("HEAD", &item.get),
                ("POST", &item.post),
                ("PUT", &item.put),
                ("PATCH", &item.patch),
                ("DELETE", &item.delete),
            ]
        });
        operations.filter_map(|(method, operation)| Some((method, operation.as_ref()?)))
    }
}

/// The description as it is checked in: JSON with two spaces and a newline at its end.
pub fn to_text(api: &OpenApi) -> String {
    let mut text = api.to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}
