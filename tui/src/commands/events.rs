//! `morpion-tui events …`

use std::{fs::File, io::Read, path::Path, process::ExitCode};

use morpion_openapi::{
    PageRequest,
    admin::IdOf,
    event::{
        CheckInPlayer, CreateEvent, CreatePlayer, Event, EventFilter, EventFormat, EventState, EventStates,
        ExtendEvent, GetEventById, GetLeaderboard, ImportPlayers, ListEvents, ListSignupsForEvent, PauseEvent,
        ResumeEvent, StartRound, UpdateEvent, VerifyEvent,
    },
    game::GetGamesByEvent,
};
use morpion_shell::{escape, output::print, reference::Candidate};
use uuid::Uuid;

use super::{games, print::TextTable};
use crate::{
    actions::EventTransition,
    args::{self, Events, TheEvent},
    calls::Reply,
    script::{Outcome, Script},
    time,
    widgets::{
        name::Named,
        stage::{clock_text, format_with_options, match_with_options},
        text::count,
    },
};
use morpion_shell::command_error::{CommandError, FailureKind};

/// Bytes of a list of players: more than the server takes.
const MAX_LIST: u64 = 128 * 1024;

impl Script {
    /// Shows who is on a list; with `yes` signs all of them up, unless somebody cannot be.
    async fn import_players(&self, event: &str, file: &Path, yes: bool) -> Outcome {
        let event_id = self.event(event).await?;
        let mut bytes = vec![];
        let read = if file == Path::new("-") {
            std::io::stdin().lock().take(MAX_LIST).read_to_end(&mut bytes)
        } else {
            File::open(file).and_then(|opened| opened.take(MAX_LIST).read_to_end(&mut bytes))
        };
        read.map_err(|error| super::invalid(format!("{}: {error}.", file.display())))?;
        // What is no UTF-8 the server refuses with a word.
        let csv = String::from_utf8_lossy(&bytes).into_owned();
        let answer = self.api.ask(&ImportPlayers { event_id, csv, preview: Some(!yes) }).await?;
        self.list(&answer.players, None, |players| {
            let mut table = TextTable::new(&["LINE", "STATUS", "USERNAME", "NAME", "REASON"]);
            for player in players {
                table.row(&[
                    &player.line.to_string(),
                    player.status.as_str(),
                    &player.username,
                    player.display_name.as_deref().unwrap_or_default(),
                    player.reason.as_deref().unwrap_or_default(),
                ]);
            }
            table.text()
        })?;
        if answer.complete {
            return Ok(ExitCode::SUCCESS);
        }
        let why = "Somebody on the list cannot be signed up, so nobody was.";
        Err(CommandError::new(FailureKind::Invalid, why))
    }

