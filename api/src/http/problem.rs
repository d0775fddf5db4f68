//! Errors as clients see them: `application/problem+json` (RFC 9457), in English or Japanese.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use rules::strict::Unreadable;
use rules::text::{Fault, Refusal, Text};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::language::Language;

/// The media type of every error.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// The longest detail, in characters.
const DETAIL_LIMIT: usize = 600;

/// Every kind of problem: its code, its status, its title in both languages, and what its page
/// tells a reader to do about it.
macro_rules! kinds {
    ($($kind:ident $status:ident $code:literal $en:literal $ja:literal $mend_en:literal $mend_ja:literal;)*) => {
        /// A kind of problem. The code never changes; the page at `/problems/<code>` explains it.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Kind { $(#[doc = $en] $kind,)* }

        impl Kind {
            /// Every kind, in the order of their statuses.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The HTTP status.
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$kind => StatusCode::$status,)* }
            }

            /// The stable code.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$kind => $code,)* }
            }

            /// The title.
            pub const fn title(self) -> Text {
                match self { $(Self::$kind => Text::fixed($en, $ja),)* }
            }

            /// How to mend it in general.
            pub const fn mend(self) -> Text {
                match self { $(Self::$kind => Text::fixed($mend_en, $mend_ja),)* }
            }
        }
    };
}

