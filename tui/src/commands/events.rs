//! `morpion-tui events …`

use std::process::ExitCode;

use morpion_openapi::{
    event::{
        CreateEvent, Event, EventFilter, EventStates, GetEventById, GetLeaderboard, ListEvents, ListSignupsForEvent,
        UpdateEvent, VerifyEvent,
    },
    game::GetGamesByEvent,
};
use uuid::Uuid;

use super::{DISAGREES, Outcome, Script, games, more, print::Table};
use crate::{
    app::{
        events::{Transition, no_update},
        moment,
    },
    args::{self, Events},
    net::refusal::Refusal,
    run,
};

impl Script {
    pub(super) async fn events(&self, command: &Events) -> Outcome {
        match command {
            Events::List { state, text, page } => {
                let event_state = (!state.is_empty()).then(|| EventStates::Many(state.clone()));
                let has_filter = event_state.is_some() || text.is_some();
                let filter = has_filter.then(|| EventFilter { event_state, event_type: None, text: text.clone() });
                let call = ListEvents { filter, page: Some(page.page), limit: Some(page.limit) };
                self.show(call, |answer| table(&answer.events) + &more(&answer.pagination)).await
            }
            Events::Show { id } => self.show(GetEventById { event_id: *id }, |answer| facts(&answer.event)).await,
            Events::Create(event) => self.create(event).await,
            Events::Edit(event) => self.edit(event).await,
            Events::Publish { id } => self.transition(Transition::Publish, *id).await,
            Events::Start { id } => self.transition(Transition::Start, *id).await,
            Events::End { id } => self.transition(Transition::End, *id).await,
            Events::Cancel { id } => self.transition(Transition::Cancel, *id).await,
            Events::Delete { id } => self.transition(Transition::Delete, *id).await,
            Events::Verify { id } => self.verify(*id).await,
            Events::Signups { id, page } => {
                let call = ListSignupsForEvent { event_id: *id, page: Some(page.page), limit: Some(page.limit) };
                self.show(call, |answer| {
                    let mut table = Table::new(&["ACCOUNT", "USERNAME", "EMAIL", "STATUS", "LEVEL", "WINS", "LOSSES"]);
                    for signup in &answer.signups {
                        let figures = [signup.level, signup.wins, signup.losses].map(|figure| figure.to_string());
                        table.row(&[
                            &signup.user_id.to_string(),
                            &signup.username,
                            signup.email.as_deref().unwrap_or_default(),
                            signup.status.as_str(),
                            &figures[0],
                            &figures[1],
                            &figures[2],
                        ]);
                    }
                    table.text() + &more(&answer.pagination)
                })
                .await
            }
            Events::Leaderboard { id, page } => {
                let call = GetLeaderboard { event_id: *id, page: Some(page.page), limit: Some(page.limit) };
                self.show(call, |answer| {
                    let mut table = Table::new(&["RANK", "USERNAME", "LEVEL", "WINS", "LOSSES", "OUT", "ACCOUNT"]);
                    for player in &answer.players {
                        let figures = [player.level, player.wins, player.losses].map(|figure| figure.to_string());
                        table.row(&[
                            &player.rank.map(|rank| rank.to_string()).unwrap_or_default(),
                            &player.username,
                            &figures[0],
                            &figures[1],
                            &figures[2],
                            if player.is_eliminated { "out" } else { "" },
                            &player.user_id.to_string(),
                        ]);
                    }
                    table.text() + &more(&answer.pagination)
                })
                .await
            }
            Events::Games { id, page } => {
                let (page, limit) = (Some(page.page), Some(page.limit));
                let call = GetGamesByEvent { event_id: id.to_string(), user_id: None, page, limit };
                self.show(call, |answer| games::table(&answer.games) + &more(&answer.pagination)).await
            }
        }
    }

    async fn transition(&self, transition: Transition, id: Uuid) -> Outcome {
        use crate::net::call::Reply;
        let reply = self.api.call(&transition.call(id)).await?;
        match reply {
            Reply::UpdateEvent(answer)
            | Reply::StartEvent(answer)
            | Reply::EndEvent(answer)
            | Reply::CancelEvent(answer) => {
                self.print(&answer, |answer| facts(&answer.event));
            }
            _ => self.print(&serde_json::json!({ "eventId": id }), |_| "The draft is deleted.\n".to_owned()),
        }
        Ok(ExitCode::SUCCESS)
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
            ..no_update(event.id)
        };
        self.show(call, |answer| facts(&answer.event)).await
    }

    async fn verify(&self, id: Uuid) -> Outcome {
        let answer = self.api.ask(&VerifyEvent { event_id: id }).await?;
        self.print(&answer, |answer| {
            let verdict = if answer.agrees { "agree" } else { "do not agree" };
            let head = format!("{} games of {} players {verdict} with what is stored.\n", answer.games, answer.players);
            head + &answer.differences.iter().map(|difference| format!("  {difference}\n")).collect::<String>()
        });
        Ok(if answer.agrees { ExitCode::SUCCESS } else { ExitCode::from(DISAGREES) })
    }
}

/// When an event is to begin or end.
fn moment_of(typed: Option<&str>) -> Result<Option<morpion_openapi::Timestamp>, Refusal> {
    typed.map(|typed| moment::parse(typed, run::now()).map_err(super::invalid)).transpose()
}

fn table(events: &[Event]) -> String {
    let mut table = Table::new(&["ID", "STATE", "STARTS", "ENDS", "PLAYERS", "TITLE"]);
    let moment = |at: Option<morpion_openapi::Timestamp>| at.map(|at| at.to_string()).unwrap_or_default();
    for event in events {
        table.row(&[
            &event.event_id.to_string(),
            event.event_state.as_str(),
            &moment(event.start_time),
            &moment(event.end_time),
            &event.signup_count.to_string(),
            &event.title,
        ]);
    }
    table.text()
}

fn facts(event: &Event) -> String {
    let moment = |at: Option<morpion_openapi::Timestamp>| at.map(|at| at.to_string()).unwrap_or_default();
    let mut table = Table::facts();
    table.fact("id", &event.event_id.to_string());
    table.fact("title", &event.title);
    table.fact("state", event.event_state.as_str());
    table.fact("type", event.event_type.as_str());
    table.fact("starts", &moment(event.start_time));
    table.fact("ends", &moment(event.end_time));
    table.fact("players", &event.signup_count.to_string());
    table.fact("max losses", &event.max_losses.to_string());
    table.fact("prize", event.prize.as_deref().unwrap_or_default());
    table.fact("description", &event.description);
    for (at, winner) in event.winners.iter().enumerate() {
        let text = format!("{} (level {}, {} wins)", winner.username, winner.level, winner.wins);
        table.fact(&format!("winner {}", at + 1), &text);
    }
    table.text()
}