    pub(super) async fn events(&self, command: &Events) -> Outcome {
        match command {
            Events::List { state, text, page } => {
                let event_state = (!state.is_empty()).then(|| EventStates::Many(state.clone()));
                let has_filter = event_state.is_some() || text.is_some();
                let filter = has_filter.then(|| EventFilter {
                    event_state,
                    event_type: None,
                    text: text.clone(),
                    signed_up: None,
                    hosted: None,
                });
                let call = ListEvents { filter, page: Some(page.page), limit: Some(page.limit) };
                let answer = self.api.ask(&call).await?;
                self.list(&answer.events, Some(&answer.pagination), table)
            }
            Events::Show(TheEvent { event }) => {
                let event_id = self.event(event).await?;
                self.show(GetEventById { event_id }, |answer| facts(&answer.event)).await
            }
            Events::Create(event) => self.create(event).await,
            Events::Edit(event) => self.edit(event).await,
            Events::Publish(TheEvent { event }) => self.transition(EventTransition::Publish, event).await,
            Events::Start(TheEvent { event }) => self.transition(EventTransition::Start, event).await,
            Events::End(TheEvent { event }) => self.transition(EventTransition::End, event).await,
            Events::Cancel(TheEvent { event }) => self.transition(EventTransition::Cancel, event).await,
            Events::Delete(TheEvent { event }) => self.transition(EventTransition::Delete, event).await,
            Events::Verify(TheEvent { event }) => self.verify(event).await,
            Events::Signups { event, page } => {
                let event_id = self.event(&event.event).await?;
                let call = ListSignupsForEvent { event_id, page: Some(page.page), limit: Some(page.limit) };
                let answer = self.api.ask(&call).await?;
                self.list(&answer.signups, Some(&answer.pagination), |signups| {
                    let mut table =
                        TextTable::new(&["ACCOUNT", "PLAYER", "EMAIL", "STATUS", "HERE", "LEVEL", "WINS", "LOSSES"]);
                    for signup in signups {
                        let figures = [signup.level, signup.wins, signup.losses].map(|figure| figure.to_string());
                        table.row(&[
                            &signup.user_id.to_string(),
                            &signup.name().whole(),
                            signup.email.as_deref().unwrap_or_default(),
                            signup.status.as_str(),
                            signup.checked_in.map_or("", |is_in| if is_in { "yes" } else { "no" }),
                            &figures[0],
                            &figures[1],
                            &figures[2],
                        ]);
                    }
                    table.text()
                })
            }
            Events::Leaderboard { event, page } => {
                let event_id = self.event(&event.event).await?;
                let call = GetLeaderboard { event_id, page: Some(page.page), limit: Some(page.limit) };
                let answer = self.api.ask(&call).await?;
                self.list(&answer.players, Some(&answer.pagination), |players| {
                    let mut table = TextTable::new(&["RANK", "PLAYER", "LEVEL", "WINS", "LOSSES", "OUT", "ACCOUNT"]);
                    for player in players {
                        let figures = [player.level, player.wins, player.losses].map(|figure| figure.to_string());
                        table.row(&[
                            &player.rank.map(|rank| rank.to_string()).unwrap_or_default(),
                            &player.name().whole(),
                            &figures[0],
                            &figures[1],
                            &figures[2],
                            if player.is_eliminated { "out" } else { "" },
                            &player.user_id.to_string(),
                        ]);
                    }
                    table.text()
                })
            }
            Events::Games { event, page } => {
                let event_id = self.event(&event.event).await?.to_string();
                let (page, limit) = (Some(page.page), Some(page.limit));
                let answer = self.api.ask(&GetGamesByEvent { event_id, user_id: None, page, limit }).await?;
                self.list(&answer.games, Some(&answer.pagination), games::table)
            }
            Events::ImportPlayers { event, file, yes } => self.import_players(&event.event, file, *yes).await,
            Events::Export { event, table } => {
                let path = format!("/api/backend/events/{}/{}", self.event(&event.event).await?, table.file());
                self.api.download(&path, &[], |line| print(&format!("{}\n", escape::line(line)))).await?;
                Ok(ExitCode::SUCCESS)
            }
            Events::ExportGames { event, format, since, until } => {
                let mut query = vec![("eventId", self.event(&event.event).await?.to_string())];
                query.push(("format", format.to_string()));
                for (name, typed) in [("since", since), ("until", until)] {
                    if let Some(typed) = typed {
                        query.push((name, super::moment_of(typed)?.to_string()));
                    }
                }
                let line = |line: &str| print(&format!("{}\n", escape::line(line)));
                self.api.download("/api/backend/game/export_games", &query, line).await?;
                Ok(ExitCode::SUCCESS)
            }
            Events::AddPlayer { event, player } => {
                let event_id = self.event(&event.event).await?;
                let call = CreatePlayer { event_id, user_id: None, username: Some(player.clone()) };
                self.show(call, |answer| format!("{} is signed up.\n", escape::line(&answer.player.username))).await
            }
            Events::CheckIn { event, player, undo } => {
                let event_id = self.event(&event.event).await?;
                let user_id = self.account(player).await?;
                let call = CheckInPlayer { event_id, user_id, checked_in: Some(!undo) };
                self.show(call, |answer| facts(&answer.event)).await
            }
            Events::Rounds(TheEvent { event }) => self.rounds(event).await,
            Events::Standings { event, player } => self.standings(&event.event, player.as_deref()).await,
            Events::SetResult { event, round, board, winner, reason } => {
                self.set_result(&event.event, (*round, *board), winner.as_deref(), reason).await
            }
            Events::ReplayMatch { event, round, board, reason } => {
                self.replay_match(&event.event, (*round, *board), reason).await
            }
            Events::StartRound { event, round } => {
                let call = StartRound { event_id: self.event(&event.event).await?, round: *round };
                self.show(call, |answer| facts(&answer.event)).await
            }
            Events::Withdraw(player) => self.withdraw(player).await,
            Events::Disqualify(player) => self.disqualify(player).await,
            Events::Reinstate(player) => self.reinstate(player).await,
            Events::Pause(TheEvent { event }) => {
                let event_id = self.event(event).await?;
                self.show(PauseEvent { event_id }, |answer| facts(&answer.event)).await
            }
            Events::Resume(TheEvent { event }) => {
                let event_id = self.event(event).await?;
                self.show(ResumeEvent { event_id }, |answer| facts(&answer.event)).await
            }
            Events::Extend { event, end } => {
                let end_time = time::parse(end, time::now()).map_err(super::invalid)?;
                let event_id = self.event(&event.event).await?;
                self.show(ExtendEvent { event_id, end_time }, |answer| facts(&answer.event)).await
            }
        }
    }

