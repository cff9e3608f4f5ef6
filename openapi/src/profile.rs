//! User profiles and the search for people.

use uuid::Uuid;

use crate::{
    Acknowledgement, Timestamp,
    account::User,
    action::actions,
    moderation::{BlockUser, BlockedAnswer, ListBlocked, ReportUser, Suspension, UnblockUser},
    notifications::{
        GetNotificationSettings, NotificationSettingsAnswer, ShowPushExample, SubscribePush, UnsubscribePush,
        UpdateNotificationSettings,
    },
    player_page::ProfileVisibility,
};

request! {
    pub struct GetUserById {
        /// Oneself, if it is absent.
        pub user_id: Option<Uuid>,
    }

    /// By exact username.
    pub struct FindUser { pub text: String }

    /// Usernames and display names that contain the text (at least 2 characters).
    pub struct SearchUser {
        pub text: String,
        pub limit: Option<u32>,
    }

    /// As `search_user`, without the caller: for choosing somebody to invite. Or one person, by `userId` without a text.
    pub struct SearchUserProfile {
        pub text: Option<String>,
        pub limit: Option<u32>,
        /// With a text: the caller, whom results leave out.
        pub user_id: Option<Uuid>,
    }

    /// Completes a fresh account.
    pub struct CreateProfile {
        pub user_id: Option<Uuid>,
        pub display_name: Option<String>,
        pub first_name: Option<String>,
        pub last_name: Option<String>,
    }

    pub struct UpdateUserProfile {
        pub user_id: Uuid,
        pub username: Option<String>,
        pub display_name: Option<String>,
        pub first_name: Option<String>,
        pub last_name: Option<String>,
        /// Who sees the player's page.
        pub profile_visibility: Option<ProfileVisibility>,
    }

    /// As `POST delete/account`.
    pub struct DeleteUserProfile {
        pub user_id: Uuid,
        pub password: Option<String>,
    }

    /// Makes the caller's account a bot, for good. The last proof must be at most 10 minutes old.
    pub struct BecomeBot {
        /// The account's own username, typed as confirmation.
        pub username: String,
    }

    pub struct AssignRandomDisplayName { pub user_id: Option<Uuid> }

    /// `POST profile/update`: the user object, whole or in part. Fields that are not changed this way must be as they
    /// are; those that only tell of others are not looked at.
    pub struct ProfileUpdate {
        pub user_id: Option<Uuid>,
        pub username: Option<String>,
        pub display_name: Option<String>,
        pub first_name: Option<String>,
        pub last_name: Option<String>,
        pub profile_visibility: Option<ProfileVisibility>,
        /// As it is.
        pub email: Option<String>,
        /// As it is.
        pub is_pro_user: Option<bool>,
        /// As it is.
        pub is_temp_user: Option<bool>,
        /// As it is.
        pub is_admin: Option<bool>,
        /// Ignored.
        pub profile: Option<String>,
        /// Ignored.
        pub profile_url: Option<String>,
        /// Ignored.
        pub is_bot: Option<bool>,
        /// Ignored.
        pub email_verified: Option<bool>,
        /// Ignored.
        pub has_password: Option<bool>,
        /// Ignored.
        pub second_factor: Option<bool>,
        /// Ignored.
        pub username_changeable_at: Option<Timestamp>,
        /// Ignored.
        pub suspension: Option<Suspension>,
        /// Ignored.
        pub created_at: Option<Timestamp>,
    }
}

answer! {
    /// A person as others see them: never the email.
    pub struct UserProfile {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Address of the picture at 256 pixels; empty without one.
        pub profile: String,
        /// The same, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        pub is_pro_user: bool,
        pub is_temp_user: bool,
        /// Whether the caller blocks them, where one person is asked for.
        pub blocked_by_me: Option<bool>,
    }

    pub struct UserAnswer { pub user: ShownUser }

    pub struct UsersAnswer {
        pub users: Vec<UserProfile>,
        /// The one, where one is asked for.
        pub user: Option<UserProfile>,
    }

    pub struct OwnUserAnswer { pub user: User }

    pub struct DisplayNameAnswer { pub display_name: String }

    pub struct ProfileImageAnswer { pub profile_url: String }
}

/// Oneself as a whole; somebody else without what is private.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, poem_openapi::Union)]
#[serde(untagged)]
pub enum ShownUser {
    Own(Box<User>),
    Other(UserProfile),
}

actions! {
    resource "userprofile";
    /// Reads of `userprofile`.
    reads ProfileRead {
        "get_user_by_id": GetUserById => UserAnswer;
        "find_user": FindUser => UserAnswer;
        "search_user": SearchUser => UsersAnswer;
        "search_user_profile": SearchUserProfile => UsersAnswer;
        "list_blocked": ListBlocked => BlockedAnswer;
        "get_notification_settings": GetNotificationSettings => NotificationSettingsAnswer;
    }
    /// Writes of `userprofile`.
    writes ProfileWrite {
        "create_profile": CreateProfile => OwnUserAnswer;
        "update_user_profile": UpdateUserProfile => OwnUserAnswer;
        "delete_user_profile": DeleteUserProfile => Acknowledgement;
        "assign_random_display_name": AssignRandomDisplayName => DisplayNameAnswer;
        "become_bot": BecomeBot => OwnUserAnswer;
        "report_user": ReportUser => Acknowledgement;
        "block_user": BlockUser => Acknowledgement;
        "unblock_user": UnblockUser => Acknowledgement;
        "update_notification_settings": UpdateNotificationSettings => NotificationSettingsAnswer;
        "subscribe_push": SubscribePush => NotificationSettingsAnswer;
        "unsubscribe_push": UnsubscribePush => NotificationSettingsAnswer;
        "show_push_example": ShowPushExample => Acknowledgement;
    }
}
