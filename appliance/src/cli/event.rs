//! `morpion event verify`.

use clap::Subcommand;
use clap_complete::engine::ArgValueCompleter;
use morpion_openapi::{
    PageRequest,
    admin::IdOf,
    event::{
        Correction, DirectorAct, EventFilter, EventState, EventStates, EventsAnswer, ListEvents, VerifyEvent,
        VerifyEventAnswer,
    },
};
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    escape,
    output::Format,
    reference::{self, Candidate},
};

use super::{api::Api, complete};
use crate::config::Config;

#[derive(Debug, Subcommand)]
pub enum EventCommand {
    /// Recompute an event's standings and winners from its stored games and corrections, and compare
    ///
    /// Exits with 10 if they do not agree, and prints the differences.
    Verify {
        /// Its id, a prefix of it, or its title
        #[arg(add = ArgValueCompleter::new(complete::events))]
        event: String,
    },
}

/// # Errors
/// The server's refusal, in its words; standings that do not agree with their games.
pub async fn run(command: EventCommand, config: Config, format: Format) -> anyhow::Result<()> {
    let EventCommand::Verify { event } = command;
    let answer: VerifyEventAnswer = Api::with(config, async |api| {
        let named = async || events(api, Some(&event)).await;
        let event_id =
            reference::resolve("event", &event, named, async || api.find_ids(IdOf::Event, &event).await).await?;
        api.read_from("event", "verify_event", VerifyEvent { event_id }).await
    })
    .await?;
    let corrections = answer.corrections.len();
    let counted = format!("{} games, {} players, {corrections} corrections", answer.games, answer.players);
    format.print(&answer, |answer| {
        let corrections = answer.corrections.iter().map(Correction::in_words);
        let receipts = corrections.chain(answer.acts.iter().map(DirectorAct::in_words));
        let receipts = receipts.map(|receipt| format!("{}\n", escape::line(&receipt)));
        let verdict = if answer.agrees {
            format!("Standings and winners agree with the stored games and corrections: {counted}.\n")
        } else {
            answer.differences.iter().map(|difference| format!("{}\n", escape::line(difference))).collect()
        };
        receipts.chain([verdict]).collect()
    })?;
    if answer.agrees {
        return Ok(());
    }
    let differences = match answer.differences.len() {
        1 => "1 difference".to_owned(),
        number => format!("{number} differences"),
    };
    let text =
        format!("standings or winners do not agree with the stored games and corrections: {counted}, {differences}");
    Err(CommandError::new(FailureKind::Disagreement, text).into())
}

/// Events of every state; with a text, only those whose title or description contains it.
pub(super) async fn events(api: &Api, text: Option<&str>) -> anyhow::Result<Vec<Candidate>> {
    let event_state = Some(EventStates::Many(EventState::ALL.to_vec()));
    let filter = Some(EventFilter {
        event_state,
        event_type: None,
        text: text.map(str::to_owned),
        signed_up: None,
        hosted: None,
    });
    let call = ListEvents { filter, page: Some(1), limit: Some(PageRequest::MAX_LIMIT) };
    let answer: EventsAnswer = api.read_from("event", "list_events", call).await?;
    let events = answer.events.into_iter();
    Ok(events.map(|event| Candidate { id: event.event_id.to_string(), name: event.title }).collect())
}