    /// Resolves an event by its id, a prefix of it, or its title.
    pub(super) async fn event(&self, wanted: &str) -> Result<Uuid, CommandError> {
        self.one_of(IdOf::Event, "event", wanted, async || {
            let event_state = Some(EventStates::Many(EventState::ALL.to_vec()));
            let filter = Some(EventFilter {
                event_state,
                event_type: None,
                text: Some(wanted.to_owned()),
                signed_up: None,
                hosted: None,
            });
            let call = ListEvents { filter, page: Some(1), limit: Some(PageRequest::MAX_LIMIT) };
            let events = self.api.ask(&call).await?.events.into_iter();
            Ok(events.map(|event| Candidate { id: event.event_id.to_string(), name: event.title }).collect())
        })
        .await
    }

    async fn transition(&self, transition: EventTransition, event: &str) -> Outcome {
        let id = self.event(event).await?;
        let reply = self.api.call(&transition.call(id)).await?;
        match reply {
            Reply::UpdateEvent(answer)
            | Reply::StartEvent(answer)
            | Reply::EndEvent(answer)
            | Reply::CancelEvent(answer) => self.print(&answer, |answer| facts(&answer.event)),
            _ => self.print(&serde_json::json!({ "eventId": id }), |_| "The draft is deleted.\n".to_owned()),
        }
    }

    async fn create(&self, event: &args::CreateEvent) -> Outcome {
        let call = CreateEvent {
            title: event.title.clone(),
            description: event.description.clone(),
            prize: event.prize.clone(),
            event_type: event.r#type,
            event_state: None,
            start_time: moment_of(event.start.as_deref())?,
            end_time: moment_of(event.end.as_deref())?,
            max_losses: event.max_losses,
            rated_on_one_network: event.rated_on_one_network,
            clock: event.format.clock,
            format: event.format.format,
            rounds: event.format.rounds.filter(|rounds| *rounds > 0),
            board_size: event.format.board,
            match_games: event.format.match_games,
            third_place: event.format.third_place,
            double_rounds: event.format.double,
            max_players: event.max_players.filter(|most| *most > 0),
            check_in_minutes: event.check_in,
            round_times: round_times(event.round_times.as_deref())?.filter(|times| !times.is_empty()),
            min_rating: event.entry.min_rating,
            max_rating: event.entry.max_rating,
            min_games: event.entry.min_games,
            account_age_days: event.entry.account_age_days,
            allow_list: event.entry.names(),
            bots_allowed: event.entry.bots_allowed,
            is_private: None,
        };
        self.show(call, |answer| facts(&answer.event)).await
    }

    async fn edit(&self, event: &args::EditEvent) -> Outcome {
        let call = UpdateEvent {
            title: event.title.clone(),
            description: event.description.clone(),
            prize: event.prize.clone(),
            event_type: event.r#type,
            start_time: moment_of(event.start.as_deref())?,
            end_time: moment_of(event.end.as_deref())?,
            max_losses: event.max_losses,
            rated_on_one_network: event.rated_on_one_network,
            clock: event.format.clock,
            format: event.format.format,
            rounds: event.format.rounds,
            board_size: event.format.board,
            match_games: event.format.match_games,
            third_place: event.format.third_place,
            double_rounds: event.format.double,
            max_players: event.max_players,
            check_in_minutes: event.check_in,
            round_times: round_times(event.round_times.as_deref())?,
            min_rating: event.entry.min_rating,
            max_rating: event.entry.max_rating,
            min_games: event.entry.min_games,
            account_age_days: event.entry.account_age_days,
            allow_list: event.entry.names(),
            bots_allowed: event.entry.bots_allowed,
            ..UpdateEvent::of(self.event(&event.event.event).await?)
        };
        self.show(call, |answer| facts(&answer.event)).await
    }

