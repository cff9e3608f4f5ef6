//! The commands for scripts: each a call or two, a reply as text or JSON, an exit code that
//! means something.

mod backups;
mod cluster;
mod events;
mod games;
mod logs;
mod players;
mod print;
mod reports;
mod series;
mod stages;
mod users;
mod webhooks;

use std::process::ExitCode;

use clap::CommandFactory;
use morpion_openapi::{
    Timestamp,
    admin::{CreateToken, ListAudit, ListBillingEvents, ListTokens, Overview, RevokeToken},
};
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    escape, manual,
    output::{Format, json_line, print, print_error, print_synced},
    token,
};

use crate::{
    args::{Args, Audit, Billing, Subcommand, Tokens},
    config::{SAMPLE, Settings},
    net::api::Api,
    script::{Outcome, Script},
    tabs::audit,
    time,
};
use print::{TextTable, ago};

/// Runs a command.
///
/// # Errors
/// The settings cannot be used. What the server refuses is an exit code.
pub async fn run(args: &Args, command: &Subcommand) -> anyhow::Result<ExitCode> {
    let outcome = match command {
        Subcommand::DefaultConfig => print(SAMPLE).map(|()| ExitCode::SUCCESS),
        Subcommand::Completions { shell } => {
            print(&manual::completions(*shell, "morpion-tui")?).map(|()| ExitCode::SUCCESS)
        }
        Subcommand::Man { folder: Some(folder) } => {
            manual::write_pages(Args::command(), folder)?;
            Ok(ExitCode::SUCCESS)
        }
        Subcommand::Man { folder: None } => print(&manual::page(Args::command())?).map(|()| ExitCode::SUCCESS),
        command => {
            let settings = Settings::resolve(&args.flags)?;
            let script = Script { api: Api::new(&settings)?, settings, format: Format::new(args.json) };
            script.run(command).await
        }
    };
    Ok(outcome.unwrap_or_else(|refusal| {
        print_error(&format!("morpion-tui: {}", escape::line(&refusal.text)));
        for (field, why) in &refusal.fields {
            print_error(&format!("  {}: {}", escape::line(field), escape::line(why)));
        }
        if let Some(id) = refusal.request_id.as_deref().filter(|id| !id.is_empty()) {
            print_error(&format!("  request {}", escape::line(id)));
        }
        refusal.kind.exit_code()
    }))
}

fn invalid(why: impl Into<String>) -> CommandError {
    CommandError::new(FailureKind::Invalid, why)
}

/// A time that was typed; `15m` alone is that long ago.
fn moment_of(typed: &str) -> Result<Timestamp, CommandError> {
    let now = time::now();
    if let Some(duration) = time::duration(typed) {
        return Ok(Timestamp::from_millis(now - duration.num_milliseconds()));
    }
    time::parse(typed, now).map_err(invalid)
}

impl Script {
    async fn run(&self, command: &Subcommand) -> Outcome {
        match command {
            Subcommand::Overview => self.overview().await,
            Subcommand::Events(command) => self.events(command).await,
            Subcommand::Series(command) => self.series(command).await,
            Subcommand::Games(command) => self.games(command).await,
            Subcommand::Logs(command) => self.logs(command).await,
            Subcommand::Users(command) => self.users(command).await,
            Subcommand::Players(command) => self.players(command).await,
            Subcommand::Reports(command) => self.reports(command).await,
            Subcommand::Audit(Audit::List { page }) => {
                self.audit(ListAudit { page: Some(page.page), limit: Some(page.limit) }).await
            }
            Subcommand::Billing(Billing::List { account, page }) => self.billing(account.as_deref(), page).await,
            Subcommand::Tokens(command) => self.tokens(command).await,
            Subcommand::Webhooks(command) => self.webhooks(command).await,
            Subcommand::Backups(command) => self.backups(command).await,
            Subcommand::Cluster => self.cluster().await,
            // They need no server.
            Subcommand::DefaultConfig | Subcommand::Completions { .. } | Subcommand::Man { .. } => {
                Ok(ExitCode::SUCCESS)
            }
        }
    }

