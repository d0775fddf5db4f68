//! Every route of the description, so that a test which walks them forgets none.

use reqwest::Method;
use serde_json::{Value, json};

use crate::server::{Match, Server};

/// A route, with something that there is in its path.
pub struct Route {
    pub method: Method,
    /// As the description has it, such as `/v1/games/{id}`.
    pub pattern: String,
    pub path: String,
    /// What the description says of it.
    pub operation: Value,
}

/// All routes; those of matches lead to this one, where seat 1 and version 1 are named.
pub async fn all(server: &Server, table: &Match<'_>) -> Vec<Route> {
    let description = server.get("/openapi.json", None).await.expect(200);
    let player = server.post("/v1/players", None, &json!({"name": "先生"})).await.expect(201);
    let player = player["player"].as_str().unwrap();
    let mut routes = Vec::new();
    for (pattern, item) in description["paths"].as_object().unwrap() {
        let path = pattern
            .replace("/v1/matches/{id}", &table.path)
            .replace("/v1/players/{id}", &format!("/v1/players/{player}"))
            .replace("/v1/games/{id}", "/v1/games/twenty_one")
            .replace("/problems/{id}", "/problems/not-found")
            .replace("/docs/{id}", "/docs/chance")
            .replace("{game}", "twenty_one")
            .replace("{seat}", "1")
            .replace("{version}", "1")
            .replace("{word}", "%E3%81%AD%E3%81%93");
        assert!(!path.contains('{'), "say here what to put into {pattern}");
        for (method, operation) in item.as_object().unwrap() {
            let method = method.to_uppercase().parse().unwrap();
            let (pattern, path) = (pattern.clone(), path.clone());
            routes.push(Route { method, pattern, path, operation: operation.clone() });
        }
    }
    assert!(routes.len() >= 35, "{} routes", routes.len());
    routes
}

impl Route {
    /// The parameters in the query, with their schemas.
    pub fn query(&self) -> Vec<(&str, &Value)> {
        let parameters = self.operation["parameters"].as_array().into_iter().flatten();
        let parameters = parameters.filter(|parameter| parameter["in"] == "query");
        parameters.map(|parameter| (parameter["name"].as_str().unwrap(), &parameter["schema"])).collect()
    }

    /// Whether it takes a body.
    pub fn takes_a_body(&self) -> bool {
        self.operation.get("requestBody").is_some()
    }

    /// Whether it answers with this status, as the description says.
    pub fn answers(&self, status: u16) -> bool {
        self.operation["responses"].get(status.to_string()).is_some()
    }

    /// Whether it answers for as long as there is something to tell.
    pub fn is_a_stream(&self) -> bool {
        self.pattern.ends_with("/stream") || self.pattern.ends_with("/ws")
    }
}
