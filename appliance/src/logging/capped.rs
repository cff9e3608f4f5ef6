//! Lines that are safe on a terminal, and short if a stranger's request writes them.

use std::fmt;

use morpion_shell::escape;
use serde_json::Value;
use tracing::Event;
use tracing_subscriber::{
    Registry,
    fmt::{
        FmtContext,
        format::{FormatEvent, FormatFields, Writer},
    },
};

use crate::logbook::{Budget, Sink, cut};

/// To how many bytes the texts of a line are cut until it fits; none is cut that only we write.
const CUT_TO: [usize; 4] = [256, 128, 64, 48];

/// The form of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Json,
    /// For people, with colours.
    Coloured,
    Plain,
}

/// A format whose lines are cut to what the request has left.
pub struct Capped<F> {
    pub format: F,
    pub form: Form,
    pub sink: Sink,
}

impl<N, F> FormatEvent<Registry, N> for Capped<F>
where
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<Registry, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, Registry, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = String::new();
        self.format.format_event(context, Writer::new(&mut line), event)?;
        // JSON with the same meaning that is safe on a terminal too: people read log files with `cat`.
        let line = if self.form == Form::Json { escape::json(line.trim_end()).into_owned() + "\n" } else { line };
        let Some(budget) = Budget::of(context.event_scope()) else { return writer.write_str(&line) };
        let Some(line) = self.shortened(line, budget.left(self.sink, event.metadata())) else { return Ok(()) };
        budget.spend(self.sink, line.len());
        writer.write_str(&line)
    }
}

impl<F> Capped<F> {
    /// The line in at most so many bytes; `None` if there is no room for one.
    fn shortened(&self, mut line: String, most: usize) -> Option<String> {
        if line.len() <= most {
            return Some(line);
        }
        let end = match self.form {
            Form::Json => return shortened_json(&line, most),
            Form::Coloured => "\u{1b}[0m\n",
            Form::Plain => "\n",
        };
        cut(&mut line, most.checked_sub('…'.len_utf8() + end.len())?);
        Some(line + end)
    }
}

fn shortened_json(line: &str, most: usize) -> Option<String> {
    let mut value: Value = serde_json::from_str(line).ok()?;
    CUT_TO.into_iter().find_map(|longest| {
        cut_texts(&mut value, longest);
        let text = escape::json(&value.to_string()).into_owned() + "\n";
        (text.len() <= most).then_some(text)
    })
}

fn cut_texts(value: &mut Value, longest: usize) {
    match value {
        Value::String(text) => cut(text, longest),
        Value::Array(items) => items.iter_mut().for_each(|item| cut_texts(item, longest)),
        Value::Object(fields) => fields.values_mut().for_each(|field| cut_texts(field, longest)),
        _ => {}
    }
}
