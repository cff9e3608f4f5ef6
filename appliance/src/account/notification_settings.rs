//! What people want to be told of while their page is closed, and the browsers that show it:
//! `docs/behaviour/notifications.md`.

use morpion_rules::UserId;
use morpion_store::{MailSettings, NotificationSettings, PushSettings, PushSubscriptionRow};
use uuid::Uuid;

use super::{Accounts, error::AccountError};
use crate::{
    caller::Identity,
    error::{CommonError, FieldErrors},
    mail::LetterKind,
    push::{BrowserKeys, Push},
    reach,
};

/// A browser's subscription at its push service.
#[derive(Debug, Clone)]
pub struct NewSubscription {
    pub endpoint: String,
    /// In base64url.
    pub p256dh: String,
    pub auth: String,
}

impl Accounts {
    /// What somebody wants to be told of, and the browsers that show it, of live sessions.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn notification_settings(
        &self,
        user: UserId,
    ) -> Result<(NotificationSettings, Vec<PushSubscriptionRow>), AccountError> {
        let settings = self.store.notification_settings(user.0).await?;
        let mut browsers = self.store.push_subscriptions_of(user.0).await?;
        let sessions: Vec<Uuid> = browsers.iter().map(|browser| browser.session_id).collect();
        let live = self.store.session_ends(&sessions, self.clock.steady()).await?;
        browsers.retain(|browser| live.contains_key(&browser.session_id));
        Ok((settings, browsers))
    }

    /// Changes what is given.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn set_notification_settings(
        &self,
        user: UserId,
        push: Option<PushSettings>,
        mail: Option<MailSettings>,
    ) -> Result<(), AccountError> {
        Ok(self.store.set_notification_settings(user.0, push, mail).await?)
    }

    /// The browser of the caller's session shows notifications from now on.
    ///
    /// # Errors
    /// [`AccountError::PushOff`]; [`CommonError::Invalid`] for an address that nothing is sent to, and for keys that are none.
    pub async fn subscribe_push(
        &self,
        push: &Push,
        identity: &Identity,
        new: NewSubscription,
    ) -> Result<(), AccountError> {
        if !push.is_on() {
            return Err(AccountError::PushOff);
        }
        let mut fields = FieldErrors::default();
        fields.check("endpoint", reach::parse(&new.endpoint, push.reach()).map(drop).map_err(ToOwned::to_owned));
        let keys = BrowserKeys::parse(&new.p256dh, &new.auth).map(drop);
        fields.check("p256dh", keys.ok_or_else(|| "These are not the keys of a browser.".to_owned()));
        if !fields.0.is_empty() {
            return Err(fields.into());
        }
        let now = self.clock.steady();
        let session = self.sessions.list(identity.user_id, now).await?;
        let session = session.into_iter().find(|session| session.sid == identity.session_id);
        let device = session.ok_or(CommonError::NotSignedIn)?.device;
        let row = PushSubscriptionRow {
            id: Uuid::new_v4(),
            user_id: identity.user_id.0,
            session_id: identity.session_id,
            endpoint: new.endpoint,
            p256dh: new.p256dh.trim_end_matches('=').to_owned(),
            auth: new.auth.trim_end_matches('=').to_owned(),
            device,
            created_at: now,
            used_at: now,
            failures: 0,
        };
        Ok(self.store.save_push_subscription(row, self.config.push.browsers_per_account.get()).await?)
    }

    /// A browser of this account shows no more notifications.
    ///
    /// # Errors
    /// An invalid `endpoint` if neither names it.
    pub async fn unsubscribe_push(
        &self,
        user: UserId,
        id: Option<Uuid>,
        endpoint: Option<&str>,
    ) -> Result<(), AccountError> {
        if id.is_none() && endpoint.is_none() {
            return Err(CommonError::invalid("endpoint", "Name the subscription by its endpoint or its id.").into());
        }
        self.store.remove_push_subscription(user.0, id, endpoint).await?;
        Ok(())
    }

    /// These sessions ended: their browsers show no more notifications. A session whose sockets were only closed for a changed
    /// role is still live and keeps its browser.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn forget_browsers_of(&self, sessions: &[Uuid]) -> Result<(), AccountError> {
        let live = self.store.session_ends(sessions, self.clock.steady()).await?;
        let ended: Vec<Uuid> = sessions.iter().copied().filter(|session| !live.contains_key(session)).collect();
        Ok(self.store.remove_push_subscriptions_of_sessions(&ended).await?)
    }

    /// Somebody pressed the link in a letter: no more of this kind. One of a deleted account changes nothing.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn end_letters(&self, user: UserId, kind: LetterKind) -> Result<(), AccountError> {
        if self.store.user(user.0).await?.is_none_or(|user| user.deleted_at.is_some()) {
            return Ok(());
        }
        let mut mail = self.store.notification_settings(user.0).await?.mail;
        match kind {
            LetterKind::Event => mail.event = false,
            LetterKind::Payment => mail.payment = false,
        }
        self.set_notification_settings(user, None, Some(mail)).await
    }

    /// The path of the link with which somebody ends letters of a kind.
    pub fn unsubscribe_link(&self, user: UserId, kind: LetterKind) -> String {
        self.mailer.unsubscribe_link(user.0, kind, self.clock.wall())
    }
}