    async fn verify(&self, event: &str) -> Outcome {
        let id = self.event(event).await?;
        let answer = self.api.ask(&VerifyEvent { event_id: id }).await?;
        self.print(&answer, |answer| {
            let verdict = if answer.agrees { "agree" } else { "do not agree" };
            let (games, players) = (count(answer.games, "game"), count(answer.players, "player"));
            let head = format!("{games} of {players}: they {verdict} with what is stored.\n");
            let differences = answer.differences.iter().map(|difference| format!("  {}\n", escape::line(difference)));
            let receipts = answer.corrections.iter();
            let receipts = receipts.map(|receipt| format!("  {}\n", escape::line(&receipt.in_words())));
            let vouch = answer.vouched.iter().map(|vouch| {
                let by = escape::line(&vouch.by);
                format!("  {} {by} said that players on one network are different people\n", vouch.at)
            });
            let acts = answer.acts.iter().map(|act| format!("  {}\n", escape::line(&act.in_words())));
            head + &differences.chain(vouch).chain(receipts).chain(acts).collect::<String>()
        })?;
        Ok(if answer.agrees { ExitCode::SUCCESS } else { FailureKind::Disagreement.exit_code() })
    }
}

/// When an event is to begin or end.
fn moment_of(typed: Option<&str>) -> Result<Option<morpion_openapi::Timestamp>, CommandError> {
    typed.map(|typed| time::parse(typed, time::now()).map_err(super::invalid)).transpose()
}

/// The typed times of the rounds; `None` where nothing was said of them.
fn round_times(typed: Option<&[String]>) -> Result<Option<Vec<morpion_openapi::Timestamp>>, CommandError> {
    let Some(typed) = typed else { return Ok(None) };
    let typed = typed.iter().map(|one| one.trim()).filter(|one| !one.is_empty());
    let times = typed.map(|one| time::parse(one, time::now()).map_err(super::invalid));
    times.collect::<Result<_, _>>().map(Some)
}

pub(super) fn table(events: &[Event]) -> String {
    let mut table = TextTable::new(&["ID", "STATE", "FORMAT", "STARTS", "ENDS", "PLAYERS", "TITLE"]);
    let moment = |at: Option<morpion_openapi::Timestamp>| at.map(|at| at.to_string()).unwrap_or_default();
    for event in events {
        table.row(&[
            &event.event_id.to_string(),
            event.event_state.as_str(),
            event.format.as_str(),
            &moment(event.start_time),
            &moment(event.end_time),
            &event.signup_count.to_string(),
            &event.title,
        ]);
    }
    table.text()
}

pub(super) fn facts(event: &Event) -> String {
    let moment = |at: Option<morpion_openapi::Timestamp>| at.map(|at| at.to_string()).unwrap_or_default();
    let mut table = TextTable::facts();
    table.fact("id", &event.event_id.to_string());
    table.fact("title", &event.title);
    table.fact("state", event.event_state.as_str());
    table.fact("type", event.access());
    table.fact("starts", &moment(event.start_time));
    table.fact("ends", &moment(event.end_time));
    table.fact("players", &event.signup_count.to_string());
    if let Some(most) = event.max_players {
        table.fact("at most", &most.to_string());
    }
    if let Some(text) = event.check_in() {
        table.fact("check-in", &text);
    }
    for (name, text) in event.conditions() {
        table.fact(name, &text);
    }
    if let Some(host) = &event.host {
        table.fact("host", &host.username);
        table.fact("join code", event.join_code.as_deref().unwrap_or_default());
    }
    table.fact("format", &format_with_options(event));
    match match_with_options(event, "x") {
        Some(text) => table.fact("match", &text),
        None => table.fact("max losses", &event.max_losses.to_string()),
    }
    table.fact("clock", clock_text(event.clock));
    for (round, at) in (2..).zip(event.round_times.iter().flatten()) {
        table.fact(&format!("round {round}"), &format!("not before {at}"));
    }
    if event.paused == Some(true) {
        table.fact("paused", "yes");
    }
    table.fact("one network", if event.rated_on_one_network { "rated" } else { "not rated" });
    table.fact("prize", event.prize.as_deref().unwrap_or_default());
    table.fact("description", &event.description);
    for (at, winner) in event.winners.iter().enumerate() {
        let wins = count(winner.wins.into(), "win");
        let text = match event.format {
            EventFormat::Arena => format!("{} (level {}, {wins})", winner.name().whole(), winner.level),
            _ => winner.name().whole(),
        };
        table.fact(&format!("winner {}", at + 1), &text);
    }
    table.text()
}
