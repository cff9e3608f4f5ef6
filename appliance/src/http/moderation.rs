//! The part of the action resource `admin` that moderates people.

use morpion_openapi::{
    Acknowledgement, PageRequest,
    admin::{AdminUserAnswer, UsersListAnswer},
    moderation::{
        AllowHosting, CloseReport, DeleteUser, LiftSuspension, ListReports, ListSuspended, RemovePicture, RenameUser,
        ReportAnswer, ReportState, ReportsAnswer, SuspendUser,
    },
};

use super::{
    ApiError,
    admin::{AdminResource, PAGE},
    convert::moderation,
};
use crate::caller::Call;

impl AdminResource {
    pub(super) async fn suspend_user(&self, call: &Call, payload: SuspendUser) -> Result<AdminUserAnswer, ApiError> {
        let until = payload.until.map(|until| until.utc());
        let user = self.0.suspend_account(call, payload.user_id.into(), until, &payload.reason).await?;
        Ok(self.user_answer(user).await)
    }

    pub(super) async fn lift_suspension(
        &self,
        call: &Call,
        payload: LiftSuspension,
    ) -> Result<AdminUserAnswer, ApiError> {
        Ok(self.user_answer(self.0.accounts.lift_suspension(call, payload.user_id.into()).await?).await)
    }

    pub(super) async fn rename_user(&self, call: &Call, payload: RenameUser) -> Result<AdminUserAnswer, ApiError> {
        let RenameUser { user_id, username, display_name, reason } = payload;
        let names = (username.as_deref(), display_name.as_deref());
        let user = self.0.accounts.rename(call, user_id.into(), names.0, names.1, &reason).await?;
        self.0.events.rename_player(user_id.into(), &user.username).await?;
        Ok(self.user_answer(user).await)
    }

    pub(super) async fn allow_hosting(&self, call: &Call, payload: AllowHosting) -> Result<AdminUserAnswer, ApiError> {
        let user = self.0.accounts.allow_hosting(call, payload.user_id.into(), payload.allowed).await?;
        Ok(self.user_answer(user).await)
    }

    pub(super) async fn remove_picture(
        &self,
        call: &Call,
        payload: RemovePicture,
    ) -> Result<AdminUserAnswer, ApiError> {
        let user = self.0.accounts.remove_picture_of(call, payload.user_id.into(), &payload.reason).await?;
        self.0.events.profile_changed(payload.user_id.into());
        Ok(self.user_answer(user).await)
    }

    pub(super) async fn delete_user(&self, call: &Call, payload: DeleteUser) -> Result<Acknowledgement, ApiError> {
        self.0.delete_other_account(call, payload.user_id.into(), &payload.reason).await?;
        Ok(Acknowledgement {})
    }

    pub(super) async fn list_suspended(&self, payload: ListSuspended) -> Result<UsersListAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, PAGE);
        let found = self.0.accounts.list_suspended(page).await?;
        Ok(UsersListAnswer {
            users: self.listed_users(&found.rows).await?,
            pagination: page.pagination(found.total_count),
        })
    }

    pub(super) async fn list_reports(&self, payload: ListReports) -> Result<ReportsAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, PAGE);
        let is_open = payload.state != Some(ReportState::Closed);
        let found = self.0.accounts.list_reports(is_open, page).await?;
        let now = self.0.clock.wall();
        Ok(ReportsAnswer {
            reports: found.rows.into_iter().map(|view| moderation::report(view, now)).collect(),
            pagination: page.pagination(found.total_count),
        })
    }

    pub(super) async fn close_report(&self, call: &Call, payload: CloseReport) -> Result<ReportAnswer, ApiError> {
        let CloseReport { report_id, outcome, note } = payload;
        let view = self.0.accounts.close_report(call, report_id, moderation::outcome(outcome), &note).await?;
        Ok(ReportAnswer { report: moderation::report(view, self.0.clock.wall()) })
    }
}
