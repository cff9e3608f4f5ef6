//! Games that are over, as a file: those of the caller, or of an event. They are read and sent page by page, so that an
//! export takes little memory however long it is. `docs/behaviour/notation.md`, `docs/behaviour/programs.md#exports`.

use std::{collections::HashMap, ops::Range, sync::Arc};

use chrono::{DateTime, Utc};
use morpion_openapi::{Timestamp, game::ExportFormat};
use morpion_rules::{EventId, GameId, Status, UserId};
use morpion_store::GamesOf;
use poem::{Body, IntoResponse, Response, http::Uri};
use poem_openapi::{
    ApiResponse,
    registry::{MetaMediaType, MetaResponse, MetaResponses, Registry},
    types::Type,
};
use url::form_urlencoded;
use uuid::Uuid;

use super::{
    ApiError,
    convert::play::{self as convert, Heading},
    encoding::Streamed,
    streamed::{ALL_TIME, GAME_EXPORTS, Pages, place_of, streamed},
};
use crate::{
    account::limits::RateLimit,
    app::App,
    caller::{Call, Caller},
    play::view::GameView,
    shares::Place,
};

/// Titles of events that an export of many of them keeps.
const MOST_TITLES: usize = 1_000;

/// Which games are exported, and how.
#[derive(Debug)]
pub struct GameExport {
    /// The caller's own if it is absent.
    pub event: Option<Uuid>,
    pub format: ExportFormat,
    /// Created from then on.
    pub since: Option<Timestamp>,
    /// Created before then.
    pub until: Option<Timestamp>,
}

impl GameExport {
    const PARAMETERS: [&'static str; 4] = ["eventId", "format", "since", "until"];

    /// Refuses a query with other parameters: what is misspelt must not be the same as everything.
    ///
    /// # Errors
    /// 400, with the name.
    pub fn check_query(uri: &Uri) -> Result<(), ApiError> {
        let query = uri.query().unwrap_or_default();
        let unknown = form_urlencoded::parse(query.as_bytes())
            .map(|(name, _)| name)
            .find(|name| !Self::PARAMETERS.contains(&name.as_ref()));
        match unknown {
            None => Ok(()),
            Some(name) => {
                let known = Self::PARAMETERS.join(", ");
                Err(ApiError::malformed(format!("{name}: there is no such parameter. Use {known}.")))
            }
        }
    }

    fn created(&self) -> Range<DateTime<Utc>> {
        let all = ALL_TIME;
        self.since.map_or(all.start, Timestamp::utc)..self.until.map_or(all.end, Timestamp::utc)
    }
}

/// Games as a file that browsers save, generated while it is sent.
#[derive(Debug)]
pub struct GameFile {
    format: ExportFormat,
    event: Option<Uuid>,
    body: Body,
}

const NDJSON: &str = "application/x-ndjson";
const TEXT: &str = "text/plain; charset=utf-8";

impl IntoResponse for GameFile {
    fn into_response(self) -> Response {
        let (content_type, ending) = match self.format {
            ExportFormat::Ndjson => (NDJSON, "ndjson"),
            ExportFormat::Notation => (TEXT, "txt"),
        };
        let event = self.event.map(|event| format!("-event-{event}")).unwrap_or_default();
        Response::builder()
            .content_type(content_type)
            .header("cache-control", "no-store")
            .header("content-disposition", format!("attachment; filename=\"morpion-games{event}.{ending}\""))
            .extension(Streamed)
            .body(self.body)
    }
}

impl ApiResponse for GameFile {
    fn meta() -> MetaResponses {
        let content = [NDJSON, TEXT].map(|content_type| MetaMediaType { content_type, schema: String::schema_ref() });
        MetaResponses {
            responses: vec![MetaResponse {
                description: "The games, newest first: a `Replay` as JSON on each line, or text with tags.",
                status: Some(200),
                status_range: None,
                content: content.into(),
                headers: vec![],
            }],
        }
    }

