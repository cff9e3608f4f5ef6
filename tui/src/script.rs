//! Shared by the commands for scripts: calls, answers as text or JSON, references.

use std::process::ExitCode;

use morpion_openapi::{
    PageRequest, Pagination,
    action::Action,
    admin::{FindIds, IdOf, ListUsers},
};
use morpion_shell::{
    command_error::CommandError,
    output::{Format, print_error},
    reference::{self, Candidate},
};
use serde::Serialize;
use uuid::Uuid;

use crate::{config::Settings, net::api::Api};

/// What a command runs with.
#[derive(Debug)]
pub struct Script {
    pub api: Api,
    pub settings: Settings,
    pub format: Format,
}

/// The result of a command: its exit code, or a refusal.
pub type Outcome = Result<ExitCode, CommandError>;

impl Script {
    /// Makes a call and prints the answer as JSON, or as `text` formats it.
    pub async fn show<A: Action>(&self, payload: A, text: impl FnOnce(&A::Answer) -> String) -> Outcome {
        let answer = self.api.ask(&payload).await?;
        self.print(&answer, text)
    }

    pub fn print<T: Serialize>(&self, answer: &T, text: impl FnOnce(&T) -> String) -> Outcome {
        self.format.print(answer, text)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Prints a page of a list: a table, or each row as a line of JSON. Further pages are mentioned on standard error.
    pub fn list<R: Serialize>(
        &self,
        rows: &[R],
        pagination: Option<&Pagination>,
        table: impl FnOnce(&[R]) -> String,
    ) -> Outcome {
        self.format.print_rows(rows, table)?;
        if let Some(pagination) = pagination.filter(|pagination| pagination.has_next_page) {
            let pages = pagination.total_count.div_ceil(u64::from(pagination.limit.clamp(1, PageRequest::MAX_LIMIT)));
            print_error(&format!("page {} of {pages}; --page shows another", pagination.current_page));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Resolves an id, a prefix of one, or a name.
    pub async fn one_of(
        &self,
        of: IdOf,
        what: &str,
        wanted: &str,
        named: impl AsyncFnOnce() -> Result<Vec<Candidate>, CommandError>,
    ) -> Result<Uuid, CommandError> {
        let find = async || self.api.ask(&FindIds { of, beginning: wanted.to_owned() }).await.map(|answer| answer.ids);
        reference::resolve(what, wanted, named, find).await
    }

    /// Resolves an account by its id, a prefix of it, or its username.
    pub async fn account(&self, wanted: &str) -> Result<Uuid, CommandError> {
        self.one_of(IdOf::User, "account", wanted, async || {
            let text = Some(wanted.to_owned());
            let call = ListUsers { text, page: Some(1), limit: Some(PageRequest::MAX_LIMIT) };
            let users = self.api.ask(&call).await?.users.into_iter();
            Ok(users.map(|user| Candidate { id: user.user_id.to_string(), name: user.username }).collect())
        })
        .await
    }
}