kinds! {
    BadRequest BAD_REQUEST "bad-request" "The request cannot be read" "リクエストを読めません"
        "Compare the body and the parameters with the description at /docs; the detail names the place." "本文とパラメーターを /docs の仕様と見比べてください。detail に場所が示されています。";
    TokenRequired UNAUTHORIZED "token-required" "A token is needed" "トークンが必要です"
        "Send the seat's or player's token: Authorization: Bearer <token>." "席かプレイヤーのトークンを Authorization: Bearer <token> で送ってください。";
    UnknownToken UNAUTHORIZED "unknown-token" "The token is unknown" "トークンが不明です"
        "Send the token as it was given when the seat was created or claimed." "席の作成・着席のときに渡されたトークンをそのまま送ってください。";
    Forbidden FORBIDDEN "forbidden" "The token is not for this" "このトークンでは行えません"
        "Use the token of a seat of this match." "この試合の席のトークンを使ってください。";
    AnalysisOff FORBIDDEN "analysis-off" "This match allows no analysis" "この試合では解析できません"
        "The match was created with analysis switched off; it can be analysed once it is finished." "解析なしで作られた試合です。終局後に解析できます。";
    PreflightRefused FORBIDDEN "preflight-refused" "The page may not send this request" "このページからは送れないリクエストです"
        "Pages of any origin may GET; the operator lists those that may POST in CORS_ORIGINS." "GET はどのオリジンのページからも送れます。POST を送れるオリジンは運営者が CORS_ORIGINS に並べます。";
    NotFound NOT_FOUND "not-found" "There is nothing here" "見つかりません"
        "Check the address; the paths there are stand in /openapi.json." "アドレスを確かめてください。パスの一覧は /openapi.json にあります。";
    UnknownWord NOT_FOUND "unknown-word" "The word is not in the lexicon" "辞書にない言葉です"
        "Search with GET /v1/words, or add the word to extra_words where a match allows it." "GET /v1/words で探すか、試合の extra_words に加えてください。";
    MethodNotAllowed METHOD_NOT_ALLOWED "method-not-allowed" "This path has no such method" "このパスでは使えないメソッドです"
        "The Allow header names the methods there are." "使えるメソッドは Allow ヘッダーにあります。";
    NotAcceptable NOT_ACCEPTABLE "not-acceptable" "None of the accepted media types is available" "求められた形式では返せません"
        "Accept application/json; for a stream of events text/event-stream or application/x-ndjson." "Accept に application/json（イベントのストリームでは text/event-stream か application/x-ndjson）を含めてください。";
    RequestTimeout REQUEST_TIMEOUT "request-timeout" "The request did not arrive in time" "リクエストが時間内に届きませんでした"
        "Send the whole body at once; a slow connection may try again with the same Idempotency-Key." "本文を一度に送ってください。回線が遅いときは同じ Idempotency-Key でもう一度送れます。";
    StaleVersion CONFLICT "stale-version" "The match has moved on" "局面が進んでいます"
        "Read the match again and decide anew; current_version tells where it stands." "試合を読み直して決め直してください。現在の版は current_version です。";
    NotYourTurn CONFLICT "not-your-turn" "It is not this seat's turn" "この席の手番ではありません"
        "Wait until to_act names the seat; GET the match with ?wait= to be told." "to_act に席が現れるまで待ってください（?wait= で待てます）。";
    MatchFinished CONFLICT "match-finished" "The match is finished" "試合は終わっています"
        "Nothing can be done in it any more; its record can be read." "もう手は打てません。記録は読めます。";
    MatchWaiting CONFLICT "match-waiting" "The match has not started" "試合は始まっていません"
        "It starts when every open seat is claimed." "空席がすべて埋まると始まります。";
    MatchNotFinished CONFLICT "match-not-finished" "The match is not finished" "試合は終わっていません"
        "The record holds every secret: it can be read after the end." "記録には秘密がすべて含まれるため、終局後に読めます。";
    SeatTaken CONFLICT "seat-taken" "The seat is taken" "席は埋まっています"
        "Claim another open seat, or create a match." "ほかの空席に着くか、新しい試合を作ってください。";
    RequestInProgress CONFLICT "request-in-progress" "The first request with this key is still running" "同じキーの最初のリクエストを処理中です"
        "Repeat the request after Retry-After seconds." "Retry-After の秒数をおいて、もう一度送ってください。";
    VersionMismatch PRECONDITION_FAILED "version-mismatch" "The match is not as If-Match expects" "If-Match の版と一致しません"
        "Read the match again and use its new ETag." "試合を読み直し、新しい ETag を使ってください。";
    PayloadTooLarge PAYLOAD_TOO_LARGE "payload-too-large" "The body is too large" "本文が大きすぎます"
        "Send at most 256 KiB; split batches of words." "本文は 256 KiB までです。言葉の検査は分けて送ってください。";
    UnsupportedMediaType UNSUPPORTED_MEDIA_TYPE "unsupported-media-type" "The body is not declared as JSON" "本文の形式が JSON ではありません"
        "Send Content-Type: application/json." "Content-Type: application/json を付けてください。";
    UnsupportedContentEncoding UNSUPPORTED_MEDIA_TYPE "unsupported-content-encoding" "The body is packed" "本文が圧縮されています"
        "Send the body as it is, without Content-Encoding." "Content-Encoding を付けず、本文をそのまま送ってください。";
    InvalidOptions UNPROCESSABLE_ENTITY "invalid-options" "The match cannot be set up so" "この設定では試合を作れません"
        "faults lists everything that is wrong, at once." "faults に誤りがすべて並んでいます。";
    IllegalAction UNPROCESSABLE_ENTITY "illegal-action" "The rules do not allow this" "規則に反する手です"
        "rule names the rule; GET legal-actions lists what is possible." "rule が規則の名前です。可能な手は legal-actions にあります。";
    NoSpelling UNPROCESSABLE_ENTITY "no-spelling" "The text cannot be spelled in letters" "文字に直せません"
        "Send one word in hiragana or katakana; candidates lists the readings of a known written form." "ひらがなかカタカナで一語だけ送ってください。知られた表記の読みは candidates にあります。";
    InvalidParameters UNPROCESSABLE_ENTITY "invalid-parameters" "A value is out of bounds" "値が範囲を外れています"
        "The detail names the value and its bounds." "detail に値と範囲が示されています。";
    IdempotencyKeyReused UNPROCESSABLE_ENTITY "idempotency-key-reused" "The Idempotency-Key was used for another request" "Idempotency-Key は別のリクエストで使われています"
        "Make a new key for each new request; keep it for its retries only." "新しいリクエストごとに新しいキーを使い、再送のときだけ同じキーにしてください。";
    UpgradeRequired UPGRADE_REQUIRED "upgrade-required" "This address is a WebSocket" "このアドレスは WebSocket です"
        "Open it with ws:// or wss://; over plain HTTP the same is at /events/stream." "ws:// か wss:// で開いてください。HTTP では /events/stream で同じ内容が得られます。";
    RateLimited TOO_MANY_REQUESTS "rate-limited" "Too many requests" "リクエストが多すぎます"
        "Wait for Retry-After seconds." "Retry-After の秒数だけ待ってください。";
    TooManyStreams TOO_MANY_REQUESTS "too-many-streams" "Too many streams are open" "開いているストリームが多すぎます"
        "Close a stream that is no longer read, or wait for Retry-After seconds." "読んでいないストリームを閉じるか、Retry-After の秒数だけ待ってください。";
    MatchDamaged INTERNAL_SERVER_ERROR "match-damaged" "The stored match cannot be read" "保存された試合を読めません"
        "Only this match is concerned; tell the operator its id and the X-Request-Id." "この試合だけの問題です。試合の id と X-Request-Id を運営者に知らせてください。";
    Internal INTERNAL_SERVER_ERROR "internal" "Something went wrong on the server" "サーバーで問題が起きました"
        "Nothing was changed. Report the X-Request-Id." "何も変わっていません。X-Request-Id を添えて知らせてください。";
    Busy SERVICE_UNAVAILABLE "busy" "The server has as many streams as it can carry" "サーバーのストリームが上限に達しています"
        "Try again after Retry-After seconds; what the streams tell can be read by GET meanwhile." "Retry-After の秒数をおいてもう一度試してください。その間も GET で読めます。";
    Unavailable SERVICE_UNAVAILABLE "unavailable" "The database is away" "データベースに接続できません"
        "Repeat the request after Retry-After seconds, with the same Idempotency-Key." "Retry-After の秒数をおいて、同じ Idempotency-Key でもう一度送ってください。";
}

