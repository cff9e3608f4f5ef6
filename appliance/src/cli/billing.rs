//! `morpion billing check|sync`.

use anyhow::{Context, bail};
use clap::Subcommand;

use morpion_shell::{
    escape,
    output::{Format, print},
};

use crate::{
    billing::{plans, provider::Provider},
    config::Config,
};

#[derive(Debug, Subcommand)]
pub enum BillingCommand {
    /// Compare the plans of the configuration with the prices at Stripe
    ///
    /// Exits with 1 if a price is missing.
    Check,
    /// Create the prices that are missing at Stripe; safe to repeat
    Sync,
}

/// # Errors
/// Payments are not set up; Stripe refuses; a price is missing.
pub async fn run(command: BillingCommand, config: Config, format: Format) -> anyhow::Result<()> {
    let settings = &config.billing;
    let none = "payments are not set up; billing.secret_key, publishable_key and webhook_secret are needed";
    let provider = Provider::new(settings)?.context(none)?;
    let matches = match command {
        BillingCommand::Check => plans::check(&provider, settings).await?,
        BillingCommand::Sync => plans::sync(&provider, settings).await?,
    };
    let mode = if settings.is_live() { "live: money moves" } else { "test: no money moves" };
    if format == Format::Text {
        print(&format!("{} ({mode})\n", settings.api_base))?;
    }
    format.print_rows(&matches, |matches| {
        matches.iter().map(|plan| escape::line(&plan.to_string()).into_owned() + "\n").collect()
    })?;
    match matches.iter().filter(|plan| plan.price.is_none()).count() {
        0 => Ok(()),
        number => bail!("{number} of the plans cannot be bought; `morpion billing sync` makes their prices"),
    }
}
