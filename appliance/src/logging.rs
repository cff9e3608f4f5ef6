//! The program's log: lines on the terminal for people, JSON under systemd, daily JSON files in `log.dir`, and the
//! records of the log viewer.
//!
//! Nothing secret is logged: requests by their path without the query, bodies and headers never, and types that hold
//! secrets hide them in `Debug`.

mod capped;
mod files;

use std::{
    io::{self, IsTerminal},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::Context;
use morpion_shell::{escape, output::print, terminal::has_colours};
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{
    EnvFilter, Layer, Registry,
    field::MakeExt,
    filter::{FilterExt, LevelFilter, dynamic_filter_fn},
    fmt::{MakeWriter, format::debug_fn},
    layer::SubscriberExt,
    reload,
    util::SubscriberInitExt,
};

use crate::{
    config::{Log, LogFormat},
    logbook::{LogbookLayer, Sink},
    telemetry::Traces,
};
use capped::{Capped, Form};
use files::{FileLimits, LogFiles};

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
    level: reload::Handle<EnvFilter, Registry>,
}

impl Logging {
    /// Logs from now on what `log.level` says.
    pub fn set_level(&self, level: &str) {
        // It fails where another subscriber was set before: a test's.
        let _ = self.level.reload(filter(level));
    }
}

/// Starts logging for the whole process, once. Files go to `dir`, none if absent; spans to `traces`, if it is there.
///
/// # Errors
/// The folder of the log files cannot be used, in one line that says what to do.
pub fn start(log: &Log, dir: Option<&Path>, traces: Option<&Traces>) -> anyhow::Result<Logging> {
    let (files, guard) = dir.map(|dir| files(dir, log.into())).transpose()?.unzip();
    let mut layers = vec![terminal(log.format)];
    layers.extend(files.map(|files| json(files, Sink::Files)));
    layers.push(LogbookLayer.boxed());
    // A test's subscriber stays.
    let is_wanted = dynamic_filter_fn(|metadata, _| {
        !(ENGINE_SILENCED.load(Ordering::Relaxed) && metadata.target().starts_with("surreal"))
    });
    // Otherwise records of all levels are made, those of the `log` crate each time, and discarded.
    let is_wanted = is_wanted.with_max_level_hint(LevelFilter::TRACE);
    let (filter, level) = reload::Layer::new(filter(&log.level));
    let logs = layers.with_filter(filter.and(is_wanted)).boxed();
    let layers: Vec<BoxLayer> = [logs].into_iter().chain(traces.map(Traces::layer)).collect();
    let _ = Registry::default().with(layers).try_init();
    std::panic::set_hook(Box::new(|panic| tracing::error!(%panic, "a task panicked")));
    Ok(Logging { _files: guard, level })
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
    // which the library calls errors whoever sends them. A transaction that is dropped is undone: its caller gave up.
    EnvFilter::new(format!("warn,surrealkv=off,surrealdb_datastore::tr=off,webauthn_rs_core=off{ours}"))
}

type BoxLayer = Box<dyn Layer<Registry> + Send + Sync>;

fn terminal(format: LogFormat) -> BoxLayer {
    let wants_json = match format {
        LogFormat::Json => true,
        LogFormat::Pretty => false,
        LogFormat::Auto => is_under_systemd(),
    };
    if wants_json {
        return json(io::stderr, Sink::Terminal);
    }
    let colours = io::stderr().is_terminal() && has_colours(&|name| std::env::var(name).ok());
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
    let form = if colours { Form::Coloured } else { Form::Plain };
    let layer =
        layer.map_event_format(|format| Capped { format: format.with_ansi(colours), form, sink: Sink::Terminal });
    layer.fmt_fields(escaped.delimited(" ")).with_writer(writer).boxed()
}

fn json<W>(writer: W, sink: Sink) -> BoxLayer
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let layer = tracing_subscriber::fmt::layer().json().flatten_event(true).with_span_list(false);
    layer.map_event_format(|format| Capped { format, form: Form::Json, sink }).with_writer(writer).boxed()
}

impl From<&Log> for FileLimits {
    fn from(log: &Log) -> Self {
        Self { days: log.keep_files.get(), bytes: log.max_bytes }
    }
}

