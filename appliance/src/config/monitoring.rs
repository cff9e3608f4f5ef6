//! What monitoring gets, and where.

use std::net::SocketAddr;

use serde::Deserialize;
use url::Url;

use super::values;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    /// Absent: figures are not served.
    #[serde(deserialize_with = "values::optional_listen_address")]
    pub listen: Option<SocketAddr>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Telemetry {
    /// Absent: there are no traces.
    #[serde(deserialize_with = "values::optional_collector")]
    pub otlp: Option<Url>,
}
