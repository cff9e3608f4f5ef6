//! `morpion token create|list|revoke`.

use clap::Subcommand;
use clap_complete::engine::ArgValueCompleter;
use morpion_openapi::{
    Acknowledgement, Timestamp,
    admin::{CreateToken, CreateTokenAnswer, ListTokens, OperatorToken, RevokeToken, TokenScope, TokensAnswer},
};
use morpion_shell::{
    escape,
    output::{Format, json_line, print_synced},
    token,
};
use serde_json::json;

use super::{api::Api, complete};
use crate::config::Config;

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum TokenCommand {
    /// Create a token and print it; it is shown only once
    Create {
        /// Its name, for the audit trail
        name: String,
        /// What it may do: every read, that and events, that and accounts, or everything
        #[arg(long, value_parser = token::scopes())]
        scope: TokenScope,
        /// Days until it expires [default: 90]
        #[arg(long, visible_alias = "expires", value_parser = clap::value_parser!(u32).range(1..=3_650))]
        days: Option<u32>,
    },
    /// List tokens with their expiry and last use
    List,
    /// Revoke a token
    Revoke {
        /// Its id, a prefix of it, or its name
        #[arg(add = ArgValueCompleter::new(complete::tokens))]
        token: String,
        /// Confirm revoking the token in use
        #[arg(long)]
        yes: bool,
    },
}

const EXAMPLES: &str = "\
Examples:
  morpion token create 'laptop of Ann' --scope all --days 30 > ~/.morpion-token
  morpion-tui --server https://play.example.org --token-file ~/.morpion-token";

/// # Errors
/// The server's refusal, in its words.
pub async fn run(command: TokenCommand, config: Config, format: Format) -> anyhow::Result<()> {
    Api::with(config, async |api| send(command, api, format).await).await
}

async fn send(command: TokenCommand, api: &Api, format: Format) -> anyhow::Result<()> {
    match command {
        TokenCommand::Create { name, scope, days } => {
            let payload = CreateToken { name, scope, expires_in_days: days };
            let answer: CreateTokenAnswer = api.write("create_token", payload).await?;
            let text = match format {
                Format::Json => json_line(&answer),
                Format::Text => format!("{}\n", answer.token),
            };
            let Err(unwritten) = print_synced(&text) else { return Ok(()) };
            // A token that was not shown is useless.
            let revoked = revoke(api, &answer.token_id).await.map_err(|why| format!("{why:#}"));
            let command = format!("morpion token revoke {}", answer.token_id);
            Err(token::lost(unwritten, revoked, &command).into())
        }
        TokenCommand::List => {
            let answer: TokensAnswer = api.read("list_tokens", ListTokens {}).await?;
            Ok(format.print_rows(&answer.tokens, table)?)
        }
        TokenCommand::Revoke { token, yes } => {
            let tokens: TokensAnswer = api.read("list_tokens", ListTokens {}).await?;
            let token_id = token::to_revoke(&tokens, &token, yes)?;
            revoke(api, &token_id).await?;
            Ok(format.print(&json!({ "tokenId": token_id }), |_| "The token was revoked.\n".to_owned())?)
        }
    }
}

async fn revoke(api: &Api, id: &str) -> anyhow::Result<()> {
    let payload = RevokeToken { token_id: id.to_owned() };
    api.write::<Acknowledgement>("revoke_token", payload).await.map(drop)
}

fn table(tokens: &[OperatorToken]) -> String {
    let time = |time: Option<Timestamp>| {
        time.map_or_else(|| "never".to_owned(), |time| time.utc().format("%Y-%m-%d %H:%M").to_string())
    };
    let mut text = format!("{:<36}  {:<16}  {:<16}  {:<16}  NAME\n", "ID", "CREATED", "EXPIRES", "LAST USED");
    for token in tokens {
        let (created, expires, used) = (time(Some(token.created_at)), time(token.expires_at), time(token.last_used_at));
        let name = escape::line(&token.name);
        text.push_str(&format!("{:<36}  {created:<16}  {expires:<16}  {used:<16}  {name}\n", token.token_id));
    }
    text
}
