//! `morpion ratings verify`.

use clap::Subcommand;
use morpion_openapi::admin::{VerifyRatings, VerifyRatingsAnswer};
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    escape,
    output::Format,
};

use super::api::Api;
use crate::config::Config;

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum RatingsCommand {
    /// Recompute all ratings from the stored games, and compare
    ///
    /// Exits with 10 if they do not agree, and prints the differences.
    Verify,
}

const EXAMPLES: &str = "\
Examples:
  morpion ratings verify

It works with a running server, also while people play, and, in its data folder, without one.";

/// # Errors
/// The server's refusal, in its words; ratings that do not agree with the games.
pub async fn run(command: RatingsCommand, config: Config, format: Format) -> anyhow::Result<()> {
    let RatingsCommand::Verify = command;
    let answer = Api::with(config, verify).await?;
    let counted = format!("{} games, {} players", answer.games, answer.players);
    format.print(&answer, |answer| {
        if answer.agrees {
            format!("Ratings agree with the stored games: {counted}.\n")
        } else {
            answer.differences.iter().map(|difference| format!("{}\n", escape::line(difference))).collect()
        }
    })?;
    if answer.agrees {
        return Ok(());
    }
    let differences = match answer.differences.len() {
        1 => "1 difference".to_owned(),
        number => format!("{number} differences"),
    };
    let text = format!("ratings do not agree with the stored games: {counted}, {differences}");
    Err(CommandError::new(FailureKind::Disagreement, text).into())
}

/// # Errors
/// The server's refusal, in its words.
pub(super) async fn verify(api: &Api) -> anyhow::Result<VerifyRatingsAnswer> {
    api.read_patiently("verify_ratings", VerifyRatings {}).await
}
