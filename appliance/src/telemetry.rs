//! Traces for an OpenTelemetry collector: requests, moves and commits as spans, sent by OTLP over HTTP.
//!
//! Nothing waits for them: spans enter a bounded queue, and what does not fit, or cannot be delivered, is dropped. Without a
//! collector no span is made at all. Spans of people's doings have no names and no ids of people.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use anyhow::Context;
use async_trait::async_trait;
use opentelemetry::{KeyValue, trace::TracerProvider};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    trace::{BatchConfigBuilder, BatchSpanProcessor, SdkTracerProvider},
};
use reqwest::redirect::Policy;
use tokio::runtime::Handle;
use tracing_subscriber::{Layer, Registry, filter::filter_fn};
use url::Url;

/// The target of the spans that are sent. The store names it too.
pub const TARGET: &str = "telemetry";

/// Spans that wait to be sent, some 2 MiB, and how many are sent at once.
const QUEUE_SIZE: usize = 4_096;
const BATCH_SIZE: usize = 512;

const SEND_EVERY: Duration = Duration::from_secs(1);

/// For one delivery; meanwhile the queue fills.
const DELIVER_WITHIN: Duration = Duration::from_secs(5);

/// What is left at the end is sent within this time.
const FINISH_WITHIN: Duration = Duration::from_secs(1);

/// A span that is sent to the collector. At the lowest level, so that without one a look at a level rules it out.
macro_rules! trace_span {
    ($($span:tt)*) => { tracing::trace_span!(target: $crate::telemetry::TARGET, $($span)*) };
}
pub(crate) use trace_span;

/// The spans on their way to the collector; what is left is sent when it is dropped.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Starts to deliver spans to a collector, whether or not it can be reached.
    ///
    /// # Errors
    /// Its address cannot be used.
    pub fn start(collector: &Url) -> anyhow::Result<Self> {
        let cannot = || format!("telemetry.otlp: spans cannot be sent to {collector}");
        let client = reqwest::Client::builder().timeout(DELIVER_WITHIN).redirect(Policy::none()).build()?;
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Delivery { client, runtime: Handle::current(), is_failing: AtomicBool::new(false) })
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(DELIVER_WITHIN)
            .with_endpoint(format!("{}/v1/traces", collector.as_str().trim_end_matches('/')))
            .build()
            .with_context(cannot)?;
        let limits = BatchConfigBuilder::default()
            .with_max_queue_size(QUEUE_SIZE)
            .with_max_export_batch_size(BATCH_SIZE)
            .with_scheduled_delay(SEND_EVERY)
            .build();
        let processor = BatchSpanProcessor::builder(exporter).with_batch_config(limits).build();
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let resource = Resource::builder_empty().with_service_name("morpion").with_attribute(version).build();
        Ok(Self(SdkTracerProvider::builder().with_resource(resource).with_span_processor(processor).build()))
    }

    /// The `tracing` layer that takes the spans.
    pub fn layer(&self) -> Box<dyn Layer<Registry> + Send + Sync> {
        let layer = tracing_opentelemetry::layer().with_tracer(self.0.tracer("morpion"));
        let layer = layer.with_location(false).with_threads(false).with_tracked_inactivity(false).with_target(false);
        layer.with_filter(filter_fn(|metadata| metadata.is_span() && metadata.target() == TARGET)).boxed()
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        // The collector may be gone.
        let _ = self.0.shutdown_with_timeout(FINISH_WITHIN);
    }
}

/// Posts spans with our HTTP client, which needs the runtime that the exporter's thread does not have.
#[derive(Debug)]
struct Delivery {
    client: reqwest::Client,
    runtime: Handle,
    is_failing: AtomicBool,
}

#[async_trait]
impl HttpClient for Delivery {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        let delivered = self.runtime.spawn(async move {
            let response = client.execute(request.try_into()?).await?.error_for_status()?;
            // The collector's words are of no use.
            Ok::<_, reqwest::Error>(Response::builder().status(response.status()).body(Bytes::new()))
        });
        let delivered = delivered.await?;
        let was_failing = self.is_failing.swap(delivered.is_err(), Ordering::Relaxed);
        match &delivered {
            Err(error) if !was_failing => {
                tracing::warn!(error = %with_cause(error), "traces cannot be delivered; they are dropped");
            }
            Ok(_) if was_failing => tracing::info!("traces are delivered again"),
            _ => {}
        }
        Ok(delivered??)
    }
}

/// The error with its last cause, which says why.
fn with_cause(error: &reqwest::Error) -> String {
    let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    causes.last().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}
