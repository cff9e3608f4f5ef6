//! Completions: names of what exists on the running server. None is started for it.

use std::ffi::OsStr;

use clap_complete::engine::CompletionCandidate;
use morpion_openapi::admin::{ListTokens, TokensAnswer};
use morpion_shell::{complete, environment, reference::Candidate};

use super::{Settings, api::Api, event, pro, report, webhook};

pub fn events(typed: &OsStr) -> Vec<CompletionCandidate> {
    offers(typed, async |api| event::events(api, None).await)
}

pub fn accounts(typed: &OsStr) -> Vec<CompletionCandidate> {
    offers(typed, async |api| pro::accounts(api, &typed.to_string_lossy()).await)
}

pub fn reports(typed: &OsStr) -> Vec<CompletionCandidate> {
    offers(typed, async |api| report::open(api).await)
}

pub fn tokens(typed: &OsStr) -> Vec<CompletionCandidate> {
    offers(typed, async |api| {
        let answer: TokensAnswer = api.read("list_tokens", ListTokens {}).await?;
        let tokens = answer.tokens.into_iter();
        Ok(tokens.map(|token| Candidate { id: token.token_id, name: token.name }).collect())
    })
}

pub fn webhooks(typed: &OsStr) -> Vec<CompletionCandidate> {
    offers(typed, async |api| Ok(morpion_shell::webhook::candidates(&webhook::listed(api).await?)))
}

fn offers(typed: &OsStr, ask: impl AsyncFnOnce(&Api) -> anyhow::Result<Vec<Candidate>>) -> Vec<CompletionCandidate> {
    const TAKEN: [&str; 3] = ["--config", "--data-dir", "--listen"];
    complete::offers(typed, async || {
        let mut given = complete::options(environment::arguments(), &TAKEN);
        let settings = Settings {
            config: given.remove("--config").map(Into::into),
            data_dir: given.remove("--data-dir"),
            listen: given.remove("--listen"),
            ..Settings::default()
        };
        let api = Api::connect_to_running(&settings.load().ok()?.config).await?;
        ask(&api).await.ok()
    })
}
