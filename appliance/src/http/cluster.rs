//! The part of the action resource `admin` that shows the nodes of a cluster.

use morpion_openapi::cluster::ClusterAnswer;

use super::{ApiError, admin::AdminResource, convert::cluster as convert};

impl AdminResource {
    pub(super) async fn cluster(&self) -> Result<ClusterAnswer, ApiError> {
        let Some(cluster) = &self.0.cluster else { return Ok(ClusterAnswer { enabled: false, nodes: vec![] }) };
        let unavailable = |error| ApiError::unavailable(format!("The nodes cannot be asked: {error}."));
        let answered = cluster.status().await.map_err(unavailable)?;
        // Without a majority there may be none; then those that are away have only numbers.
        let names = cluster.names().await.unwrap_or_default();
        Ok(ClusterAnswer { enabled: true, nodes: convert::nodes(&answered, &names) })
    }
}
