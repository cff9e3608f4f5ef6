//! The factory that SurrealDB is built with.

use std::sync::Arc;

use surrealdb_cnf::ConfigMap;
use surrealdb_core::kvs::{TransactionBuilderFactory, TransactionBuilderParts};
use surrealdb_kvs::api::BoxFut;
use surrealdb_kvs::{Metrics, Result, Transactable, TransactionBuilder, TransactionType};
use tokio_util::sync::CancellationToken;

use crate::supervisor::EngineSupervisor;
use crate::transaction::KIND;

/// Passes an open engine to `Datastore::builder().build_with_factory_path`; the path given there is ignored.
pub struct Factory {
    supervisor: Arc<EngineSupervisor>,
    shared: bool,
}

impl Factory {
    pub(crate) fn new(supervisor: Arc<EngineSupervisor>, shared: bool) -> Self {
        Self { supervisor, shared }
    }
}

impl TransactionBuilderFactory for Factory {
    type RouterState = ();

    async fn new_transaction_builder(
        &self,
        _path: &str,
        _canceller: CancellationToken,
        _config: ConfigMap,
    ) -> anyhow::Result<TransactionBuilderParts<()>> {
        Ok(TransactionBuilderParts::without_router_state(Box::new(Builder {
            supervisor: Arc::clone(&self.supervisor),
            shared: self.shared,
        })))
    }

    fn path_valid(&self, path: &str) -> anyhow::Result<String> {
        Ok(path.to_owned())
    }
}

/// The transaction builder of a datastore.
pub(crate) struct Builder {
    pub(crate) supervisor: Arc<EngineSupervisor>,
    /// Others use the engine, too.
    shared: bool,
}

impl TransactionBuilder for Builder {
    fn name(&self) -> &'static str {
        KIND
    }

    fn new_transaction(&self, kind: TransactionType) -> BoxFut<'_, Result<(Box<dyn Transactable>, bool)>> {
        Box::pin(async move {
            let transaction = self.supervisor.begin(kind).await?;
            Ok((Box::new(transaction) as Box<dyn Transactable>, true))
        })
    }

    fn shutdown(&self) -> BoxFut<'_, Result<()>> {
        Box::pin(async move {
            if !self.shared {
                self.supervisor.close().await;
            }
            Ok(())
        })
    }

    fn register_metrics(&self) -> Option<Metrics> {
        None
    }

    fn collect_u64_metric(&self, _metric: &str) -> Option<u64> {
        None
    }
}
