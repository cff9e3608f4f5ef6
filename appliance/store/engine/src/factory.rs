//! What SurrealDB is built with.

use std::sync::Arc;

use surrealdb_cnf::ConfigMap;
use surrealdb_core::kvs::{TransactionBuilderFactory, TransactionBuilderParts};
use surrealdb_kvs::api::BoxFut;
use surrealdb_kvs::{Metrics, Result, Transactable, TransactionBuilder, TransactionType};
use tokio_util::sync::CancellationToken;

use crate::keeper::Keeper;
use crate::transaction::KIND;

/// Hands an open engine to `Datastore::builder().build_with_factory_path`; the path given there is not looked at.
pub struct Factory {
    keeper: Arc<Keeper>,
}

impl Factory {
    pub(crate) fn new(keeper: Arc<Keeper>) -> Self {
        Self { keeper }
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
        Ok(TransactionBuilderParts::without_router_state(Box::new(Builder { keeper: Arc::clone(&self.keeper) })))
    }

    fn path_valid(&self, path: &str) -> anyhow::Result<String> {
        Ok(path.to_owned())
    }
}

/// The builder of transactions that a datastore owns.
pub(crate) struct Builder {
    pub(crate) keeper: Arc<Keeper>,
}

impl TransactionBuilder for Builder {
    fn name(&self) -> &'static str {
        KIND
    }

    fn new_transaction(&self, kind: TransactionType) -> BoxFut<'_, Result<(Box<dyn Transactable>, bool)>> {
        Box::pin(async move {
            let transaction = self.keeper.begin(kind).await?;
            Ok((Box::new(transaction) as Box<dyn Transactable>, true))
        })
    }

    fn shutdown(&self) -> BoxFut<'_, Result<()>> {
        Box::pin(async move {
            self.keeper.close().await;
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
