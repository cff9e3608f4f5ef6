//! The action resource `userprofile`: users, and one's own profile.

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement,
    profile::{
        AssignRandomDisplayName, CreateProfile, DeleteUserProfile, DisplayNameAnswer, FindUser, GetUserById,
        OwnUserAnswer, ProfileRead, ProfileWrite, SearchUser, SearchUserProfile, UpdateUserProfile, UserAnswer,
        UsersAnswer,
    },
};
use morpion_store::User;

use super::{
    ApiError,
    convert::account::{own_user, profile},
    resource::{Reply, Resource, reply},
};
use crate::{
    account::profile::ProfilePatch,
    app::App,
    caller::{Call, Caller, Identity},
};

pub struct UserProfileResource(pub Arc<App>);

impl Resource for UserProfileResource {
    type Reads = ProfileRead;
    type Writes = ProfileWrite;
    const IDS: (&'static str, &'static str) = ("readUserProfile", "writeUserProfile");

    async fn read(&self, call: Call, action: ProfileRead) -> Result<Reply, ApiError> {
        match action {
            ProfileRead::GetUserById(payload) => reply::<GetUserById>(self.by_id(&call, &payload).await),
            ProfileRead::FindUser(payload) => reply::<FindUser>(self.by_username(&call, &payload).await),
            ProfileRead::SearchUser(payload) => {
                reply::<SearchUser>(self.search(&call, &payload.text, payload.limit, false).await)
            }
            ProfileRead::SearchUserProfile(payload) => {
                call.caller.acting_or_nobody(payload.user_id)?;
                reply::<SearchUserProfile>(self.search(&call, &payload.text, payload.limit, true).await)
            }
        }
    }

    async fn write(&self, call: Call, action: ProfileWrite) -> Result<Reply, ApiError> {
        match action {
            ProfileWrite::CreateProfile(payload) => {
                let CreateProfile { user_id, display_name, first_name, last_name } = payload;
                let patch = ProfilePatch { username: None, display_name, first_name, last_name };
                reply::<CreateProfile>(self.update(&call, user_id, patch).await)
            }
            ProfileWrite::UpdateUserProfile(payload) => {
                let UpdateUserProfile { user_id, username, display_name, first_name, last_name } = payload;
                let patch = ProfilePatch { username, display_name, first_name, last_name };
                reply::<UpdateUserProfile>(self.update(&call, Some(user_id), patch).await)
            }
            ProfileWrite::DeleteUserProfile(payload) => {
                self.0.delete_account(&call, Some(payload.user_id), payload.password.as_deref()).await?;
                reply::<DeleteUserProfile>(Ok(Acknowledgement {}))
            }
            ProfileWrite::AssignRandomDisplayName(payload) => {
                let identity = call.caller.acting(payload.user_id)?;
                let display_name = self.0.accounts.assign_random_display_name(identity).await?;
                self.0.events.profile_changed(identity.user_id);
                reply::<AssignRandomDisplayName>(Ok(DisplayNameAnswer { display_name }))
            }
        }
    }
}

impl UserProfileResource {
    async fn by_id(&self, call: &Call, payload: &GetUserById) -> Result<UserAnswer, ApiError> {
        call.caller.signed_in()?;
        Ok(self.answer(call, &self.0.accounts.user(payload.user_id.into()).await?))
    }

    async fn by_username(&self, call: &Call, payload: &FindUser) -> Result<UserAnswer, ApiError> {
        Ok(self.answer(call, &self.0.accounts.find_by_username(call, &payload.text).await?))
    }

    async fn search(
        &self,
        call: &Call,
        text: &str,
        limit: Option<u32>,
        without_me: bool,
    ) -> Result<UsersAnswer, ApiError> {
        let leave_out = call.caller.user_id().filter(|_| without_me);
        let users = self.0.accounts.search(call, text, limit, leave_out).await?;
        let now = self.0.clock.wall();
        Ok(UsersAnswer { users: users.iter().map(|user| profile(user, now)).collect() })
    }

    async fn update(
        &self,
        call: &Call,
        named: Option<uuid::Uuid>,
        patch: ProfilePatch,
    ) -> Result<OwnUserAnswer, ApiError> {
        update_profile(&self.0, call.caller.member(named)?, patch).await
    }

    /// One's own profile is complete; another user's is without private fields.
    fn answer(&self, call: &Call, user: &User) -> UserAnswer {
        let now = self.0.clock.wall();
        let is_own = matches!(&call.caller, Caller::User(identity) if identity.user_id.0 == user.id);
        UserAnswer { user: profile(user, now), account: is_own.then(|| own_user(user, now)) }
    }
}

/// Changes the caller's profile everywhere it is shown.
pub(super) async fn update_profile(
    app: &App,
    identity: &Identity,
    patch: ProfilePatch,
) -> Result<OwnUserAnswer, ApiError> {
    let user = app.accounts.update_profile(identity, patch).await?;
    app.events.rename_player(user.id.into(), &user.username).await?;
    Ok(OwnUserAnswer { user: own_user(&user, app.clock.wall()) })
}