fn files(dir: &Path, limits: FileLimits) -> anyhow::Result<(NonBlocking, WorkerGuard)> {
    let cannot = || format!("log files cannot be written to {}; make it writable or set log.dir", dir.display());
    let files = LogFiles::open(dir, limits).with_context(cannot)?;
    Ok(NonBlockingBuilder::default().lossy(true).buffered_lines_limit(QUEUED_LINES).finish(files))
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        io::{Read, Seek, Write},
        sync::Arc,
    };

    use super::*;

    const LIMITS: FileLimits = FileLimits { days: 3, bytes: 1 << 30 };

    #[test]
    fn texts_of_strangers_are_escaped_in_every_format() {
        let hostile = "\u{1b}]52;c;ZXZpbA==\u{7}\u{9b}31m\u{202e}\u{2066}\u{200b}\r\nERROR forged";
        let is_raw = |char: char| char != '\n' && morpion_rules::text::is_invisible(char);
        for (name, format) in
            [("pretty", pretty as fn(_, _) -> BoxLayer), ("json", |writer, _| json(writer, Sink::Files))]
        {
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

    /// What a request of this caller writes in this form: many events with long texts, then its answer.
    fn written(caller: &str, format: fn(Arc<fs::File>) -> BoxLayer) -> String {
        let mut file = Arc::new(tempfile::tempfile().unwrap());
        let layers = vec![format(Arc::clone(&file)), LogbookLayer.boxed()];
        tracing::subscriber::with_default(Registry::default().with(layers), || {
            let long = "\"é\u{1b}".repeat(3_000);
            let path = "/p".repeat(128);
            let span =
                tracing::info_span!("request", request_id = "r", method = "GET", path, caller = tracing::field::Empty);
            span.record("caller", caller);
            span.in_scope(|| {
                for _ in 0..20 {
                    tracing::warn!(error = long, agent = ?long, "refused: {long}");
                }
                if caller == "visitor with an event" {
                    tracing::warn!(target: "morpion_appliance::security", outcome = "failed", "security event");
                }
                tracing::info!(target: crate::logbook::ANSWERED, status = 400, "answered");
            });
        });
        let mut text = String::new();
        file.rewind().unwrap();
        file.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn a_strangers_request_writes_a_kibibyte_in_every_format_and_a_members_all() {
        let formats: [fn(Arc<fs::File>) -> BoxLayer; 3] =
            [|file| json(file, Sink::Files), |file| pretty(file, false), |file| pretty(file, true)];
        for format in formats {
            for caller in ["visitor", "guest"] {
                let text = written(caller, format);
                assert!((300..=1_024).contains(&text.len()), "{} bytes: {text}", text.len());
                assert!(text.contains('…') && text.lines().last().unwrap().contains("answered"), "{text}");
            }
            let text = written("visitor with an event", format);
            assert!(text.lines().any(|line| line.contains("security event")), "programs wait for it: {text}");
            assert!(text.lines().last().unwrap().contains("answered"), "{text}");
            assert!(written("member", format).len() > 20 * 9_000, "nothing is cut");
        }
        for line in written("visitor", formats[0]).lines() {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
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
    fn callers_that_give_up_are_no_errors() {
        tracing::subscriber::with_default(Registry::default().with(filter("info")), || {
            assert!(!tracing::enabled!(target: "surrealdb_datastore::tr", tracing::Level::ERROR));
            assert!(tracing::enabled!(target: "surrealdb_datastore::ds", tracing::Level::ERROR));
        });
    }

    #[test]
    fn log_files_are_json_lines_and_old_ones_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        for day in 1..=5 {
            fs::write(folder.path().join(format!("morpion.2020-01-0{day}.jsonl")), "{}\n").unwrap();
        }
        let (writer, guard) = files(folder.path(), LIMITS).unwrap();
        let subscriber = Registry::default().with(json(writer, Sink::Files));
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
        let error = format!("{:#}", files(&file.path().join("logs"), LIMITS).unwrap_err());
        assert!(error.contains("log files cannot be written to"), "{error}");
        assert_eq!(error.lines().count(), 1);
    }
}
