//! The action resource `userprofile`: users, and one's own profile.

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement,
    moderation::{BlockUser, BlockedAnswer, ListBlocked, ReportUser, UnblockUser},
    notifications::{
        GetNotificationSettings, ShowPushExample, SubscribePush, UnsubscribePush, UpdateNotificationSettings,
    },
    profile::{
        AssignRandomDisplayName, BecomeBot, CreateProfile, DeleteUserProfile, DisplayNameAnswer, FindUser, GetUserById,
        OwnUserAnswer, ProfileRead, ProfileWrite, SearchUser, SearchUserProfile, ShownUser, UpdateUserProfile,
        UserAnswer, UserProfile, UsersAnswer,
    },
};
use morpion_store::User;

use super::{
    ApiError,
    convert::{
        account::{own_user, profile},
        moderation, player_page,
    },
    resource::{Reply, Resource, reply},
};
use crate::{
    account::{moderation::NewReport, profile::ProfilePatch},
    app::App,
    caller::{Call, Identity},
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
                reply::<SearchUserProfile>(self.search_profile(&call, payload).await)
            }
            ProfileRead::ListBlocked(_) => reply::<ListBlocked>(self.list_blocked(&call).await),
            ProfileRead::GetNotificationSettings(_) => {
                reply::<GetNotificationSettings>(self.notification_settings(&call).await)
            }
        }
    }

    async fn write(&self, call: Call, action: ProfileWrite) -> Result<Reply, ApiError> {
        match action {
            ProfileWrite::CreateProfile(payload) => {
                let CreateProfile { user_id, display_name, first_name, last_name } = payload;
                let patch = ProfilePatch { display_name, first_name, last_name, ..ProfilePatch::default() };
                reply::<CreateProfile>(self.update(&call, user_id, patch).await)
            }
            ProfileWrite::UpdateUserProfile(payload) => {
                let UpdateUserProfile { user_id, username, display_name, first_name, last_name, profile_visibility } =
                    payload;
                let visibility = profile_visibility.map(player_page::stored_visibility);
                let patch = ProfilePatch { username, display_name, first_name, last_name, visibility };
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
            ProfileWrite::BecomeBot(payload) => {
                let user = self.0.become_bot(&call, &payload.username).await?;
                reply::<BecomeBot>(Ok(OwnUserAnswer { user: own_user(&user, self.0.clock.wall()) }))
            }
            ProfileWrite::ReportUser(ReportUser { user_id, kind, text, game_id }) => {
                let kind = moderation::kind(kind);
                let new = NewReport { subject: user_id.into(), kind, text: text.unwrap_or_default(), game: game_id };
                self.0.accounts.report(&call, new).await?;
                reply::<ReportUser>(Ok(Acknowledgement {}))
            }
            ProfileWrite::BlockUser(payload) => {
                self.0.accounts.block(&call, payload.user_id.into()).await?;
                reply::<BlockUser>(Ok(Acknowledgement {}))
            }
            ProfileWrite::UnblockUser(payload) => {
                self.0.accounts.unblock(call.caller.user()?, payload.user_id.into()).await?;
                reply::<UnblockUser>(Ok(Acknowledgement {}))
            }
            ProfileWrite::UpdateNotificationSettings(payload) => {
                reply::<UpdateNotificationSettings>(self.update_notification_settings(&call, payload).await)
            }
            ProfileWrite::SubscribePush(payload) => reply::<SubscribePush>(self.subscribe_push(&call, payload).await),
            ProfileWrite::UnsubscribePush(payload) => {
                reply::<UnsubscribePush>(self.unsubscribe_push(&call, payload).await)
            }
            ProfileWrite::ShowPushExample(_) => reply::<ShowPushExample>(self.show_push_example(&call)),
        }
    }
}

impl UserProfileResource {
    async fn by_id(&self, call: &Call, payload: &GetUserById) -> Result<UserAnswer, ApiError> {
        call.caller.signed_in()?;
        let user_id = match payload.user_id {
            Some(id) => id.into(),
            None => call.caller.user()?.user_id,
        };
        self.answer(call, &self.0.accounts.user(user_id).await?).await
    }

    async fn by_username(&self, call: &Call, payload: &FindUser) -> Result<UserAnswer, ApiError> {
        self.answer(call, &self.0.accounts.find_by_username(call, &payload.text).await?).await
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
        Ok(UsersAnswer { users: users.iter().map(|user| profile(user, now)).collect(), user: None })
    }

    async fn search_profile(&self, call: &Call, payload: SearchUserProfile) -> Result<UsersAnswer, ApiError> {
        if let (None, Some(user)) = (&payload.text, payload.user_id) {
            call.caller.signed_in()?;
            let user = profile(&self.0.accounts.user(user.into()).await?, self.0.clock.wall());
            return Ok(UsersAnswer { users: vec![user.clone()], user: Some(user) });
        }
        call.caller.acting_or_nobody(payload.user_id)?;
        self.search(call, payload.text.as_deref().unwrap_or_default(), payload.limit, true).await
    }

    async fn update(
        &self,
        call: &Call,
        named: Option<uuid::Uuid>,
        patch: ProfilePatch,
    ) -> Result<OwnUserAnswer, ApiError> {
        update_profile(&self.0, call.caller.member(named)?, patch).await
    }

    /// One's own profile is complete; another user's is without private fields, and so is one's own for a program.
    async fn answer(&self, call: &Call, user: &User) -> Result<UserAnswer, ApiError> {
        let now = self.0.clock.wall();
        let own = call.caller.user_id();
        if own.is_some_and(|own| own.0 == user.id) {
            if call.caller.is_program() {
                return Ok(UserAnswer { user: ShownUser::Other(profile(user, now)) });
            }
            return Ok(UserAnswer { user: ShownUser::Own(Box::new(own_user(user, now))) });
        }
        let blocked_by_me = match own {
            Some(own) => Some(self.0.store.is_blocked(own.0, user.id).await?),
            None => None,
        };
        Ok(UserAnswer { user: ShownUser::Other(UserProfile { blocked_by_me, ..profile(user, now) }) })
    }

    async fn list_blocked(&self, call: &Call) -> Result<BlockedAnswer, ApiError> {
        let blocked = self.0.accounts.list_blocked(call.caller.user()?).await?;
        let now = self.0.clock.wall();
        let shown = |user| UserProfile { blocked_by_me: Some(true), ..profile(user, now) };
        Ok(BlockedAnswer { users: blocked.iter().map(shown).collect() })
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
