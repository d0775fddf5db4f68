//! `GET /`

use std::sync::LazyLock;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get};
use rules::text::Text;

use super::Page;
use crate::http::{Kind, Language};

/// What the server says of itself; the kinds of problems follow.
const HOME: Text = Text::fixed(
    "# takujo\n\n\
     An open game server for five Japanese table games, and a word service for しりとり.\n\n\
     - [The API, to be read and tried out](/docs/)\n\
     - [Its description for programs (OpenAPI 3.1)](/openapi.json)\n\
     - The rules: [八築](/docs/rules/hachiku), [サラマンダー](/docs/rules/salamander), [２１](/docs/rules/twenty_one), \
       [賽の河原](/docs/rules/sainokawara), [カムダカラ](/docs/rules/kamudakara)\n\
     - [For makers of clients](/docs/clients), [how chance is made and checked](/docs/chance), \
       [the tower](/docs/tower)\n\
     - [For makers of しりとり](/docs/words)\n\
     - [What finished matches tell](/docs/analytics), [the history in bulk](/docs/exports), \
       [a notebook](/docs/notebook)\n\
     - [The games](/v1/games) and [the lexicon](/v1/lexicon)\n\n\
     ## Problems\n\n",
    "# takujo（卓上）\n\n\
     日本のテーブルゲーム五つのゲームサーバーです。しりとりの言葉も調べられます。\n\n\
     - [API の説明（その場で試せます）](/docs/)\n\
     - [プログラム向けの仕様（OpenAPI 3.1）](/openapi.json)\n\
     - 遊び方（英語）：[八築](/docs/rules/hachiku)、[サラマンダー](/docs/rules/salamander)、\
       [２１](/docs/rules/twenty_one)、[賽の河原](/docs/rules/sainokawara)、[カムダカラ](/docs/rules/kamudakara)\n\
     - [クライアントを作る方へ（英語）](/docs/clients)、[乱数の作り方と記録の検証（英語）](/docs/chance)、\
       [塔（英語）](/docs/tower)\n\
     - [しりとりを作る方へ（英語）](/docs/words)\n\
     - [終わった対局の統計（英語）](/docs/analytics)、[履歴の書き出し（英語）](/docs/exports)、\
       [ノートブック（英語）](/docs/notebook)\n\
     - [ゲームの一覧](/v1/games)と[辞書](/v1/lexicon)\n\n\
     ## エラー\n\n",
);

static PAGES: LazyLock<[Page; 2]> = LazyLock::new(|| [Language::English, Language::Japanese].map(home));

fn home(language: Language) -> Page {
    let problems = Kind::ALL.iter().map(|kind| {
        let (code, title) = (kind.code(), kind.title());
        format!("- [`{code}`](/problems/{code}) {}\n", language.of(&title))
    });
    Page::of(&(language.of(&HOME).to_owned() + &problems.collect::<String>()), language, |_| None)
}

/// What this server is, and where everything is
#[utoipa::path(
    tag = "Operations",
    responses((status = 200, description = "A page to read, in English or Japanese", body = String, content_type = "text/html"))
)]
#[get("/")]
pub async fn home_page(request: HttpRequest) -> HttpResponse {
    let [english, japanese] = &*PAGES;
    let page = match Language::of_request(&request) {
        Language::English => english,
        Language::Japanese => japanese,
    };
    let mut response = page.show();
    response.headers_mut().insert(header::VARY, header::HeaderValue::from_static("Accept-Language"));
    response
}
