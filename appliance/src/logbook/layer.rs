//! The `tracing` layer that sends records to the logbook; it never waits.

use std::{
    fmt::{self, Write},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering},
    },
};

use chrono::Utc;
use parking_lot::Mutex;
use tokio::sync::mpsc;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id},
};
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};

use super::{
    budget::{Budget, Sink},
    record::{Level, Record, SERVER},
    redact::redact,
};

/// Queued records, some 8 MiB. Beyond it they are dropped and counted: nothing waits for its log.
const QUEUE_SIZE: usize = 16_384;

/// The records of this process, before and after a logbook takes the receiver.
struct OwnRecords {
    sender: mpsc::Sender<Record>,
    receiver: Mutex<Option<mpsc::Receiver<Record>>>,
    dropped: AtomicU64,
}

static OWN_RECORDS: LazyLock<OwnRecords> = LazyLock::new(|| {
    let (sender, receiver) = mpsc::channel(QUEUE_SIZE);
    OwnRecords { sender, receiver: Mutex::new(Some(receiver)), dropped: AtomicU64::new(0) }
});

/// The receiver of this process's records, for the first logbook that asks.
pub fn take_receiver() -> Option<mpsc::Receiver<Record>> {
    OWN_RECORDS.receiver.lock().take()
}

/// Records that wait to be taken. There is one queue for the process.
pub fn waiting() -> usize {
    OWN_RECORDS.sender.max_capacity() - OWN_RECORDS.sender.capacity()
}

/// Records dropped because the queue was full, since the start.
pub fn dropped() -> u64 {
    OWN_RECORDS.dropped.load(Ordering::Relaxed)
}

/// The target of the line that every request ends with.
pub const ANSWERED: &str = "morpion_appliance::http::request_log";

/// The layer that queues records.
#[derive(Debug, Clone, Copy)]
pub struct LogbookLayer;

/// The user, session and request of a span; stored in it for the records inside.
#[derive(Debug, Default)]
pub struct Subject {
    /// Of requests that are not a member's.
    budget: Option<Arc<Budget>>,
    user: Option<uuid::Uuid>,
    session: Option<String>,
    request: Option<String>,
    /// The call of a request, as a record's context has it.
    call: String,
}

impl Visit for Subject {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.set(field.name(), || format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field.name(), || value.to_owned());
    }
}

impl Subject {
    pub fn budget(&self) -> Option<Arc<Budget>> {
        self.budget.clone()
    }

    fn set(&mut self, name: &str, value: impl Fn() -> String) -> bool {
        match name {
            "user_id" | "user" => self.user = value().parse().ok(),
            "session_id" => self.session = Some(value()),
            "request_id" => self.request = Some(value()),
            "caller" if is_trusted(&value()) => self.budget = None,
            "caller" => {}
            "method" | "path" => add(&mut self.call, name, &value()),
            _ => return false,
        }
        true
    }
}

/// The fields of an event: its message, its subject, and all others as the context.
#[derive(Default)]
struct Fields {
    message: String,
    context: String,
    stack: Option<String>,
    subject: Subject,
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.take(field.name(), &format_args!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.take(field.name(), &value);
    }
}

impl Fields {
    fn take(&mut self, name: &str, value: &dyn fmt::Display) {
        if name == "message" {
            self.message = value.to_string();
        } else if name == "stack" {
            self.stack = Some(value.to_string());
        } else if !self.subject.set(name, || value.to_string()) {
            add(&mut self.context, name, value);
        }
    }
}

