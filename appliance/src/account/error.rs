//! What can go wrong with accounts.

use std::time::Duration;

use chrono::{DateTime, Utc};
use morpion_store::{StoreError, Suspension, Unique};

use super::{
    administration::MAX_TOKENS, image_processor::AvatarError, passkey::MAX_PASSKEYS,
    personal_token::MAX_PERSONAL_TOKENS, proof::ProofMethod,
};
use crate::error::{CommonError, FieldErrors};

/// Why a call about accounts failed. The texts are for users.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    #[error("The email or the password is wrong.")]
    WrongCredentials,
    #[error("Too many failed sign-ins. Please try again later.")]
    TooManyFailedSignIns { retry_after: Duration },
    #[error("Accounts with a password are turned off on this server.")]
    LocalAccountsOff,
    #[error("This server is not accepting new accounts.")]
    RegistrationOff,
    #[error("You need an account to play on this server.")]
    GuestsOff,
    #[error("This setup link is no longer valid. Restart the server for a new one.")]
    SetupClosed,
    #[error("This username is taken. Please choose another.")]
    UsernameTaken,
    #[error("You can change your username again on {}.", .again.format("%-d %B %Y"))]
    UsernameCooldown { again: DateTime<Utc> },

    #[error("This email belongs to another account. Please use another, or sign in.")]
    EmailTaken,
    /// By another account than the one whose email is changed.
    #[error("This email belongs to another account. Please use another.")]
    NewEmailTaken,
    #[error("This is your email already.")]
    SameEmail,
    /// As above, said to an operator.
    #[error("This is the account's email already.")]
    UnchangedEmail,
    #[error("Your email is confirmed already.")]
    AlreadyVerified,
    #[error("Your account has no email. Please enter one.")]
    NoEmail,
    #[error("The code is wrong or has expired.")]
    WrongCode,
    #[error("Please enter the code from the email first.")]
    CodeNeeded,
    /// A recovery of an account whose maker need not own the email. With the account's username.
    #[error(
        "The account {username} was made with this email, but nobody confirmed that. If it is yours, open it: its sessions, second factor and connected services end. If it is not, you can make one of your own."
    )]
    UnconfirmedAccount { username: String },
    /// A guest who has an account by now.
    #[error("You have an account already. Please reload the page.")]
    RegisteredAlready,
    /// A link that undoes a change of email, or an operator's one-time link.
    #[error("This link was already used or has expired.")]
    LinkOver,
    /// By a one-time link that leaves the second factor.
    #[error("This account keeps its second factor, so the link sets only a password.")]
    FactorKept,
    #[error("This account has no password yet. 'Forgot your password?' on the sign-in page sets one.")]
    NoPassword,
    #[error("Please confirm that it’s you, then continue.")]
    ProofRequired,
    #[error("Please enter your second factor.")]
    SecondFactorRequired,
    #[error("This sign-in took too long or had too many wrong tries. Please sign in again.")]
    SignInExpired,
    #[error("{}", .0.refusal())]
    WrongProof(ProofMethod),
    #[error("This account has no second factor.")]
    NoSecondFactor,
    #[error("An authenticator app is set up already. Remove it first.")]
    TotpSetAlready,
    #[error("This took too long. Please start again.")]
    SetupExpired,
    #[error(
        "Passkeys need a server with a name. This one is reached by its IP address; server.public_url can name it."
    )]
    PasskeysUnavailable,
    #[error("This server does not send notifications to closed pages.")]
    PushOff,
    #[error("This passkey was not accepted.")]
    PasskeyRefused,
    #[error("There are {MAX_PASSKEYS} passkeys already. Please remove one first.")]
    TooManyPasskeys,
    #[error("There are {MAX_PERSONAL_TOKENS} tokens already. Please delete one first.")]
    TooManyPersonalTokens,
    /// [`super::bot`].
    #[error("Only an account that has never played a rated game can become a bot. Please use a new account.")]
    RatedAlready,
    #[error("You have a rated game that is not over yet. An account with a rated game cannot become a bot.")]
    RatedGameUnderWay,
    /// With the event's title.
    #[error("You are signed up for '{0}'. Please leave it or wait until it is over. You can then sign up as a bot.")]
    SignedUpForEvent(String),
    #[error("Please verify your email before you make your account a bot.")]
    EmailNotVerifiedForBot,
    #[error("This account is already becoming a bot. Please wait a moment.")]
    BecomingBot,
    #[error(transparent)]
    Avatar(#[from] AvatarError),

    #[error("This server has no sign-in provider.")]
    ProviderOff,
    /// With the name of the provider.
    #[error("The sign-in with {0} did not work. Please try again.")]
    ProviderRefused(String),
    /// With the name of the provider.
    #[error("{0} has not confirmed your email yet. Please confirm it there first.")]
    ProviderEmailUnverified(String),
    /// With the name of the provider.
    #[error("Your account at {0} is not allowed to sign in here. Please ask whoever runs this server.")]
    ProviderNotAllowed(String),
    #[error("This sign-in was not started in this browser, or took too long. Please try again.")]
    ProviderFlowOver,
    /// The provider knows them, this server does not, and registration is off.
    #[error("There is no account for this sign-in, and this server is not accepting new accounts.")]
    NotRegistered,
    #[error("Calendars cannot be connected on this server.")]
    CalendarOff,

    #[error("This server does not answer to that name. Its operator can allow it with server.public_url.")]
    BadHost,
    #[error("Other sites are not allowed to do this.")]
    BadOrigin,
    #[error("The X-XSRF-TOKEN header is missing. Please reload the page.")]
    MissingCsrfToken,
    #[error("The X-XSRF-TOKEN header is out of date. Please reload the page.")]
    BadCsrfToken,
    #[error("This operator token is not valid or has expired.")]
    BadOperatorToken,
    #[error("This token is not valid or has expired.")]
    BadPersonalToken,

    /// With the end, if there is one, and the reason given to the person.
    #[error("This account is suspended{}. Reason: {}", until_when(.0.until), .0.reason)]
    Suspended(Suspension),
    /// What one can do only to others.
    #[error("You cannot do this to yourself.")]
    Yourself,
    /// A visitor asks for a page that is not public.
    #[error("This player shows this to members only. Sign in to see it.")]
    MembersOnly,
    #[error("This player does not show this to you.")]
    PageHidden,
    #[error("You have already blocked 1,000 people. Please unblock one first.")]
    TooManyBlocks,

    /// What an admin signs in with is changed by whoever has the machine, not by another admin.
    #[error("What an admin signs in with can be changed only on the server itself, by `morpion admin`.")]
    AdminOnlyByShell,
    #[error("A guest has nothing to sign in with.")]
    GuestWithoutSignIn,
    #[error("A guest cannot be an admin.")]
    GuestAsAdmin,
    /// Somebody removes the rights of the last admin.
    #[error("This is the last admin. Make somebody else an admin first.")]
    LastAdmin,
    /// The last admin deletes the own account.
    #[error("You are the last admin. Make somebody else an admin first.")]
    LastAdminLeaves,
    #[error("Nobody has confirmed this email. Please name the account by its username.")]
    UnconfirmedEmail,
    #[error("Another token has this name. Please choose another, or revoke that one first.")]
    TokenNameTaken,
    #[error("There are {MAX_TOKENS} tokens already. Please revoke one first.")]
    TooManyTokens,

    #[error(transparent)]
    Common(#[from] CommonError),
}

fn until_when(until: Option<DateTime<Utc>>) -> String {
    until.map(|until| format!(" until {} (UTC)", until.format("%-d %B %Y at %H:%M"))).unwrap_or_default()
}

impl From<StoreError> for AccountError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::LastAdmin => Self::LastAdmin,
            StoreError::Taken(Unique::TokenName) => Self::TokenNameTaken,
            error => CommonError::from(error).into(),
        }
    }
}

impl From<FieldErrors> for AccountError {
    fn from(fields: FieldErrors) -> Self {
        CommonError::from(fields).into()
    }
}
