//! Everything of one request, user, session or game.

use morpion_openapi::logger::{GetLogs, LogFilter, LogsData, SortOrder};
use morpion_shell::command_error::CommandError;

use super::{Logs, sync::page_of};
use crate::{
    event::Effect,
    fetch::Fetch,
    log::{record::Record, view::View},
};

/// Pages of everything of one request, user or session.
const SCOPE_PAGES: u32 = 20;
/// Everything of one request, user, session or time.
#[derive(Debug)]
pub struct Scope {
    pub title: String,
    pub view: View,
    pub fetch: Fetch,
    pub(super) asked: GetLogs,
    pages: u32,
}

impl Logs {
    /// Shows everything of one thing.
    pub fn open_scope(&mut self, title: String, filter: LogFilter) -> Vec<Effect> {
        let asked = page_of(filter, SortOrder::Descending, None);
        self.detail = None;
        self.scope = Some(Scope {
            title,
            view: View::default(),
            fetch: Fetch::default(),
            asked: asked.clone(),
            pages: SCOPE_PAGES,
        });
        vec![Effect::Call(asked.into())]
    }

    pub(super) fn scope_answered(&mut self, outcome: Result<LogsData, CommandError>, now: i64) -> Vec<Effect> {
        let Some(scope) = &mut self.scope else { return vec![] };
        match outcome {
            Ok(data) => {
                let records = data.logs.into_iter().map(|entry| Record::new(entry, &mut self.interner)).collect();
                scope.view.push_older(records);
                scope.fetch.succeeded(now);
                scope.pages = scope.pages.saturating_sub(1);
                match data.next_cursor {
                    Some(cursor) if scope.pages > 0 => {
                        scope.asked.cursor = Some(cursor);
                        vec![Effect::Call(scope.asked.clone().into())]
                    }
                    _ => vec![],
                }
            }
            Err(refusal) => {
                scope.fetch.failed(refusal, now);
                vec![]
            }
        }
    }
}
