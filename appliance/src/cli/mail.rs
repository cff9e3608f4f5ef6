//! `morpion mail test`.

use anyhow::{Context, bail};
use clap::Subcommand;
use morpion_shell::{escape, output::Format};
use serde_json::json;

use crate::{
    config::Config,
    mail::{Letter, Mailer},
};

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Send a letter now, and say what the mail server answers
    Test {
        /// Whom to
        address: String,
    },
}

/// # Errors
/// What the mail server says, or what is wrong with the settings.
pub async fn run(command: Command, config: Config, format: Format) -> anyhow::Result<()> {
    let Command::Test { address } = command;
    if !address.contains('@') {
        bail!("'{address}' is no address; write one like you@example.org");
    }
    let mailer = Mailer::start(&config)?;
    let went = mailer.send(&address, &Letter::test()).await.with_context(|| {
        let mail = &config.mail;
        if mailer.is_smtp() { format!("mail by {}:{} failed", mail.host, mail.port) } else { "mail failed".to_owned() }
    })?;
    let told = json!({ "address": address, "outcome": went, "leavesThisMachine": mailer.is_smtp() });
    format.say(&told, |_| {
        let rest = if mailer.is_smtp() { "" } else { "Nothing leaves this machine until mail.host is set.\n" };
        format!("A test mail to {}: {}.\n{rest}", escape::line(&address), escape::line(&went))
    })?;
    Ok(())
}
