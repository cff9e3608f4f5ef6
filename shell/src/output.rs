//! Standard output as scripts need it: output that could not be written is an error.

use std::{
    fs::File,
    io::{self, ErrorKind, Write},
    os::fd::AsFd,
    process::ExitCode,
};

use serde::Serialize;

use crate::{
    escape,
    refusal::{Kind, Refusal},
};

/// Writes to standard output and flushes it. Characters that terminals interpret are escaped, except
/// line breaks and tabs.
///
/// # Errors
/// A full disk, a closed pipe: [`Kind::Unwritten`].
pub fn say(text: &str) -> Result<(), Refusal> {
    let mut out = io::stdout().lock();
    out.write_all(escape::lines(text).as_bytes()).and_then(|()| out.flush()).map_err(|error| unwritten(&error))
}

/// As [`say`], and syncs a file to disk: for output that cannot be repeated.
///
/// # Errors
/// As [`say`].
pub fn say_for_good(text: &str) -> Result<(), Refusal> {
    say(text)?;
    let kept = io::stdout().as_fd().try_clone_to_owned().and_then(|out| File::from(out).sync_all());
    match kept {
        // A pipe or a terminal cannot be synced.
        Err(error) if !matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Err(unwritten(&error))
        }
        _ => Ok(()),
    }
}

/// The output format of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    /// One object a line.
    Json,
}

impl Format {
    pub fn new(is_json: bool) -> Self {
        if is_json { Self::Json } else { Self::Text }
    }

    /// One thing.
    ///
    /// # Errors
    /// As [`say`].
    pub fn say<T: Serialize>(self, value: &T, text: impl FnOnce(&T) -> String) -> Result<(), Refusal> {
        match self {
            Self::Text => say(&text(value)),
            Self::Json => say(&json_line(value)),
        }
    }

    /// Many things: a table, or each on a line of its own.
    ///
    /// # Errors
    /// As [`say`].
    pub fn say_rows<T: Serialize>(self, rows: &[T], table: impl FnOnce(&[T]) -> String) -> Result<(), Refusal> {
        match self {
            Self::Text => say(&table(rows)),
            Self::Json => say(&rows.iter().map(json_line).collect::<String>()),
        }
    }
}

/// A value as one line of JSON, safe on a terminal too.
pub fn json_line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("answers are plain data");
    format!("{}\n", escape::json(&text))
}

/// Writes a text to standard error, escaped as by [`say`]. Errors are ignored: nobody is left to report them to.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{}", escape::lines(text));
}

/// The exit code after clap did not accept a command line: an error, or the requested help.
pub fn end_of_parsing(error: &clap::Error, program: &str) -> ExitCode {
    let written = error.print().and_then(|()| io::stdout().flush());
    match written {
        Err(why) if !error.use_stderr() => {
            let refusal = unwritten(&why);
            complain(&format!("{program}: {refusal}"));
            refusal.kind.exit_code()
        }
        _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
    }
}

fn unwritten(error: &io::Error) -> Refusal {
    let why = match error.kind() {
        ErrorKind::StorageFull => "there is no room left on the disk".to_owned(),
        ErrorKind::BrokenPipe => "its reader went away".to_owned(),
        _ => error.to_string(),
    };
    Refusal::new(Kind::Unwritten, format!("The output could not be written: {why}."))
}
