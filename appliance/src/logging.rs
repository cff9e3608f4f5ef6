//! The program's log: lines on the terminal for people, JSON under systemd, daily JSON files in `log.dir`, and the
//! records of the log viewer.
//!
//! Nothing secret is logged: requests by their path without the query, bodies and headers never, and types that hold
//! secrets hide them in `Debug`.

use std::{
    fs::DirBuilder,
    io::{self, IsTerminal},
    os::unix::fs::DirBuilderExt,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::Context;
use morpion_shell::output::say;
use tracing_appender::{
    non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard},
    rolling::{RollingFileAppender, Rotation},
};
use tracing_subscriber::{
    EnvFilter, Layer, Registry,
    filter::{FilterExt, dynamic_filter_fn},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use crate::{
    config::{Log, LogFormat},
    logbook::LogbookLayer,
};

/// Lines queued for a slow disk, some 4 MiB. Beyond it lines are dropped: a game must not wait for its log.
const QUEUED_LINES: usize = 16_384;

/// The crates that a plain level applies to.
const OURS: [&str; 4] = ["morpion", "morpion_appliance", "morpion_engine", "morpion_store"];

static ENGINE_SILENCED: AtomicBool = AtomicBool::new(false);

/// Ignores the storage engine's log messages from now on: it reports its own orderly shutdown as errors. Real errors
/// are returned by the call that closes it.
pub fn silence_engine() {
    ENGINE_SILENCED.store(true, Ordering::Relaxed);
}

/// Keeps the writer of the files alive; queued lines are written when it is dropped.
#[derive(Debug)]
pub struct Logging {
    _files: Option<WorkerGuard>,
}

/// Starts logging for the whole process, once. Files go to `dir`, none if absent.
///
/// # Errors
/// The folder of the log files cannot be used, in one line that says what to do.
pub fn start(log: &Log, dir: Option<&Path>) -> anyhow::Result<Logging> {
    let (files, guard) = dir.map(|dir| files(dir, log.keep_files.get())).transpose()?.unzip();
    let mut layers = vec![terminal(log.format)];
    layers.extend(files.map(json));
    layers.push(LogbookLayer.boxed());
    // A test's subscriber stays.
    let is_wanted = dynamic_filter_fn(|metadata, _| {
        !(ENGINE_SILENCED.load(Ordering::Relaxed) && metadata.target().starts_with("surreal"))
    });
    let _ = Registry::default().with(layers.with_filter(filter(&log.level).and(is_wanted))).try_init();
    std::panic::set_hook(Box::new(|panic| tracing::error!(%panic, "a task panicked")));
    Ok(Logging { _files: guard })
}

/// Prints to standard output. If that fails, for example on a full disk, the server still runs and the log reports it.
pub fn print_line(text: &str) {
    if let Err(refusal) = say(&format!("{text}\n")) {
        tracing::error!(%refusal, "the startup message could not be written to standard output; `morpion admin create` makes an admin");
    }
}

/// Whether standard error goes to the journal.
pub fn is_under_systemd() -> bool {
    std::env::var_os("JOURNAL_STREAM").is_some()
}

fn filter(level: &str) -> EnvFilter {
    let level = level.trim();
    if level.contains(['=', ',']) {
        return EnvFilter::new(level);
    }
    let ours: String = OURS.iter().map(|name| format!(",{name}={level}")).collect();
    // Damage found by the storage engine is reported by us, once, with what to do about it.
    EnvFilter::new(format!("warn,surrealkv=off{ours}"))
}

type BoxLayer = Box<dyn Layer<Registry> + Send + Sync>;

fn terminal(format: LogFormat) -> BoxLayer {
    let wants_json = match format {
        LogFormat::Json => true,
        LogFormat::Pretty => false,
        LogFormat::Auto => is_under_systemd(),
    };
    if wants_json {
        return json(io::stderr);
    }
    let colours = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    tracing_subscriber::fmt::layer().compact().with_target(false).with_ansi(colours).with_writer(io::stderr).boxed()
}

fn json<W>(writer: W) -> BoxLayer
where
    W: for<'a> tracing_subscriber::fmt::MakeWriter<'a> + Send + Sync + 'static,
{
    tracing_subscriber::fmt::layer().json().flatten_event(true).with_span_list(false).with_writer(writer).boxed()
}

fn files(dir: &Path, max_files: usize) -> anyhow::Result<(NonBlocking, WorkerGuard)> {
    let cannot = || format!("log files cannot be written to {}; make it writable or set log.dir", dir.display());
    // The appender creates it too, but only after complaining about missing old files.
    DirBuilder::new().recursive(true).mode(0o700).create(dir).with_context(cannot)?;
    let appender = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("morpion")
        .filename_suffix("jsonl")
        .max_log_files(max_files)
        .build(dir)
        .with_context(cannot)?;
    Ok(NonBlockingBuilder::default().lossy(true).buffered_lines_limit(QUEUED_LINES).finish(appender))
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write};

    use super::*;

    #[test]
    fn a_plain_level_is_ours_and_directives_are_taken_as_they_are() {
        let plain = filter("debug").to_string();
        assert!(plain.contains("morpion_appliance=debug") && plain.contains("warn"), "{plain}");
        let directives = filter("warn,morpion_appliance::play=trace").to_string();
        assert!(directives.contains("morpion_appliance::play=trace") && !directives.contains("morpion_store"));
    }

    #[test]
    fn files_are_json_lines_in_the_folder_and_old_ones_go() {
        let folder = tempfile::tempdir().unwrap();
        for day in 1..=5 {
            fs::write(folder.path().join(format!("morpion.2020-01-0{day}.jsonl")), "{}\n").unwrap();
        }
        let (writer, guard) = files(folder.path(), 3).unwrap();
        let subscriber = Registry::default().with(json(writer));
        tracing::subscriber::with_default(subscriber, || {
            let span = tracing::info_span!("request", request_id = "0195");
            span.in_scope(|| tracing::info!(status = 200, "answered"));
        });
        drop(guard);
        let mut names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert!(names.len() <= 3, "{names:?}");
        let text = fs::read_to_string(folder.path().join(names.last().unwrap())).unwrap();
        let line: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(line["message"], "answered");
        assert_eq!(line["status"], 200);
        assert_eq!(line["span"]["request_id"], "0195");
    }

    #[test]
    fn a_folder_that_cannot_be_used_is_told_in_one_line() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        writeln!(file, "not a folder").unwrap();
        let error = format!("{:#}", files(&file.path().join("logs"), 3).unwrap_err());
        assert!(error.contains("log files cannot be written to"), "{error}");
        assert_eq!(error.lines().count(), 1);
    }
}
