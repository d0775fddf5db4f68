//! Pages of the documentation that the server shows itself.

use std::sync::LazyLock;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pulldown_cmark::{Options, Parser, html};
use rules::text::Text;
use sha2::{Digest, Sha256};

use crate::http::{Kind, Language};

/// How the pages look, in light and in dark.
const STYLE: &str = "\
:root{color-scheme:light dark}\
body{max-width:48rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif}\
pre{overflow-x:auto;padding:.75rem;border:1px solid #8886}\
code{font-size:.9em}\
table{border-collapse:collapse}\
td,th{padding:.25rem .75rem;border:1px solid #8886;text-align:left;vertical-align:top}";

/// What the server says of itself; the kinds of problems follow.
const HOME: Text = Text::fixed(
    "# takujo\n\n\
     An open game server for five Japanese table games, and a word service for しりとり.\n\n\
     - [The API, to be read and tried out](/docs/)\n\
     - [Its description for programs (OpenAPI 3.1)](/openapi.json)\n\
     - [How chance is made, and how a record is checked](/docs/chance)\n\
     - [The games](/v1/games) and [the lexicon](/v1/lexicon)\n\n\
     ## Problems\n\n",
    "# takujo（卓上）\n\n\
     日本のテーブルゲーム五つのゲームサーバーです。しりとりの言葉も調べられます。\n\n\
     - [API の説明（その場で試せます）](/docs/)\n\
     - [プログラム向けの仕様（OpenAPI 3.1）](/openapi.json)\n\
     - [乱数の作り方と記録の検証（英語）](/docs/chance)\n\
     - [ゲームの一覧](/v1/games)と[辞書](/v1/lexicon)\n\n\
     ## エラー\n\n",
);

/// A page that is ready to be shown.
struct Page {
    html: String,
    language: Language,
    /// What the page may load: its own style and nothing else.
    policy: String,
}

static CHANCE: LazyLock<Page> = LazyLock::new(|| Page::of(include_str!("../../docs/chance.md"), Language::English));
static HOME_PAGES: LazyLock<[Page; 2]> = LazyLock::new(|| [Language::English, Language::Japanese].map(home));

impl Page {
    /// The page that a text in Markdown makes; its first heading is the title.
    fn of(markdown: &str, language: Language) -> Self {
        let title = markdown.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("takujo");
        let mut body = String::new();
        html::push_html(&mut body, Parser::new_ext(markdown, Options::ENABLE_TABLES));
        let html = format!(
            "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head>\n\
             <body>\n{body}</body></html>\n",
            language.tag()
        );
        let style = BASE64_STANDARD.encode(Sha256::digest(STYLE));
        Self { html, language, policy: format!("default-src 'none'; style-src 'sha256-{style}'") }
    }

    fn show(&self) -> HttpResponse {
        HttpResponse::Ok()
            .insert_header((header::CONTENT_LANGUAGE, self.language.tag()))
            .insert_header((header::CONTENT_SECURITY_POLICY, self.policy.as_str()))
            .content_type("text/html; charset=utf-8")
            .body(self.html.clone())
    }
}

fn home(language: Language) -> Page {
    let problems = Kind::ALL.iter().map(|kind| {
        let (code, title) = (kind.code(), kind.title());
        format!("- [`{code}`](/problems/{code}) {}\n", language.of(&title))
    });
    Page::of(&(language.of(&HOME).to_owned() + &problems.collect::<String>()), language)
}

/// What this server is, and where everything is
#[utoipa::path(
    tag = "Operations",
    responses((status = 200, description = "A page to read, in English or Japanese", body = String, content_type = "text/html"))
)]
#[get("/")]
pub async fn home_page(request: HttpRequest) -> HttpResponse {
    let [english, japanese] = &*HOME_PAGES;
    let page = match Language::of_request(&request) {
        Language::English => english,
        Language::Japanese => japanese,
    };
    let mut response = page.show();
    response.headers_mut().insert(header::VARY, header::HeaderValue::from_static("Accept-Language"));
    response
}

/// How chance is made, and how a record is checked
#[utoipa::path(
    tag = "Operations",
    responses((status = 200, description = "A page to read", body = String, content_type = "text/html"))
)]
#[get("/docs/chance")]
pub async fn chance_page() -> HttpResponse {
    CHANCE.show()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_a_page_with_its_tables_and_nothing_to_load() {
        let page = Page::of("# Dice\n\n| a |\n|---|\n| 1 < 2 |\n", Language::English);
        assert!(page.html.contains("<title>Dice</title>") && page.html.contains("<h1>Dice</h1>"));
        assert!(page.html.contains("<td>1 &lt; 2</td>"), "{}", page.html);
        assert!(page.policy.starts_with("default-src 'none'; style-src 'sha256-"));
        assert!(!CHANCE.html.contains("src=") && CHANCE.html.contains("<table>"));
    }
}
