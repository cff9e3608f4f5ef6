//! Standard output as scripts need it: output that could not be written is an error.

use std::{
    fs::File,
    io::{self, ErrorKind, Write},
    os::fd::AsFd,
    process::ExitCode,
};

use serde::Serialize;

use crate::{
    command_error::{CommandError, FailureKind},
    escape,
};

/// Writes to standard output. Characters that terminals interpret are escaped, except line breaks and tabs. A reader that
/// goes away after the beginning, such as `head`, wanted no more.
///
/// # Errors
/// A full disk, a pipe that nobody reads: [`FailureKind::Unwritten`].
pub fn print(text: &str) -> Result<(), CommandError> {
    write(text).map(drop)
}

/// How much was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Whole,
    /// The reader went away after some of it.
    Beginning,
}

fn write(text: &str) -> Result<Written, CommandError> {
    let mut buffered = io::stdout().lock();
    let unbuffered = buffered.flush().and_then(|()| buffered.as_fd().try_clone_to_owned()).map(File::from);
    let mut out = unbuffered.map_err(|error| unwritten(&error))?;
    let text = escape::lines(text);
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        match out.write(rest) {
            Ok(0) => return Err(unwritten(&ErrorKind::WriteZero.into())),
            Ok(written) => rest = &rest[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe && rest.len() < text.len() => {
                return Ok(Written::Beginning);
            }
            Err(error) => return Err(unwritten(&error)),
        }
    }
    Ok(Written::Whole)
}

/// As [`print`], and syncs a file to disk: for output that cannot be repeated.
///
/// # Errors
/// As [`print`].
pub fn print_synced(text: &str) -> Result<(), CommandError> {
    if write(text)? == Written::Beginning {
        return Err(unwritten(&ErrorKind::BrokenPipe.into()));
    }
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
    /// As [`print`].
    pub fn print<T: Serialize>(self, value: &T, text: impl FnOnce(&T) -> String) -> Result<(), CommandError> {
        match self {
            Self::Text => print(&text(value)),
            Self::Json => print(&json_line(value)),
        }
    }

    /// Many things: a table, or each on a line of its own.
    ///
    /// # Errors
    /// As [`print`].
    pub fn print_rows<T: Serialize>(self, rows: &[T], table: impl FnOnce(&[T]) -> String) -> Result<(), CommandError> {
        match self {
            Self::Text => print(&table(rows)),
            Self::Json => print(&rows.iter().map(json_line).collect::<String>()),
        }
    }
}

/// A value as one line of JSON, safe on a terminal too.
pub fn json_line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("answers are plain data");
    format!("{}\n", escape::json(&text))
}

/// Writes a text to standard error, escaped as by [`print`]. Errors are ignored: nobody is left to report them to.
pub fn print_error(text: &str) {
    let _ = writeln!(io::stderr(), "{}", escape::lines(text));
}

/// The exit code after clap did not accept a command line: an error, or the requested help.
pub fn end_of_parsing(error: &clap::Error, program: &str) -> ExitCode {
    let written = error.print().and_then(|()| io::stdout().flush());
    match written {
        Err(why) if !error.use_stderr() => {
            let refusal = unwritten(&why);
            print_error(&format!("{program}: {refusal}"));
            refusal.kind.exit_code()
        }
        _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
    }
}

fn unwritten(error: &io::Error) -> CommandError {
    let why = match error.kind() {
        ErrorKind::StorageFull => "there is no room left on the disk".to_owned(),
        ErrorKind::BrokenPipe => "its reader went away".to_owned(),
        _ => error.to_string(),
    };
    CommandError::new(FailureKind::Unwritten, format!("The output could not be written: {why}."))
}
