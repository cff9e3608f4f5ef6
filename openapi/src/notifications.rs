//! What reaches people whose page is closed: `docs/behaviour/notifications.md`. What a page itself does is its browser's
//! choice.

use uuid::Uuid;

use crate::Timestamp;

request! {
    /// What the caller wants to be told of, and the browsers that show it.
    pub struct GetNotificationSettings {}

    /// What is left out stays.
    pub struct UpdateNotificationSettings {
        pub push: Option<PushSettings>,
        pub mail: Option<MailSettings>,
    }

    /// As `PushSubscription.toJSON()` of a browser has it. It takes the place of an earlier one of this session, and of one
    /// of another account with this endpoint.
    pub struct SubscribePush {
        /// The address of the push service, over HTTPS: at most 1024 characters.
        pub endpoint: String,
        /// The browser's public key, an uncompressed point of P-256, in base64url.
        pub p256dh: String,
        /// Its secret of 16 bytes, in base64url.
        pub auth: String,
    }

    /// One of the two names it. One that is gone already is no error.
    pub struct UnsubscribePush {
        pub subscription_id: Option<Uuid>,
        pub endpoint: Option<String>,
    }

    /// Shows an example in the browser that calls, which has to be subscribed.
    pub struct ShowPushExample {}
}

answer! {
    /// What is pushed to browsers, as far as there are any.
    pub struct PushSettings {
        pub invitation: bool,
        /// Of somebody who was invited.
        pub answer: bool,
        /// One's turn in a game without a time control.
        pub turn: bool,
        /// Paired in an event: a game is about to begin, or a stage round was paired.
        pub paired: bool,
        /// An event that one signed up for starts.
        pub event: bool,
    }

    /// Letters that can be switched off. Those about the security of an account always arrive.
    pub struct MailSettings {
        /// Before an event that one signed up for; to verified emails only.
        pub event: bool,
        /// Receipts, and when Pro ends.
        pub payment: bool,
    }

    /// A browser that shows notifications.
    pub struct PushSubscription {
        pub subscription_id: Uuid,
        /// Such as 'Firefox on Linux'.
        pub device: String,
        /// Of the session that asks.
        pub is_current: bool,
        pub created_at: Timestamp,
        /// When it was made or confirmed, or its push service last took a notification.
        pub last_used_at: Timestamp,
    }

    pub struct NotificationSettingsAnswer {
        pub push: PushSettings,
        pub mail: MailSettings,
        /// What browsers subscribe with (`applicationServerKey`); absent where the server pushes nothing.
        pub push_key: Option<String>,
        /// The most recently used first.
        pub subscriptions: Vec<PushSubscription>,
        /// Minutes before an event at which its letter is sent.
        pub letter_minutes: u32,
    }
}
