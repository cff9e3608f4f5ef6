//! Signing in and out, sessions, recovery, providers: `docs/behaviour/accounts.md`.

use serde_json::Value;
use uuid::Uuid;

use crate::{Timestamp, moderation::Suspension, player_page::ProfileVisibility, rating::PlayerRating};

words! {
    /// How an account proves who it is.
    pub enum AccountType {
        Local = "local",
        Google = "google",
        Oidc = "oidc",
    }
}

request! {
    /// Signs in. A local account sends `email` and `password`; Google's button sends the identity
    /// payload with `credential`, whose claims win over whatever else the payload says.
    pub struct LoginRequest {
        pub email: String,
        pub password: Option<String>,
        pub is_google_account: bool,
        pub first_name: Option<String>,
        pub last_name: Option<String>,
        pub username: Option<String>,
        pub account_type: Option<AccountType>,
        /// The provider's ID token.
        pub credential: Option<String>,
        /// A guest brings their games along.
        pub keep_guest_games: Option<bool>,
    }

    /// Makes an account and signs it in.
    pub struct RegisterRequest {
        pub email: String,
        pub password: Option<String>,
        /// Required without a provider; with one it is made of the name there if it is absent.
        pub username: Option<String>,
        pub first_name: String,
        pub last_name: String,
        pub account_type: AccountType,
        pub is_google_account: bool,
        /// The provider's ID token.
        pub credential: Option<String>,
        /// A guest whose provider account exists already brings their games along; one who makes an account keeps them
        /// in any case.
        pub keep_guest_games: Option<bool>,
    }

    /// Asks for a recovery code; the answer is the same whether or not the email is known.
    pub struct RequestVerificationCode {
        pub email: String,
    }

    pub struct ValidateVerificationCode {
        pub email: String,
        /// 100000 to 999999.
        pub code: u32,
    }

    /// The last step of recovery, after a validated code from the same browser.
    pub struct UpdatePassword {
        pub email: String,
        pub new_password: String,
        /// Open an account that nobody has confirmed this email for; without it that is answered with 409
        /// `unconfirmed-account`. What its maker left to sign in with ends.
        pub open_unconfirmed: Option<bool>,
    }

    pub struct ChangePassword {
        pub current_password: String,
        pub new_password: String,
    }

    /// Asks for a code to one's email, or to another one if one's own is not verified.
    pub struct RequestEmailCode {
        pub email: Option<String>,
    }

    pub struct VerifyEmail {
        /// 100000 to 999999.
        pub code: u32,
    }

    /// Mails a code to another email that the account is to have.
    pub struct RequestEmailChange {
        pub new_email: String,
        /// A proof. Without it the last one must be at most 10 minutes old.
        pub password: Option<String>,
    }

    /// Takes the email that the code was mailed to.
    pub struct VerifyEmailChange {
        /// 100000 to 999999.
        pub code: u32,
    }

    /// Brings the email back that was there before, with the token of the letter to it.
    pub struct UndoEmailChange {
        pub token: String,
    }

    /// Asks about an operator's one-time link, or sets a new password with it.
    pub struct CheckPasswordLink {
        /// What stands behind the `#` of the link.
        pub token: String,
    }

    pub struct UsePasswordLink {
        pub token: String,
        pub new_password: String,
    }

    pub struct UseLinkForPasskey {
        pub token: String,
        /// What its owner calls the passkey, 1 to 40 characters.
        pub name: String,
        /// `PublicKeyCredential.toJSON()` of a new credential.
        pub credential: Value,
    }

    pub struct DeleteAccount {
        /// A proof. Without it the last one must be at most 10 minutes old; guests need none.
        pub password: Option<String>,
    }

    pub struct RevokeSession {
        pub session_id: String,
    }

    /// Signs out everywhere.
    pub struct RevokeAllSessions {
        /// The session that asks ends too.
        pub include_current: bool,
    }

    /// Makes the first admin, with the one-time token of the printed link.
    pub struct SetupRequest {
        pub token: String,
        pub email: String,
        pub password: String,
        pub username: String,
        pub first_name: String,
        pub last_name: String,
    }

    /// A body that says nothing; an absent body counts as this one.
    pub struct Empty {}
}

