//! `morpion mail test`.

use anyhow::{Context, bail};
use clap::Subcommand;
use morpion_shell::{escape, output::Format};
use serde_json::json;

use crate::{
    config::Config,
    mail::{EmailTemplate, Post, to_address},
    storage,
};

#[derive(Debug, Subcommand)]
pub enum MailCommand {
    /// Send a test email and print the mail server's reply
    Test {
        /// The recipient
        address: String,
    },
}

/// # Errors
/// The mail server refuses, or the settings are wrong.
pub async fn run(command: MailCommand, config: Config, format: Format) -> anyhow::Result<()> {
    let MailCommand::Test { address } = command;
    if to_address(&address).is_err() {
        bail!("'{address}' is not an address; write one like you@example.org");
    }
    let post = Post::new(&config)?;
    if !post.is_smtp() {
        // The outbox has to be the service's.
        storage::check_owner(&config.data_dir)?;
    }
    let outcome = post.send(&address, &EmailTemplate::test()).await.with_context(|| {
        let mail = &config.mail;
        if post.is_smtp() { format!("mail by {}:{} failed", mail.host, mail.port) } else { "mail failed".to_owned() }
    })?;
    let report = json!({ "address": address, "outcome": outcome, "leavesThisMachine": post.is_smtp() });
    format.print(&report, |_| {
        let rest = if post.is_smtp() { "" } else { "Nothing leaves this machine until mail.host is set.\n" };
        format!("Test email to {}: {}.\n{rest}", escape::line(&address), escape::line(&outcome))
    })?;
    Ok(())
}