/// A problem of one request. What it tells its client may repeat what that sent, a token in the
/// wrong place or a secret word; the log gets the code alone.
#[derive(Clone)]
pub struct Problem {
    kind: Kind,
    detail: Text,
    rule: Option<&'static str>,
    faults: Vec<Fault>,
    extras: Map<String, Value>,
    retry_after: Option<u64>,
}

/// How a problem is written.
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody {
    /// Where the kind of problem is explained.
    #[serde(rename = "type")]
    #[schema(examples("/problems/illegal-action"))]
    kind: String,
    /// What kind of problem it is, in the language asked for.
    #[schema(examples("The rules do not allow this"))]
    title: String,
    /// The HTTP status.
    #[schema(examples(422))]
    status: u16,
    /// What was wrong here and how to mend it, in the language asked for.
    #[schema(examples("か is not in the field; gather one of the field's letters."))]
    detail: String,
    /// The stable name of the kind.
    #[schema(examples("illegal-action"))]
    code: &'static str,
    /// The id of the rule that the action breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(examples("hachiku.gather"))]
    rule: Option<&'static str>,
    /// Everything that is wrong with a match's set-up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<FaultBody>,
    /// More that helps to mend it: `candidates`, `missing_letters`, `current_version`, …
    #[serde(flatten)]
    #[schema(additional_properties)]
    extras: Map<String, Value>,
}

/// One fault of a match's set-up.
#[derive(Serialize, ToSchema)]
#[schema(as = Fault)]
struct FaultBody {
    /// Where it stands in the request.
    #[schema(examples("options.capture_target"))]
    field: String,
    /// What is wrong and what would be right.
    message: String,
}

impl Problem {
    /// A problem of this kind.
    pub fn new(kind: Kind, detail: Text) -> Self {
        Self { kind, detail, rule: None, faults: Vec::new(), extras: Map::new(), retry_after: None }
    }

    /// A problem that needs no more words than its kind's advice.
    pub fn plain(kind: Kind) -> Self {
        Self::new(kind, kind.mend())
    }

    /// A set-up with faults.
    pub fn faults(faults: Vec<Fault>) -> Self {
        let detail = match faults.as_slice() {
            [fault] => Text::new(
                format!("{}: {}", fault.field, fault.message.en),
                format!("{}：{}", fault.field, fault.message.ja),
            ),
            _ => Kind::InvalidOptions.mend(),
        };
        Self { faults, ..Self::new(Kind::InvalidOptions, detail) }
    }

