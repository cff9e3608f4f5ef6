//! The resource `eventSignUp`: `docs/behaviour/events.md#registration`.

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement, Page, PageRequest,
    event::{
        AnswerInvitation, AnswerInvitationAnswer, CheckEntry, CheckIn, EntryAnswer, GetSignupByEventAndUser,
        GetUserSignUpStatus, ListOwnInvitations, ListSignupsForEvent, ListSignupsForUser, OwnInvitationsAnswer,
        RemoveSignup, SignUp, SignUpByCode, SignUpRead, SignUpStatusAnswer, SignUpWrite, SignupAnswer, SignupsAnswer,
    },
};

use serde_json::json;

use super::{
    ApiError,
    convert::events as convert,
    resource::{Reply, Resource, reply},
};
use crate::{
    account::limits::RateLimit,
    app::App,
    caller::{Call, Identity},
    events::{error::EventError, views::SignupView},
};

/// Default number of sign-ups of a page.
const DEFAULT_PAGE: u32 = 50;

pub struct EventSignUpResource(pub Arc<App>);

impl Resource for EventSignUpResource {
    type Reads = SignUpRead;
    type Writes = SignUpWrite;
    const IDS: (&'static str, &'static str) = ("readEventSignUp", "writeEventSignUp");

    async fn read(&self, call: Call, action: SignUpRead) -> Result<Reply, ApiError> {
        match action {
            SignUpRead::ListSignupsForEvent(payload) => {
                reply::<ListSignupsForEvent>(self.of_event(&call, payload).await)
            }
            SignUpRead::ListSignupsForUser(payload) => reply::<ListSignupsForUser>(self.of_user(&call, payload).await),
            SignUpRead::GetUserSignUpStatus(payload) => reply::<GetUserSignUpStatus>(self.status(&call, payload).await),
            SignUpRead::GetSignupByEventAndUser(payload) => {
                reply::<GetSignupByEventAndUser>(self.get(&call, payload).await)
            }
            SignUpRead::CheckEntry(payload) => reply::<CheckEntry>(self.check_entry(&call, payload).await),
            SignUpRead::ListOwnInvitations(_) => reply::<ListOwnInvitations>(self.invitations(&call).await),
        }
    }

    async fn write(&self, call: Call, action: SignUpWrite) -> Result<Reply, ApiError> {
        match action {
            SignUpWrite::SignUp(payload) => reply::<SignUp>(self.sign_up(&call, payload).await),
            SignUpWrite::SignUpByCode(payload) => reply::<SignUpByCode>(self.sign_up_by_code(&call, payload).await),
            SignUpWrite::CheckIn(payload) => reply::<CheckIn>(self.check_in(&call, payload).await),
            SignUpWrite::RemoveSignup(payload) => reply::<RemoveSignup>(self.remove(&call, payload).await),
            SignUpWrite::AnswerInvitation(payload) => {
                reply::<AnswerInvitation>(self.answer_invitation(&call, payload).await)
            }
        }
    }
}

impl EventSignUpResource {
    async fn of_event(&self, call: &Call, payload: ListSignupsForEvent) -> Result<SignupsAnswer, ApiError> {
        call.caller.signed_in()?;
        let page = PageRequest::new(payload.page, payload.limit, DEFAULT_PAGE);
        if call.caller.admin().is_ok() {
            // With emails.
            let detail = json!({ "title": self.0.events.title(payload.event_id.into()).await?, "page": page.page });
            self.0.accounts.audit_read(call, "read_signups", &payload.event_id.to_string(), detail).await?;
        }
        let found = self.0.events.signups(&call.caller, payload.event_id.into(), page).await?;
        Ok(SignupsAnswer {
            signups: found.rows.into_iter().map(convert::signup).collect(),
            pagination: page.pagination(found.total_count),
        })
    }

    async fn of_user(&self, call: &Call, payload: ListSignupsForUser) -> Result<SignupsAnswer, ApiError> {
        let user = call.caller.acting(Some(payload.user_id))?.user_id;
        let page = PageRequest::new(payload.page, payload.limit, DEFAULT_PAGE);
        let Page { rows, total_count } = self.0.events.signups_of(user, page).await?;
        Ok(SignupsAnswer {
            signups: rows.into_iter().map(convert::signup).collect(),
            pagination: page.pagination(total_count),
        })
    }

