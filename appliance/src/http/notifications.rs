//! The part of the action resource `userprofile` about what reaches people whose page is closed.

use morpion_openapi::{
    Acknowledgement,
    notifications::{NotificationSettingsAnswer, SubscribePush, UnsubscribePush, UpdateNotificationSettings},
};

use super::{ApiError, convert, userprofile::UserProfileResource};
use crate::{account::notification_settings::NewSubscription, caller::Call};

impl UserProfileResource {
    pub(super) async fn notification_settings(&self, call: &Call) -> Result<NotificationSettingsAnswer, ApiError> {
        let identity = call.caller.user()?;
        let (settings, browsers) = self.0.accounts.notification_settings(identity.user_id).await?;
        Ok(NotificationSettingsAnswer {
            push: convert::notifications::push(settings.push),
            mail: convert::notifications::mail(settings.mail),
            push_key: self.0.push.public_key().map(ToOwned::to_owned),
            subscriptions: browsers
                .iter()
                .map(|browser| convert::notifications::subscription(browser, identity.session_id))
                .collect(),
            letter_minutes: (self.0.config.events.reminder_before.as_secs() / 60).try_into().unwrap_or(u32::MAX),
        })
    }

    pub(super) async fn update_notification_settings(
        &self,
        call: &Call,
        payload: UpdateNotificationSettings,
    ) -> Result<NotificationSettingsAnswer, ApiError> {
        let user = call.caller.user()?.user_id;
        let push = payload.push.map(convert::notifications::stored_push);
        let mail = payload.mail.map(convert::notifications::stored_mail);
        self.0.accounts.set_notification_settings(user, push, mail).await?;
        self.notification_settings(call).await
    }

    pub(super) async fn subscribe_push(
        &self,
        call: &Call,
        payload: SubscribePush,
    ) -> Result<NotificationSettingsAnswer, ApiError> {
        let SubscribePush { endpoint, p256dh, auth } = payload;
        let new = NewSubscription { endpoint, p256dh, auth };
        self.0.accounts.subscribe_push(&self.0.push, call.caller.user()?, new).await?;
        self.notification_settings(call).await
    }

    pub(super) async fn unsubscribe_push(
        &self,
        call: &Call,
        payload: UnsubscribePush,
    ) -> Result<NotificationSettingsAnswer, ApiError> {
        let user = call.caller.user()?.user_id;
        let UnsubscribePush { subscription_id, endpoint } = payload;
        self.0.accounts.unsubscribe_push(user, subscription_id, endpoint.as_deref()).await?;
        self.notification_settings(call).await
    }

    pub(super) fn show_push_example(&self, call: &Call) -> Result<Acknowledgement, ApiError> {
        let identity = call.caller.user()?;
        self.0.push.show_example(identity.user_id, identity.session_id);
        Ok(Acknowledgement {})
    }
}