    /// A fault of one field of a set-up.
    pub fn fault(field: &str, en: impl Into<String>, ja: impl Into<String>) -> Self {
        Self::faults(vec![Fault::new(field, Text::new(en.into(), ja.into()))])
    }

    /// Adds a named value.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.extras.insert(name.to_owned(), value.into());
        self
    }

    /// Says when it is worth trying again, in seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// The kind.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The body in a language.
    pub fn body(&self, language: Language) -> ProblemBody {
        ProblemBody {
            kind: format!("/problems/{}", self.kind.code()),
            title: language.of(&self.kind.title()).to_owned(),
            status: self.kind.status().as_u16(),
            detail: clip(language.of(&self.detail)),
            code: self.kind.code(),
            rule: self.rule,
            faults: self
                .faults
                .iter()
                .map(|fault| FaultBody { field: fault.field.clone(), message: clip(language.of(&fault.message)) })
                .collect(),
            extras: self.extras.clone(),
        }
    }

    /// The answer in a language.
    pub fn response(&self, language: Language) -> HttpResponse {
        let mut response = HttpResponse::build(self.kind.status());
        response.insert_header((header::CONTENT_LANGUAGE, language.tag()));
        if let Some(seconds) = self.retry_after {
            response.insert_header((header::RETRY_AFTER, seconds));
        }
        if self.kind.status() == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")));
        }
        if self.kind == Kind::UnsupportedContentEncoding {
            response.insert_header((header::ACCEPT_ENCODING, HeaderValue::from_static("identity")));
        }
        response.content_type(MEDIA_TYPE).json(self.body(language))
    }
}

/// Text that may repeat what the client sent, at a length that can be read.
fn clip(text: &str) -> String {
    match text.char_indices().nth(DETAIL_LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rule {
            Some(rule) => write!(f, "{} ({rule})", self.kind.code()),
            None => f.write_str(self.kind.code()),
        }
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Problem({self})")
    }
}

/// The English answer; the `localize` middleware writes it again where Japanese is preferred.
impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.kind.status()
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = self.response(Language::English);
        response.extensions_mut().insert(self.clone());
        response
    }
}

/// What a client sent has not the form that it is to have.
impl From<Unreadable> for Problem {
    fn from(unreadable: Unreadable) -> Self {
        Self::new(Kind::BadRequest, Text::new(format!("{unreadable}."), format!("{unreadable:#}。")))
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self { rule: Some(refusal.rule), extras: refusal.extras, ..Self::new(Kind::IllegalAction, refusal.detail) }
    }
}

/// The database is away, or answers what it should not. What was asked may or may not have been
/// done; with an Idempotency-Key a retry tells.
impl From<sqlx::Error> for Problem {
    fn from(error: sqlx::Error) -> Self {
        if passes(&error) {
            tracing::warn!(%error, "the database is away");
            Self::plain(Kind::Unavailable).retry_after(1)
        } else {
            tracing::error!(%error, "the database refused a statement, or a row does not decode");
            Self::plain(Kind::Internal)
        }
    }
}

/// Whether a fault lies with the state that the database is in, and not with what was asked or read: it
/// passes, and the same may be tried again.
pub fn passes(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(cause) => is_passing(cause.code().as_deref()),
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) | sqlx::Error::TypeNotFound { .. } => false,
        _ => true,
    }
}

/// SQLSTATE classes of faults that pass: connection, resources, operator intervention, I/O,
/// serialization, read-only standby.
fn is_passing(sqlstate: Option<&str>) -> bool {
    sqlstate.is_none_or(|code| ["08", "53", "57", "58", "40", "25", "55"].iter().any(|class| code.starts_with(class)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_sent_stays_out_of_the_log() {
        let told = Text::new("“q0mZ3pZ8” is no seat.".to_owned(), "「q0mZ3pZ8」".to_owned());
        let problem = Problem::new(Kind::BadRequest, told).with("word", "q0mZ3pZ8");
        assert_eq!(format!("{problem} {problem:?}"), "bad-request Problem(bad-request)");
    }
}
