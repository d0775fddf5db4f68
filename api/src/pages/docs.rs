//! The documentation, for who has only the server.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use actix_web::get;
use rules::text::Text;

use super::Page;
use crate::history::filter::PathGame;
use crate::http::{Kind, Language, PathId, Problem, ProblemBody, Reply};

macro_rules! files {
    ($end:literal: $($name:literal)*) => {
        [$(($name, include_str!(concat!("../../../docs/", $name, $end)))),*]
    };
}

static TEXTS: LazyLock<BTreeMap<&str, Page>> = LazyLock::new(|| {
    let texts = files![".md":
        "analytics" "chance" "clients" "exports" "notebook" "tower" "words" "rules/hachiku" "rules/kamudakara"
        "rules/sainokawara" "rules/salamander" "rules/twenty_one"
    ];
    texts.into_iter().map(|(name, text)| (name, Page::of(text, Language::English, picture))).collect()
});

/// The picture of a file's name.
fn picture(file: &str) -> Option<&'static str> {
    let pictures = files![".svg":
        "analytics-speed" "notebook-lengths" "notebook-ratings" "notebook-seats" "notebook-totals" "notebook-towers"
        "tower"
    ];
    let name = file.strip_suffix(".svg")?;
    pictures.into_iter().find(|(known, _)| *known == name).map(|(_, svg)| svg)
}

/// A page of the documentation, by its name.
///
/// # Errors
/// [`Kind::NotFound`] with the names that there are.
fn page(name: &str) -> Reply {
    TEXTS.get(name).map(Page::show).ok_or_else(|| {
        let there = TEXTS.keys().copied().collect::<Vec<_>>().join(", ");
        Problem::new(
            Kind::NotFound,
            Text::new(
                format!("There is no such page under /docs; there are {there}."),
                format!("/docs にそのページはありません。あるのは次のページです：{there}"),
            ),
        )
    })
}

/// Documentation to read
///
/// `analytics`, `chance`, `clients`, `exports`, `notebook`, `tower`, `words`.
#[utoipa::path(
    tag = "Operations",
    params(("id" = String, Path, description = "The page's name", example = "chance")),
    responses(
        (status = 200, description = "A page to read", body = String, content_type = "text/html"),
        (status = 404, description = "`not-found`: no such page", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/docs/{id:[a-z]+}")]
pub async fn docs_page(PathId(name): PathId<String>) -> Reply {
    page(&name)
}

/// The rules of a game to read
#[utoipa::path(
    tag = "Operations",
    params(("game" = String, Path, description = "The game's id", example = "hachiku")),
    responses(
        (status = 200, description = "A page to read", body = String, content_type = "text/html"),
        (status = 404, description = "`not-found`: no such game", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/docs/rules/{game}")]
pub async fn rules_page(PathGame(game): PathGame) -> Reply {
    page(&format!("rules/{}", game.facts().id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_of_a_page_leads_to_a_page_and_every_picture_is_in_it() {
        for (name, page) in TEXTS.iter() {
            let folder = if name.contains('/') { "rules/" } else { "" };
            for link in page.html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let at = format!("{folder}{}", link.split('#').next().unwrap_or_default());
                let at = at.strip_prefix("rules/../").unwrap_or(&at);
                let known = link.starts_with("http") || link.starts_with('#') || TEXTS.contains_key(at);
                assert!(known, "{name} has a link to {link}");
            }
            for source in page.html.split("src=\"").skip(1) {
                assert!(source.starts_with("data:image/svg+xml"), "{name}: {}", &source[..40]);
            }
        }
        assert!(TEXTS["chance"].html.contains("<table>"));
    }

    #[test]
    fn every_game_has_its_rules() {
        for game in rules::registry::games() {
            assert!(TEXTS.contains_key(format!("rules/{}", game.facts().id).as_str()));
        }
    }
}
