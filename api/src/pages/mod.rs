//! Pages to read that the server shows itself.

pub mod docs;
pub mod home;

use actix_web::HttpResponse;
use actix_web::http::header;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pulldown_cmark::{Event, Options, Parser, Tag, html};
use sha2::{Digest, Sha256};

use crate::http::Language;

/// How the pages look, in light and in dark.
const STYLE: &str = "\
:root{color-scheme:light dark}\
img{max-width:100%}\
body{max-width:48rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif}\
pre{overflow-x:auto;padding:.75rem;border:1px solid #8886}\
code{font-size:.9em}\
table{border-collapse:collapse}\
td,th{padding:.25rem .75rem;border:1px solid #8886;text-align:left;vertical-align:top}";

/// A page that is ready to be shown.
struct Page {
    html: String,
    language: Language,
    /// What the page may load: its own style, pictures that stand in it, and nothing else.
    policy: String,
}

impl Page {
    /// The page that a text in Markdown makes; its first heading is the title. Links to other texts lead to their
    /// pages, and pictures stand in the page: `picture` gives the SVG of a name.
    fn of(markdown: &str, language: Language, picture: impl Fn(&str) -> Option<&'static str>) -> Self {
        let title = markdown.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("takujo");
        let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).map(|event| match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = dest_url.replacen(".md", "", 1).into();
                Event::Start(Tag::Link { link_type, dest_url, title, id })
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let inside = picture(&dest_url).map(|svg| data_url(svg).into());
                Event::Start(Tag::Image { link_type, dest_url: inside.unwrap_or(dest_url), title, id })
            }
            other => other,
        });
        let mut body = String::new();
        html::push_html(&mut body, events);
        let html = format!(
            "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head>\n\
             <body>\n{body}</body></html>\n",
            language.tag()
        );
        let style = BASE64_STANDARD.encode(Sha256::digest(STYLE));
        Self { html, language, policy: format!("default-src 'none'; style-src 'sha256-{style}'; img-src data:") }
    }

    fn show(&self) -> HttpResponse {
        HttpResponse::Ok()
            .insert_header((header::CONTENT_LANGUAGE, self.language.tag()))
            .insert_header((header::CONTENT_SECURITY_POLICY, self.policy.as_str()))
            .content_type("text/html; charset=utf-8")
            .body(self.html.clone())
    }
}

/// A picture as an address that holds it.
fn data_url(svg: &str) -> String {
    format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(svg))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_a_page_with_its_tables_and_pictures_and_nothing_to_load() {
        let picture = |name: &str| (name == "dice.svg").then_some("<svg/>");
        let text = "# Dice\n\n| a |\n|---|\n| 1 < 2 |\n\n![Six](dice.svg) [more](../other.md#there)\n";
        let page = Page::of(text, Language::English, picture);
        assert!(page.html.contains("<title>Dice</title>") && page.html.contains("<h1>Dice</h1>"));
        assert!(page.html.contains("<td>1 &lt; 2</td>"), "{}", page.html);
        assert!(page.html.contains(r#"<img src="data:image/svg+xml;base64,PHN2Zy8+" alt="Six""#), "{}", page.html);
        assert!(page.html.contains(r#"<a href="../other#there">more</a>"#), "{}", page.html);
        assert!(page.policy.starts_with("default-src 'none'; style-src 'sha256-"));
    }
}
