//! `morpion ready`: for health checks where there is no other program, as in a container.

use std::time::Duration;

use morpion_shell::{
    command_error::{CommandError, FailureKind},
    escape,
    output::Format,
};
use serde_json::json;

use super::api::{address, client};
use crate::config::Config;

/// Health checks give up sooner or later; this has to be sooner.
const TIMEOUT: Duration = Duration::from_secs(5);

/// # Errors
/// No server answers, or it is not ready.
pub async fn run(config: &Config, format: Format) -> anyhow::Result<()> {
    let (server, http) = (address(config), client()?);
    let unreachable = |error| {
        let text = format!("no server answers at {server}: {:#}", anyhow::Error::from(error));
        CommandError::new(FailureKind::Unreachable, text)
    };
    let response = http.get(format!("{server}/readyz")).timeout(TIMEOUT).send().await.map_err(unreachable)?;
    let is_ready = response.status().is_success();
    let text = response.text().await.map_err(unreachable)?;
    let notices: Vec<_> = text.lines().skip(1).collect();
    if !is_ready {
        let text = [&["the server is not ready"][..], &notices].concat().join("; ");
        return Err(CommandError::new(FailureKind::Busy, text).into());
    }
    format.print(&json!({ "ready": true, "notices": notices }), |_| {
        let lines = std::iter::once("The server is ready.").chain(notices.iter().copied());
        lines.map(|line| format!("{}\n", escape::line(line))).collect()
    })?;
    Ok(())
}