/// Adds a field to a context.
fn add(context: &mut String, name: &str, value: &dyn fmt::Display) {
    let separator = if context.is_empty() { "" } else { " " };
    // Writing into a String cannot fail.
    let _ = write!(context, "{separator}{name}={value}");
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for LogbookLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut subject = Subject::default();
        attributes.record(&mut subject);
        subject.budget = subject.request.is_some().then(Arc::default);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(subject);
        }
    }

    fn on_record(&self, id: &Id, values: &tracing::span::Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(subject) = span.extensions_mut().get_mut::<Subject>()
        {
            values.record(subject);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut subject = fields.subject;
        for span in context.event_scope(event).into_iter().flatten() {
            let extensions = span.extensions();
            let Some(outer) = extensions.get::<Subject>() else { continue };
            subject.user = subject.user.or(outer.user);
            subject.session = subject.session.or_else(|| outer.session.clone());
            subject.request = subject.request.or_else(|| outer.request.clone());
            if subject.call.is_empty() {
                subject.call.clone_from(&outer.call);
            }
        }
        let context_text = [subject.call, fields.context].join(" ");
        let metadata = event.metadata();
        let line = metadata.line().map(|line| format!(":{line}")).unwrap_or_default();
        let record = Record {
            at: Utc::now().timestamp_millis(),
            level: Level::from(*metadata.level()),
            platform: SERVER.to_owned(),
            service: service(metadata.target()).to_owned(),
            message: redact(&fields.message).into_owned(),
            user: subject.user,
            session: subject.session,
            request: subject.request,
            file: metadata.file().map(|file| format!("{file}{line}")),
            context: Some(redact(context_text.trim()).into_owned()).filter(|context| !context.is_empty()),
            stack: fields.stack.map(|stack| redact(&stack).into_owned()),
        };
        let Some(budget) = Budget::of(context.event_scope(event)) else { return enqueue(Some(record)) };
        let (before, mut left) = (budget.left(Sink::Logbook, metadata), budget.left(Sink::Logbook, metadata));
        let record = record.within(&mut left);
        budget.spend(Sink::Logbook, before - left);
        enqueue(record);
    }
}

/// Whether a kind of caller is one that not everybody can be.
fn is_trusted(caller: &str) -> bool {
    matches!(caller, "member" | "operator")
}

/// Queues a record for the logbook of this process. While none has taken the receiver the queue fills up, then records
/// are dropped, as is what its request has no room for.
fn enqueue(record: Option<Record>) {
    if record.is_none_or(|record| OWN_RECORDS.sender.try_send(record.bounded()).is_err()) {
        OWN_RECORDS.dropped.fetch_add(1, Ordering::Relaxed);
    }
}

/// The program's own parts, as records name them.
pub const SERVICES: [&str; 15] = [
    "account",
    "app",
    "billing",
    "cli",
    "config",
    "engine",
    "http",
    "logbook",
    "mail",
    "play",
    "realtime",
    "security",
    "store",
    "tournament",
    "webapp",
];

/// The service of a `tracing` target: the first module below the crate.
fn service(target: &str) -> &str {
    let mut path = target.split("::");
    match (path.next(), path.next()) {
        // Stored records and filters have the name that this part had first.
        (Some("morpion_appliance"), Some("events")) => "tournament",
        (Some("morpion_appliance"), Some(part)) => {
            SERVICES.into_iter().find(|service| *service == part).unwrap_or("app")
        }
        (Some("morpion_store"), _) => "store",
        (Some("morpion" | "morpion_appliance"), _) => "app",
        // SurrealDB and its dependencies.
        _ => "engine",
    }
}

#[cfg(test)]
mod tests {
    use tracing::field::Empty;
    use tracing_subscriber::{Registry, layer::SubscriberExt};

    use super::*;

    #[test]
    fn targets_are_parts_of_the_program() {
        for (target, part) in [
            ("morpion_appliance::play::runtime", "play"),
            ("morpion_appliance::http", "http"),
            ("morpion_appliance::health", "app"),
            ("morpion_appliance::events::owner", "tournament"),
            ("morpion_store::journal", "store"),
            ("surrealdb_core::kvs", "engine"),
        ] {
            assert_eq!(service(target), part, "{target}");
            assert!(SERVICES.contains(&service(target)), "{target}");
        }
    }

    #[test]
    fn an_event_becomes_a_record_without_secrets_and_knows_its_request() {
        let mut receiver = take_receiver().expect("no other test takes it");
        tracing::subscriber::with_default(Registry::default().with(LogbookLayer), || {
            let path = "/api/auth/login";
            let span = tracing::info_span!("request", request_id = "r1", method = "POST", path, user_id = Empty);
            let user = uuid::Uuid::new_v4();
            span.record("user_id", tracing::field::display(user));
            span.in_scope(|| tracing::warn!(table = 7, password = "Hunter2!x", "a table fell over"));
            let record = receiver.try_recv().unwrap();
            assert_eq!(record.message, "a table fell over");
            assert_eq!(record.level, Level::Warning);
            assert_eq!(record.request.as_deref(), Some("r1"));
            assert_eq!(record.user, Some(user));
            let context = "method=POST path=/api/auth/login table=7 password=[hidden]";
            assert_eq!(record.context.as_deref(), Some(context));
            assert!(record.file.unwrap().contains("layer.rs:"));
        });
    }
}
