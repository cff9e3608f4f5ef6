//! `morpion event verify`.

use anyhow::bail;
use clap::Subcommand;
use morpion_openapi::event::{VerifyEvent, VerifyEventAnswer};
use uuid::Uuid;

use super::{api::Api, print};
use crate::config::Config;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compute an event's standings and winners again from its stored games alone, and compare
    ///
    /// Ends with 1 if they do not agree, and says where.
    Verify {
        /// The event's id
        id: Uuid,
    },
}

/// # Errors
/// What the server refuses, in its words; standings that their games do not lead to.
pub async fn run(command: Command, config: Config) -> anyhow::Result<()> {
    let VerifyEventAnswer { agrees, games, players, differences } =
        Api::during(config, async |api| send(command, api).await).await?;
    let counted = format!("{games} games, {players} players");
    if agrees {
        print(&format!("Standings and winners agree with the stored games: {counted}.\n"));
        return Ok(());
    }
    for difference in &differences {
        print(&format!("{difference}\n"));
    }
    bail!("standings or winners do not agree with the stored games: {counted}, {} differences", differences.len())
}

async fn send(command: Command, api: &Api) -> anyhow::Result<VerifyEventAnswer> {
    match command {
        Command::Verify { id } => api.read_from("event", "verify_event", VerifyEvent { event_id: id }).await,
    }
}