    async fn overview(&self) -> Outcome {
        self.show(Overview {}, |answer| {
            let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
            let mut table = TextTable::facts();
            table.fact("version", &answer.version);
            table.fact("started", &format!("{} ({} ago)", answer.started_at, ago(answer.started_at)));
            for (name, value) in [
                ("connections", answer.connections),
                ("live games", answer.live_games),
                ("waiting games", answer.waiting_games),
                ("moves", answer.moves),
                ("accounts", answer.users),
                ("moves to store", answer.store.pending),
            ] {
                table.fact(name, &value.to_string());
            }
            table.fact("store answers", &yes(answer.store.ready));
            table.fact("mail by SMTP", &yes(answer.mail_configured));
            table.fact("payments set up", &yes(answer.billing_configured));
            for warning in &answer.warnings {
                table.fact("attention", warning);
            }
            table.text()
        })
        .await
    }

    async fn audit(&self, call: ListAudit) -> Outcome {
        let answer = self.api.ask(&call).await?;
        self.list(&answer.entries, Some(&answer.pagination), |entries| {
            let mut table = TextTable::new(&["WHEN", "WHO", "WHAT", "ON WHAT", "FROM", "DETAIL"]);
            for entry in entries {
                let at = entry.at.to_string();
                let subject = match audit::subject(entry) {
                    name if name == entry.subject => name.to_owned(),
                    name => format!("{} ({name})", entry.subject),
                };
                table.row(&[&at, &entry.actor, &entry.action, &subject, &entry.address, &audit::detail(entry)]);
            }
            table.text()
        })
    }

    async fn billing(&self, account: Option<&str>, page: &crate::args::Page) -> Outcome {
        let user_id = match account {
            Some(account) => Some(self.account(account).await?),
            None => None,
        };
        let call = ListBillingEvents { user_id, page: Some(page.page), limit: Some(page.limit) };
        let answer = self.api.ask(&call).await?;
        self.list(&answer.events, Some(&answer.pagination), |events| {
            let mut table = TextTable::new(&["WHEN", "WHAT", "ACCOUNT", "DETAIL"]);
            for event in events {
                let user = event.user_id.map(|id| id.to_string()).unwrap_or_default();
                table.row(&[&event.at.to_string(), &event.kind, &user, &event.detail]);
            }
            table.text()
        })
    }

    async fn tokens(&self, command: &Tokens) -> Outcome {
        match command {
            Tokens::List => {
                let answer = self.api.ask(&ListTokens {}).await?;
                self.list(&answer.tokens, None, |tokens| {
                    let mut table = TextTable::new(&["ID", "NAME", "SCOPE", "MADE", "ENDS", "LAST USED"]);
                    let moment = |at: Option<Timestamp>| at.map_or("never".to_owned(), |at| at.to_string());
                    for token in tokens {
                        let (ends, used) = (moment(token.expires_at), moment(token.last_used_at));
                        let (scope, made) = (token.scope.as_str(), token.created_at.to_string());
                        table.row(&[&token.token_id, &token.name, scope, &made, &ends, &used]);
                    }
                    table.text()
                })
                .inspect(|_| token::print_warnings(&answer))
            }
            Tokens::Create { name, scope, days } => {
                let wanted = CreateToken { name: name.to_owned(), scope: *scope, expires_in_days: *days };
                self.create_token(wanted).await
            }
            Tokens::Revoke { wanted, yes } => self.revoke_token(wanted, *yes).await,
        }
    }

    /// A token that could not be printed is useless, so it is revoked again.
    async fn create_token(&self, wanted: CreateToken) -> Outcome {
        let answer = self.api.ask(&wanted).await?;
        let text = match self.format {
            Format::Json => json_line(&answer),
            Format::Text => format!("{}\n", answer.token),
        };
        let Err(unwritten) = print_synced(&text) else { return Ok(ExitCode::SUCCESS) };
        let revoked = self.api.ask(&RevokeToken { token_id: answer.token_id.clone() }).await;
        let command = format!("morpion-tui tokens revoke {}", answer.token_id);
        Err(token::lost(unwritten, revoked.map(drop).map_err(|why| why.text), &command))
    }

    async fn revoke_token(&self, wanted: &str, is_sure: bool) -> Outcome {
        let token_id = token::to_revoke(&self.api.ask(&ListTokens {}).await?, wanted, is_sure)?;
        self.show(RevokeToken { token_id }, |_| "The token is revoked.\n".to_owned()).await
    }
}