    async fn status(&self, call: &Call, payload: GetUserSignUpStatus) -> Result<SignUpStatusAnswer, ApiError> {
        let user = call.caller.acting(Some(payload.user_id))?.user_id;
        let signup = self.0.events.signup(&call.caller, payload.event_id.into(), user).await?;
        let checked_in = signup.as_ref().and_then(|signup| signup.has_checked_in);
        Ok(SignUpStatusAnswer { is_signed_up: signup.is_some(), checked_in })
    }

    async fn get(&self, call: &Call, payload: GetSignupByEventAndUser) -> Result<SignupAnswer, ApiError> {
        let user = call.caller.acting(Some(payload.user_id))?.user_id;
        let signup = self.0.events.signup(&call.caller, payload.event_id.into(), user).await?;
        Ok(SignupAnswer { signup: convert::signup(signup.ok_or_else(|| ApiError::not_found("sign-up"))?) })
    }

    async fn check_entry(&self, call: &Call, payload: CheckEntry) -> Result<EntryAnswer, ApiError> {
        let identity = call.caller.acting(None)?;
        let judged = self.0.events.entry(identity, &call.caller, payload.event_id.into()).await?;
        Ok(convert::entry(judged))
    }

    async fn sign_up(&self, call: &Call, payload: SignUp) -> Result<SignupAnswer, ApiError> {
        let identity = call.caller.acting(payload.user_id)?;
        let signup = self.0.events.sign_up(identity, payload.event_id.into()).await?;
        Ok(self.signed_up(identity, signup))
    }

    /// What is wrong is counted; who knows the code is not kept out by others at the same address.
    async fn sign_up_by_code(&self, call: &Call, payload: SignUpByCode) -> Result<SignupAnswer, ApiError> {
        let identity = call.caller.acting(None)?;
        match self.0.events.sign_up_by_code(identity, &payload.join_code).await {
            Ok(signup) => Ok(self.signed_up(identity, signup)),
            Err(EventError::JoinCode) => {
                let limits = self.0.accounts.limits();
                limits.check(RateLimit::JoinCode, identity.user_id)?;
                limits.check(RateLimit::JoinCodeOfAddress, call.address)?;
                Err(EventError::JoinCode.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn invitations(&self, call: &Call) -> Result<OwnInvitationsAnswer, ApiError> {
        let invitations = self.0.events.invitations_of(call.caller.acting(None)?.user_id).await?;
        Ok(OwnInvitationsAnswer { invitations: invitations.into_iter().map(convert::own_invitation).collect() })
    }

    async fn answer_invitation(
        &self,
        call: &Call,
        payload: AnswerInvitation,
    ) -> Result<AnswerInvitationAnswer, ApiError> {
        let identity = call.caller.acting(None)?;
        let AnswerInvitation { event_id, accepted } = payload;
        let signup = self.0.events.answer_invitation(identity, event_id.into(), accepted).await?;
        Ok(AnswerInvitationAnswer { signup: signup.map(|signup| self.signed_up(identity, signup).signup) })
    }

    fn signed_up(&self, identity: &Identity, signup: SignupView) -> SignupAnswer {
        let event = signup.event_id;
        if let Some(entry) = self.0.events.calendar_entry(event, &self.0.config.public_origin()) {
            self.0.accounts.calendars().put(identity.user_id, entry);
        }
        SignupAnswer { signup: convert::signup(signup) }
    }

    async fn check_in(&self, call: &Call, payload: CheckIn) -> Result<SignupAnswer, ApiError> {
        let user = call.caller.acting(payload.user_id)?.user_id;
        let is_there = payload.checked_in.unwrap_or(true);
        let signup = self.0.events.check_in(user, payload.event_id.into(), is_there).await?;
        Ok(SignupAnswer { signup: convert::signup(signup) })
    }

    async fn remove(&self, call: &Call, payload: RemoveSignup) -> Result<Acknowledgement, ApiError> {
        let user = call.caller.acting(payload.user_id)?.user_id;
        self.0.events.withdraw(user, payload.event_id.into()).await?;
        self.0.accounts.calendars().remove(user, payload.event_id);
        Ok(Acknowledgement {})
    }
}
