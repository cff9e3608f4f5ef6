//! The commands for scripts: each a call or two, an answer as text or JSON, an exit code that
//! means something.

mod events;
mod games;
mod logs;
mod print;
mod users;

use std::{io::Write, process::ExitCode};

use clap::CommandFactory;
use morpion_openapi::{
    PageRequest, Pagination, Timestamp,
    action::Action,
    admin::{CreateToken, ListAudit, ListBillingEvents, ListTokens, Overview, RevokeToken},
};
use serde::Serialize;

use crate::{
    app::moment,
    args::{Args, Audit, Billing, Subcommand, Tokens},
    config::{SAMPLE, Settings},
    net::{
        api::Api,
        refusal::{Kind, Refusal},
    },
    run,
};
use print::{Table, ago};

/// `events verify`: the games say something else.
const DISAGREES: u8 = 10;

/// The exit code of each kind of refusal; they stand in the help.
fn exit_code(kind: Kind) -> u8 {
    match kind {
        Kind::Broken => 1,
        Kind::Unreachable => 3,
        Kind::NotAllowed | Kind::ReadOnly => 4,
        Kind::NotFound => 5,
        Kind::Conflict => 6,
        Kind::Invalid => 7,
        Kind::Absent => 8,
        Kind::Busy => 9,
    }
}

/// What a command runs with.
struct Script {
    api: Api,
    settings: Settings,
    is_json: bool,
}

/// How a command went: fine, or fine with a code of its own.
type Outcome = Result<ExitCode, Refusal>;

/// Runs a command.
///
/// # Errors
/// The settings cannot be used. What the server refuses is an exit code.
pub async fn run(args: &Args, command: &Subcommand) -> anyhow::Result<ExitCode> {
    match command {
        Subcommand::DefaultConfig => {
            say(SAMPLE);
            return Ok(ExitCode::SUCCESS);
        }
        Subcommand::Completions { shell } => {
            let mut script = vec![];
            clap_complete::generate(*shell, &mut Args::command(), "morpion-tui", &mut script);
            say(&String::from_utf8_lossy(&script));
            return Ok(ExitCode::SUCCESS);
        }
        Subcommand::Man { folder: Some(folder) } => {
            std::fs::create_dir_all(folder)?;
            clap_mangen::generate_to(Args::command(), folder)?;
            return Ok(ExitCode::SUCCESS);
        }
        Subcommand::Man { folder: None } => {
            let mut page = vec![];
            clap_mangen::Man::new(Args::command()).render(&mut page)?;
            say(&String::from_utf8_lossy(&page));
            return Ok(ExitCode::SUCCESS);
        }
        _ => {}
    }
    let settings = Settings::resolve(args)?;
    let script = Script { api: Api::new(&settings)?, settings, is_json: args.json };
    let outcome = match command {
        Subcommand::Overview => script.overview().await,
        Subcommand::Events(command) => script.events(command).await,
        Subcommand::Games(command) => script.games(command).await,
        Subcommand::Logs(command) => script.logs(command).await,
        Subcommand::Users(command) => script.users(command).await,
        Subcommand::Audit(Audit::List { page }) => {
            script.audit(ListAudit { page: Some(page.page), limit: Some(page.limit) }).await
        }
        Subcommand::Billing(Billing::List { account, page }) => script.billing(account.as_deref(), page).await,
        Subcommand::Tokens(command) => script.tokens(command).await,
        Subcommand::DefaultConfig | Subcommand::Completions { .. } | Subcommand::Man { .. } => Ok(ExitCode::SUCCESS),
    };
    Ok(outcome.unwrap_or_else(|refusal| {
        eprintln!("morpion-tui: {refusal}");
        for (field, why) in &refusal.fields {
            eprintln!("  {field}: {why}");
        }
        if let Some(id) = refusal.request_id.as_deref().filter(|id| !id.is_empty()) {
            eprintln!("  request {id}");
        }
        ExitCode::from(exit_code(refusal.kind))
    }))
}

