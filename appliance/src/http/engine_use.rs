//! The part of the action resource `admin` that shows how moves compare with the solver.

use morpion_openapi::{
    PageRequest,
    engine_use::{EngineEvidenceAnswer, EngineScoresAnswer, GetEngineEvidence, ListEngineScores},
};
use serde_json::{Value, json};

use super::{
    ApiError,
    admin::{AdminResource, PAGE},
    convert::engine_use as convert,
};
use crate::caller::Call;

impl AdminResource {
    pub(super) async fn list_engine_scores(
        &self,
        call: &Call,
        payload: ListEngineScores,
    ) -> Result<EngineScoresAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, PAGE);
        self.0.accounts.audit_read(call, "read_engine_scores", "users", json!({ "page": page.page })).await?;
        let found = self.0.engine_use.scores(page).await?;
        let now = self.0.clock.wall();
        Ok(EngineScoresAnswer {
            scores: found.rows.iter().map(|score| convert::score(score, now)).collect(),
            pagination: page.pagination(found.total_count),
        })
    }

    pub(super) async fn get_engine_evidence(
        &self,
        call: &Call,
        payload: GetEngineEvidence,
    ) -> Result<EngineEvidenceAnswer, ApiError> {
        let target = payload.user_id.to_string();
        self.0.accounts.audit_read(call, "read_engine_evidence", &target, Value::Null).await?;
        let found = self.0.engine_use.evidence(payload.user_id.into()).await?;
        let now = self.0.clock.wall();
        Ok(EngineEvidenceAnswer { evidence: found.map(|evidence| convert::evidence(&evidence, now)) })
    }
}
