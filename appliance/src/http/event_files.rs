//! Tables of events as files for spreadsheets and for programs that pair: `docs/behaviour/events.md#files`.

use std::sync::Arc;

use morpion_openapi::{PageRequest, event as wire};
use morpion_rules::{EventId, Mark, tournament::trf};
use morpion_store::GamesOf;
use uuid::Uuid;

use super::{
    ApiError, ErrorKind,
    body::{CsvFile, ReportFile},
    convert::{play as convert, stages},
    game_export::admitted,
    spreadsheet::Table,
    streamed::{ALL_TIME, Pages, streamed},
};
use crate::{
    app::App,
    caller::Call,
    play::{view::GameView, wire::rated},
};

/// More players than an event has.
const ALL_PLAYERS: PageRequest = PageRequest { page: 1, limit: u32::MAX };

fn yes(is: bool) -> String {
    if is { "yes".to_owned() } else { String::new() }
}

impl App {
    /// The standings of an event.
    ///
    /// # Errors
    /// 401 for visitors; 404 for an event that the caller may not see; 429, 503: as of exports of games.
    pub async fn standings_file(&self, call: &Call, event: Uuid) -> Result<CsvFile, ApiError> {
        let id = EventId(event);
        let is_arena = self.events.event(&call.caller, id).await?.event.details().stages.is_none();
        let _place = admitted(self, call)?;
        let text = if is_arena { self.leaderboard_table(call, id).await? } else { self.stage_table(call, id).await? };
        Ok(CsvFile { file_name: format!("standings-{event}.csv"), body: text.into() })
    }

    async fn leaderboard_table(&self, call: &Call, id: EventId) -> Result<String, ApiError> {
        let mut table = Table::new(&["rank", "username", "name", "level", "wins", "losses", "out"]);
        for row in self.events.leaderboard(&call.caller, id, ALL_PLAYERS).await?.rows {
            let figures = [row.standing.level, row.standing.wins, row.standing.losses].map(|figure| figure.to_string());
            let [level, wins, losses] = figures;
            let out = yes(row.is_eliminated);
            table.row([row.rank.to_string(), row.shown.username, row.shown.display_name, level, wins, losses, out]);
        }
        Ok(table.take())
    }

    async fn stage_table(&self, call: &Call, id: EventId) -> Result<String, ApiError> {
        let rows = stages::table(self.events.table(&call.caller, id, None).await?, false).standings;
        let mut columns = vec!["rank", "seed", "username", "name", "points"];
        let has_tie_breaks = rows.iter().any(|row| row.tie_breaks.is_some());
        if has_tie_breaks {
            columns.extend(["buchholzCut1", "buchholz", "sonnebornBerger", "wins", "headToHead"]);
        }
        columns.extend(["withdrawn", "disqualified"]);
        let mut table = Table::new(&columns);
        for row in rows {
            let mut cells = vec![row.rank.to_string(), row.seed.to_string(), row.username, row.display_name];
            cells.push(row.points.to_string());
            if let Some(found) = row.tie_breaks {
                let values =
                    [found.buchholz_cut1, found.buchholz, found.sonneborn_berger, found.wins, found.head_to_head];
                cells.extend(values.map(|value| value.to_string()));
            }
            cells.extend([yes(row.withdrawn), yes(row.disqualified)]);
            table.row(cells);
        }
        Ok(table.take())
    }

    /// The results of an event: its matches, or the games of an arena.
    ///
    /// # Errors
    /// As of [`App::standings_file`].
    pub async fn results_file(self: Arc<Self>, call: &Call, event: Uuid) -> Result<CsvFile, ApiError> {
        let id = EventId(event);
        let is_arena = self.events.event(&call.caller, id).await?.event.details().stages.is_none();
        let place = admitted(&self, call)?;
        let file_name = format!("results-{event}.csv");
        if !is_arena {
            let rounds = stages::rounds(self.events.rounds(&call.caller, id, None).await?);
            return Ok(CsvFile { file_name, body: matches_table(&rounds).into() });
        }
        let of = GamesOf::Event(event);
        self.play.begin_reading(of).await?;
        let cluster = self.cluster.clone();
        let body = streamed(cluster, place, move |pages| async move { self.send_results(of, &pages).await });
        Ok(CsvFile { file_name, body })
    }

    async fn send_results(&self, of: GamesOf, pages: &Pages) -> Result<(), ApiError> {
        let columns = ["game", "made", "ended", "x", "o", "winner", "reason", "rounds", "rated"];
        let (mut table, mut place) = (Table::new(&columns), None);
        loop {
            let page = self.play.games_over(of, ALL_TIME, place).await?;
            for view in &page.games {
                table.row(self.game_row(view));
            }
            place = page.place;
            if !pages.send(table.take()).await? || place.is_none() {
                return Ok(());
            }
        }
    }

    fn game_row(&self, view: &GameView) -> [String; 9] {
        let replay = convert::replay(&self.accounts.people, view);
        let name = |symbol| {
            let player = replay.players.iter().find(|player| player.symbol == symbol);
            player.map(|player| player.username.clone()).unwrap_or_default()
        };
        let [x, o] = Mark::BOTH.map(|mark| name(crate::play::wire::symbol(mark)));
        [
            replay.game_id.to_string(),
            replay.created_at.to_string(),
            replay.ended_at.map(|at| at.to_string()).unwrap_or_default(),
            x,
            o,
            replay.winner.map(name).unwrap_or_default(),
            replay.reason.map(|reason| reason.to_string()).unwrap_or_default(),
            replay.rounds.len().to_string(),
            yes(rated(&view.game) == Some(true)),
        ]
    }

    /// A Swiss as TRF16, for pairing and rating programs.
    ///
    /// # Errors
    /// As of [`App::standings_file`]; 409 `no-report` for other formats, for matches of two games, and before the start.
    pub async fn swiss_file(&self, call: &Call, event: Uuid) -> Result<ReportFile, ApiError> {
        let report = self.events.swiss_report(&call.caller, EventId(event)).await?;
        let _place = admitted(self, call)?;
        let refused = "Only a Swiss with one game per match has a report, once it has started.";
        let report = report.ok_or_else(|| ApiError::new(ErrorKind::Conflict, "no-report", refused))?;
        Ok(ReportFile { file_name: format!("swiss-{event}.trf"), text: trf::write(&report) })
    }
}

/// The matches of all rounds, those of a round in the order of their boards.
fn matches_table(rounds: &wire::RoundsAnswer) -> String {
    let mut table = Table::new(&["round", "board", "player1", "player2", "winner", "reason", "games"]);
    for round in &rounds.rounds {
        for pairing in &round.pairings {
            let player = |at: usize| pairing.players.get(at).map_or("", |player| player.username.as_str());
            let winner = pairing.players.iter().find(|player| Some(player.user_id) == pairing.winner_user_id);
            let games: Vec<_> = pairing.games.iter().map(|game| game.game_id.to_string()).collect();
            table.row([
                round.round.to_string().as_str(),
                &pairing.board.to_string(),
                player(0),
                player(1),
                winner.map_or("", |winner| &winner.username),
                pairing.reason.map_or("", wire::MatchReason::as_str),
                &games.join(" "),
            ]);
        }
    }
    table.take()
}