    fn register(_registry: &mut Registry) {}
}

impl App {
    /// The games that are over of the caller, or of an event.
    ///
    /// # Errors
    /// 401 for visitors; 404 for an event that the caller may not see; 422 where an operator token names none; 429 for too
    /// many an hour, 503 for too many at once; the store is unavailable. If it becomes so later, the body breaks off.
    pub async fn export_games(self: Arc<Self>, call: &Call, asked: GameExport) -> Result<GameFile, ApiError> {
        call.caller.signed_in()?;
        let of = match asked.event {
            Some(event) => GamesOf::Event(event),
            None if matches!(call.caller, Caller::Operator(_)) => {
                return Err(ApiError::invalid("eventId", "An operator token has no games of its own: name an event."));
            }
            None => GamesOf::User(call.caller.user()?.user_id.0),
        };
        let mut texts = Texts::new(&self, call.caller.clone());
        if let GamesOf::Event(event) = of {
            texts.know_event(EventId(event)).await?;
        }
        let place = admitted(&self, call)?;
        self.play.begin_reading(of).await?;
        let (created, format) = (asked.created(), asked.format);
        let send = move |pages: Pages| async move { send_games(texts, of, created, format, &pages).await };
        Ok(GameFile { format, event: asked.event, body: streamed(self.cluster.clone(), place, send) })
    }
}

/// A place for a file of games or results.
///
/// # Errors
/// 401 for visitors; 429 for too many an hour, 503 for too many at once.
pub fn admitted(app: &App, call: &Call) -> Result<Place, ApiError> {
    call.caller.signed_in()?;
    // An operator token counts as an account of its own.
    let account =
        call.caller.user_id().or(call.caller.credential_id().map(UserId)).ok_or_else(ApiError::not_signed_in)?;
    let place = place_of(&GAME_EXPORTS, account, call.address)?;
    app.accounts.limits().check(RateLimit::GameExport, account)?;
    Ok(place)
}

/// Whether anything was played, or decided.
fn is_exported(view: &GameView) -> bool {
    view.game.status() == Status::Completed || !view.game.history().is_empty()
}

async fn send_games(
    mut texts: Texts,
    of: GamesOf,
    created: Range<DateTime<Utc>>,
    format: ExportFormat,
    pages: &Pages,
) -> Result<(), ApiError> {
    let mut place = None;
    loop {
        let mut page = texts.app.play.games_over(of, created.clone(), place).await?;
        page.games.retain(is_exported);
        let mut text = String::new();
        match format {
            ExportFormat::Ndjson => {
                for view in &page.games {
                    let replay = convert::replay(&texts.app.accounts.people, view);
                    text.push_str(&serde_json::to_string(&replay).map_err(ApiError::internal)?);
                    text.push('\n');
                }
            }
            ExportFormat::Notation => {
                for game in texts.of(&mut page.games).await? {
                    text.push_str(&game);
                    text.push('\n');
                }
            }
        }
        if !pages.send(text).await? || page.place.is_none() {
            return Ok(());
        }
        place = page.place;
    }
}

/// Writes games as text with tags, for a reader.
pub struct Texts {
    app: Arc<App>,
    reader: Caller,
    site: String,
    /// Of events that the reader may see.
    titles: HashMap<EventId, Option<String>>,
    /// The stage round and the board of the games of one event.
    rounds: HashMap<GameId, (u32, u32)>,
}

impl Texts {
    pub fn new(app: &Arc<App>, reader: Caller) -> Self {
        let site = app.config.public_origin().to_string();
        Self { app: Arc::clone(app), reader, site, titles: HashMap::new(), rounds: HashMap::new() }
    }

    /// Learns in which stage rounds an event's games are.
    ///
    /// # Errors
    /// 404 for an event that the reader may not see.
    async fn know_event(&mut self, event: EventId) -> Result<(), ApiError> {
        let view = self.app.events.rounds(&self.reader, event, None).await?;
        for (round, of_round) in (1..).zip(&view.rounds) {
            for found in &of_round.matches {
                let games = found.games.iter().map(|(game, _)| (*game, (round, found.pairing.board)));
                self.rounds.extend(games);
            }
        }
        Ok(())
    }

    /// The texts of games.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn of(&mut self, games: &mut [GameView]) -> Result<Vec<String>, ApiError> {
        self.app.play.add_ratings(games).await?;
        if self.titles.len() > MOST_TITLES {
            self.titles.clear();
        }
        for event in games.iter().filter_map(|view| view.game.event_id()) {
            if !self.titles.contains_key(&event) {
                let title = self.app.events.title_for(&self.reader, event).await?;
                self.titles.insert(event, title);
            }
        }
        let text = |view: &GameView| {
            let event = view.game.event_id().and_then(|event| self.titles.get(&event)?.as_deref());
            let round = self.rounds.get(&view.game.id()).copied();
            let heading = Heading { site: &self.site, event, round };
            convert::notation(&self.app.accounts.people, view, heading).to_string()
        };
        Ok(games.iter().map(text).collect())
    }
}