answer! {
    /// A person as they see themselves.
    pub struct User {
        pub user_id: Uuid,
        pub username: String,
        pub first_name: String,
        pub last_name: String,
        pub display_name: String,
        /// Empty for a guest.
        pub email: String,
        pub email_verified: bool,
        /// Address of the avatar at 256 pixels; empty without one.
        pub profile: String,
        /// The same, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, an account on which a program plays, for good; absent for people.
        pub is_bot: Option<bool>,
        pub is_pro_user: bool,
        pub is_temp_user: bool,
        pub is_admin: bool,
        /// What makes them an admin, for a while; absent for who was promoted, and for others.
        pub admin_claim: Option<AdminClaim>,
        /// It can be a proof before sensitive acts.
        pub has_password: bool,
        /// Signing in asks for a second factor.
        pub second_factor: bool,
        /// Who sees the player's page.
        pub profile_visibility: ProfileVisibility,
        /// When the username may be changed again; absent if it may be now.
        pub username_changeable_at: Option<Timestamp>,
        /// An admin lets them host private events without a verified email; absent otherwise.
        pub may_host: Option<bool>,
        /// The one in force, for admins.
        pub suspension: Option<Suspension>,
        /// In lists for admins; absent for guests.
        pub rating: Option<PlayerRating>,
        /// When they were last here; for admins.
        pub last_seen_at: Option<Timestamp>,
        pub created_at: Timestamp,
    }

    /// Admin rights by a provider's claim.
    pub struct AdminClaim {
        /// The issuer of the provider.
        pub issuer: String,
        /// When they end, unless another sign-in brings the claim.
        pub until: Timestamp,
    }

    pub struct PasswordLinkOwnerAnswer {
        /// Absent for a link that does not work (any more).
        pub username: Option<String>,
        /// It can make a passkey in place of a password: the server has a name, and no second factor is left.
        pub takes_passkey: bool,
    }

    pub struct CheckLoginAnswer {
        pub is_log_in: bool,
        pub user: Option<User>,
        /// Games that a guest has, and may bring along when signing in to an account. Only for guests.
        pub guest_games: Option<u64>,
    }

    pub struct LoginAnswer {
        pub is_log_in: bool,
        pub user: User,
        /// This call made the account. With a provider its username was made of the name there, and can be changed.
        pub is_new: bool,
        /// Games that came along, where `keepGuestGames` asked for it.
        pub guest_games: Option<u64>,
    }

    /// `succeeded` stands at the top and under `data`, since clients read either.
    pub struct RequestVerificationCodeAnswer {
        pub data: SucceededData,
    }

    pub struct SucceededData {
        pub succeeded: bool,
    }

    pub struct CalendarAuthUrlAnswer {
        pub auth_url: String,
    }

    pub struct CalendarStatusAnswer {
        /// Calendars can be connected on this server.
        pub configured: bool,
        pub connected: bool,
    }

    pub struct EmailChangedAnswer {
        pub user: User,
    }

    /// What a visitor can sign in with.
    pub struct ProvidersAnswer {
        /// Email and password.
        pub local: bool,
        /// Local accounts may be made.
        pub registration: bool,
        pub guests: bool,
        /// Recovery mails really leave the machine.
        pub mail: bool,
        /// A passkey can be used instead.
        pub passkeys: bool,
        /// The one without an id.
        pub provider: Option<Provider>,
        /// Those with an id, by it.
        pub other_providers: Option<Vec<Provider>>,
        /// True if the page for signing in leads on to the only provider; otherwise absent.
        pub redirect_to_provider: Option<bool>,
    }

    pub struct Provider {
        /// A sign-in begins at `/oidc/{id}/start`, without an id at `/oidc/start`.
        pub id: Option<String>,
        /// Shown on the button, for example `Google`.
        pub name: String,
        pub issuer: String,
        pub client_id: String,
        /// Google's own button is used; else the authorization code flow.
        pub is_google: bool,
        /// To be carried by the ID token.
        pub nonce: String,
        /// Calendars can be connected.
        pub calendar: bool,
        /// True if it could not be reached when it was asked last; otherwise absent.
        pub is_away: Option<bool>,
    }

    pub struct Session {
        pub session_id: String,
        /// For example `Firefox on Linux`.
        pub device: String,
        pub address: String,
        pub created_at: Timestamp,
        pub last_used_at: Timestamp,
        /// When it ends if it is not used before then.
        pub expires_at: Timestamp,
        /// The session that asks.
        pub is_current: bool,
    }

    pub struct SessionsAnswer {
        pub sessions: Vec<Session>,
    }

    pub struct RevokeAllSessionsAnswer {
        /// How many sessions ended.
        pub revoked: u64,
    }

    pub struct SetupAnswer {
        /// There is no admin yet and the token, if one was sent, is good.
        pub open: bool,
    }
}
