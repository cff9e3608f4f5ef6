//! `morpion token create|list|revoke`.

use clap::Subcommand;
use morpion_openapi::{
    Acknowledgement, Timestamp,
    admin::{CreateToken, CreateTokenAnswer, ListTokens, OperatorToken, RevokeToken, TokensAnswer},
};

use super::{api::Api, print};
use crate::config::Config;

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Make a token and print it; it is shown this once
    Create {
        /// What it is for; the audit trail shows it
        name: String,
        /// Days until it ends; without it, it does not
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=3_650))]
        expires: Option<u32>,
    },
    /// List the tokens, their ends and their last uses
    List,
    /// End a token
    Revoke {
        /// Its id, from the list
        id: String,
    },
}

const EXAMPLES: &str = "\
Examples:
  morpion token create 'laptop of Ann' --expires 90 > ~/.morpion-token
  morpion-tui --server https://play.example.org --token-file ~/.morpion-token";

/// # Errors
/// What the server refuses, in its words.
pub async fn run(command: Command, config: Config) -> anyhow::Result<()> {
    print(&Api::during(config, async |api| send(command, api).await).await?);
    Ok(())
}

async fn send(command: Command, api: &Api) -> anyhow::Result<String> {
    Ok(match command {
        Command::Create { name, expires } => {
            let payload = CreateToken { name, expires_in_days: expires };
            let answer: CreateTokenAnswer = api.write("create_token", payload).await?;
            format!("{}\n", answer.token)
        }
        Command::List => {
            let answer: TokensAnswer = api.read("list_tokens", ListTokens {}).await?;
            table(&answer.tokens)
        }
        Command::Revoke { id } => {
            let _: Acknowledgement = api.write("revoke_token", RevokeToken { token_id: id }).await?;
            "The token works no more.\n".to_owned()
        }
    })
}

fn table(tokens: &[OperatorToken]) -> String {
    let time = |time: Option<Timestamp>| {
        time.map_or_else(|| "never".to_owned(), |time| time.utc().format("%Y-%m-%d %H:%M").to_string())
    };
    let mut text = format!("{:<36}  {:<16}  {:<16}  {:<16}  NAME\n", "ID", "CREATED", "EXPIRES", "LAST USED");
    for token in tokens {
        let (created, expires, used) = (time(Some(token.created_at)), time(token.expires_at), time(token.last_used_at));
        text.push_str(&format!("{:<36}  {created:<16}  {expires:<16}  {used:<16}  {}\n", token.token_id, token.name));
    }
    text
}
