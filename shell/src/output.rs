//! Standard output as scripts need it: what was not written is an error, whoever went away.

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

/// Writes to standard output, and sees to it that it leaves the program.
///
/// # Errors
/// A full disk, a closed pipe: [`Kind::Unwritten`].
pub fn say(text: &str) -> Result<(), Refusal> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| unwritten(&error))
}

/// As [`say`], and waits until a file has it on its disk: for what cannot be had again.
///
/// # Errors
/// As [`say`].
pub fn say_for_good(text: &str) -> Result<(), Refusal> {
    say(text)?;
    let kept = io::stdout().as_fd().try_clone_to_owned().and_then(|out| File::from(out).sync_all());
    match kept {
        // A pipe or a terminal keeps nothing.
        Err(error) if !matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Err(unwritten(&error))
        }
        _ => Ok(()),
    }
}

/// How a command says what came out.
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

/// A line to standard error. Nobody is left to be told when that fails.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// How a command line ends that clap did not take: a mistake, or the help that was asked for.
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