/// To standard output. A reader that went away (`| head`) ends the program quietly.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

fn invalid(why: impl Into<String>) -> Refusal {
    Refusal::new(Kind::Invalid, why)
}

/// A moment that was typed; `15m` alone is that long ago.
fn moment_of(typed: &str) -> Result<Timestamp, Refusal> {
    let now = run::now();
    if let Some(duration) = moment::duration(typed) {
        return Ok(Timestamp::from_millis(now - duration.num_milliseconds()));
    }
    moment::parse(typed, now).map_err(invalid)
}

impl Script {
    /// Makes a call and prints the answer: as JSON, or as `text` has it.
    async fn show<A: Action>(&self, payload: A, text: impl FnOnce(&A::Answer) -> String) -> Outcome {
        let answer = self.api.ask(&payload).await?;
        self.print(&answer, text);
        Ok(ExitCode::SUCCESS)
    }

    fn print<T: Serialize>(&self, answer: &T, text: impl FnOnce(&T) -> String) {
        if self.is_json {
            say(&format!("{}\n", serde_json::to_string(answer).expect("an answer is plain data")));
        } else {
            say(&text(answer));
        }
    }

    async fn overview(&self) -> Outcome {
        self.show(Overview {}, |answer| {
            let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
            let mut table = Table::facts();
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
        self.show(call, |answer| {
            let mut table = Table::new(&["WHEN", "WHO", "WHAT", "ON WHAT", "FROM", "DETAIL"]);
            for entry in &answer.entries {
                let detail = entry.detail.as_deref().unwrap_or_default();
                table.row(&[
                    &entry.at.to_string(),
                    &entry.actor,
                    &entry.action,
                    &entry.subject,
                    &entry.address,
                    detail,
                ]);
            }
            table.text() + &more(&answer.pagination)
        })
        .await
    }

    async fn billing(&self, account: Option<&str>, page: &crate::args::Page) -> Outcome {
        let user_id = match account {
            Some(account) => Some(self.account(account).await?),
            None => None,
        };
        let call = ListBillingEvents { user_id, page: Some(page.page), limit: Some(page.limit) };
        self.show(call, |answer| {
            let mut table = Table::new(&["WHEN", "WHAT", "ACCOUNT", "DETAIL"]);
            for event in &answer.events {
                let user = event.user_id.map(|id| id.to_string()).unwrap_or_default();
                table.row(&[&event.at.to_string(), &event.kind, &user, &event.detail]);
            }
            table.text() + &more(&answer.pagination)
        })
        .await
    }

    async fn tokens(&self, command: &Tokens) -> Outcome {
        match command {
            Tokens::List => {
                self.show(ListTokens {}, |answer| {
                    let mut table = Table::new(&["ID", "NAME", "MADE", "ENDS", "LAST USED"]);
                    let moment = |at: Option<Timestamp>| at.map_or("never".to_owned(), |at| at.to_string());
                    for token in &answer.tokens {
                        let (ends, used) = (moment(token.expires_at), moment(token.last_used_at));
                        table.row(&[&token.token_id, &token.name, &token.created_at.to_string(), &ends, &used]);
                    }
                    table.text()
                })
                .await
            }
            Tokens::Create { name, days } => {
                let call = CreateToken { name: name.clone(), expires_in_days: *days };
                self.show(call, |answer| format!("{}\n", answer.token)).await
            }
            Tokens::Revoke { id } => {
                self.show(RevokeToken { token_id: id.clone() }, |_| "The token is revoked.\n".to_owned()).await
            }
        }
    }
}

/// Says that a list goes on.
fn more(pagination: &Pagination) -> String {
    if pagination.has_next_page {
        let pages = pagination.total_count.div_ceil(u64::from(pagination.limit.clamp(1, PageRequest::MAX_LIMIT)));
        format!("page {} of {pages}; --page shows another\n", pagination.current_page)
    } else {
        String::new()
    }
}
