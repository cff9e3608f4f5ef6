//! The program's log: lines on the terminal for people, JSON under systemd, daily JSON files in `log.dir`, and the
//! records of the log viewer.
//!
//! Nothing secret is logged: requests by their path without the query, bodies and headers never, and types that hold
//! secrets hide them in `Debug`.

use std::{
    fs::DirBuilder,
    io::{self, IsTerminal, Write},
    os::unix::fs::DirBuilderExt,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::Context;
use morpion_shell::{escape, output::print};
use tracing_appender::{
    non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard},
    rolling::{RollingFileAppender, Rotation},
};
use tracing_subscriber::{
    EnvFilter, Layer, Registry,
    field::MakeExt,
    filter::{FilterExt, dynamic_filter_fn},
    fmt::{MakeWriter, format::debug_fn},
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
    if let Err(refusal) = print(&format!("{text}\n")) {
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
    // Damage found by the storage engine is reported by us, once, with what to do about it; refused passkeys likewise,
    // which the library calls errors whoever sends them.
    EnvFilter::new(format!("warn,surrealkv=off,webauthn_rs_core=off{ours}"))
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
    pretty(io::stderr, colours)
}

/// Lines for people. Messages and fields contain what strangers wrote, for example in requests and mail servers' errors.
fn pretty<W>(writer: W, colours: bool) -> BoxLayer
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let escaped = debug_fn(|writer, field, value| {
        let text = format!("{value:?}");
        let text = escape::line(&text);
        match field.name() {
            "message" => write!(writer, "{text}"),
            // Where a record of the `log` crate came from.
            name if name.starts_with("log.") => Ok(()),
            name => write!(writer, "{name}={text}"),
        }
    });
    let layer = tracing_subscriber::fmt::layer().compact().with_target(false).with_ansi(colours);
    layer.fmt_fields(escaped.delimited(" ")).with_writer(writer).boxed()
}

fn json<W>(writer: W) -> BoxLayer
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let layer = tracing_subscriber::fmt::layer().json().flatten_event(true).with_span_list(false);
    layer.with_writer(EscapedJson(writer)).boxed()
}

/// Writes JSON with the same meaning that is safe on a terminal too: people read log files with `cat`.
struct EscapedJson<W>(W);

impl<'a, W: MakeWriter<'a>> MakeWriter<'a> for EscapedJson<W> {
    type Writer = EscapedJson<W::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        EscapedJson(self.0.make_writer())
    }
}

impl<W: Write> Write for EscapedJson<W> {
    /// A whole record, as the layer writes it, in one write: the files' queue drops whole writes.
    fn write(&mut self, record: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(record);
        self.0.write_all(format!("{}\n", escape::json(text.trim_end())).as_bytes())?;
        Ok(record.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
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
    use std::{fs, io::Read, io::Seek, sync::Arc};

    use super::*;

    #[test]
    fn texts_of_strangers_are_escaped_in_every_format() {
        let hostile = "\u{1b}]52;c;ZXZpbA==\u{7}\u{9b}31m\u{202e}\u{2066}\u{200b}\r\nERROR forged";
        let is_raw = |char: char| char != '\n' && morpion_rules::text::is_invisible(char);
        for (name, format) in [("pretty", pretty as fn(_, _) -> BoxLayer), ("json", |writer, _| json(writer))] {
            let mut file = Arc::new(tempfile::tempfile().unwrap());
            tracing::subscriber::with_default(Registry::default().with(format(Arc::clone(&file), false)), || {
                let span = tracing::info_span!("request", path = %hostile, later = tracing::field::Empty);
                span.record("later", hostile);
                span.in_scope(|| {
                    tracing::warn!(error = %hostile, agent = hostile, debug = ?hostile, "refused: {hostile}");
                });
            });
            let mut text = String::new();
            file.rewind().unwrap();
            file.read_to_string(&mut text).unwrap();
            assert!(!text.chars().any(is_raw), "{name}: {text:?}");
            assert_eq!(text.lines().count(), 1, "{name}: {text}");
            assert_eq!(text.matches("ZXZpbA==").count(), 6, "{name}: nothing is dropped: {text}");
        }
    }

    #[test]
    fn a_plain_level_applies_to_our_crates_and_directives_are_used_unchanged() {
        let plain = filter("debug").to_string();
        assert!(plain.contains("morpion_appliance=debug") && plain.contains("warn"), "{plain}");
        let directives = filter("warn,morpion_appliance::play=trace").to_string();
        assert!(directives.contains("morpion_appliance::play=trace") && !directives.contains("morpion_store"));
    }

    #[test]
    fn log_files_are_json_lines_and_old_ones_are_deleted() {
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
    fn an_unusable_log_folder_is_reported_in_one_line() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        writeln!(file, "not a folder").unwrap();
        let error = format!("{:#}", files(&file.path().join("logs"), 3).unwrap_err());
        assert!(error.contains("log files cannot be written to"), "{error}");
        assert_eq!(error.lines().count(), 1);
    }
}
