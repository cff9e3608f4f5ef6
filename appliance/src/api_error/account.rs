//! Errors of accounts.

use super::{ApiError, ErrorKind};
use crate::account::{error::AccountError, image_processor::AvatarError, proof::ProofMethod};

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        let message = error.to_string();
        let (kind, code) = match error {
            AccountError::Common(error) => return error.into(),
            AccountError::Avatar(error) => return error.into(),
            AccountError::TooManyFailedSignIns { retry_after } => {
                return Self::new(ErrorKind::TooMany, "too-many-failed-sign-ins", message).and_retry_after(retry_after);
            }
            AccountError::WrongCredentials => (ErrorKind::NotSignedIn, "wrong-credentials"),
            AccountError::LocalAccountsOff => (ErrorKind::Forbidden, "local-accounts-off"),
            AccountError::RegistrationOff | AccountError::NotRegistered => (ErrorKind::Forbidden, "registration-off"),
            AccountError::GuestsOff => (ErrorKind::Forbidden, "guests-off"),
            AccountError::SetupClosed => (ErrorKind::Forbidden, "setup-closed"),
            AccountError::UsernameTaken => (ErrorKind::Conflict, "username-taken"),
            AccountError::UsernameCooldown { .. } => (ErrorKind::Conflict, "username-cooldown"),
            AccountError::EmailTaken | AccountError::NewEmailTaken => (ErrorKind::Conflict, "email-taken"),
            AccountError::SameEmail | AccountError::UnchangedEmail => (ErrorKind::Invalid, "same-email"),
            AccountError::AlreadyVerified => (ErrorKind::Conflict, "already-verified"),
            AccountError::NoEmail => (ErrorKind::Conflict, "no-email"),
            AccountError::WrongCode => (ErrorKind::Invalid, "wrong-code"),
            AccountError::CodeNeeded => (ErrorKind::Forbidden, "code-needed"),
            AccountError::UnconfirmedAccount { .. } => (ErrorKind::Conflict, "unconfirmed-account"),
            AccountError::RegisteredAlready => (ErrorKind::Conflict, "registered-already"),
            AccountError::FactorKept => (ErrorKind::Conflict, "factor-kept"),
            AccountError::LinkOver => (ErrorKind::NotFound, "link-over"),
            AccountError::NoPassword => (ErrorKind::Conflict, "no-password"),
            AccountError::ProofRequired => (ErrorKind::Forbidden, "proof-required"),
            AccountError::SecondFactorRequired => (ErrorKind::NotSignedIn, "second-factor-required"),
            AccountError::SignInExpired => (ErrorKind::Gone, "sign-in-expired"),
            AccountError::WrongProof(_) => (ErrorKind::Invalid, "wrong-proof"),
            AccountError::NoSecondFactor => (ErrorKind::Conflict, "no-second-factor"),
            AccountError::TotpSetAlready => (ErrorKind::Conflict, "totp-set-already"),
            AccountError::SetupExpired => (ErrorKind::Gone, "setup-expired"),
            AccountError::PasskeysUnavailable => (ErrorKind::Conflict, "passkeys-unavailable"),
            AccountError::PushOff => (ErrorKind::Conflict, "push-off"),
            AccountError::PasskeyRefused => (ErrorKind::Invalid, "passkey-refused"),
            AccountError::TooManyPersonalTokens => (ErrorKind::Conflict, "too-many-tokens"),
            AccountError::RatedAlready => (ErrorKind::Conflict, "rated-already"),
            AccountError::RatedGameUnderWay => (ErrorKind::Conflict, "rated-game-under-way"),
            AccountError::SignedUpForEvent(_) => (ErrorKind::Conflict, "signed-up-for-event"),
            AccountError::EmailNotVerifiedForBot => (ErrorKind::Forbidden, "email-not-verified"),
            AccountError::BecomingBot => (ErrorKind::Conflict, "becoming-bot"),
            AccountError::TooManyPasskeys => (ErrorKind::Conflict, "too-many-passkeys"),
            AccountError::ProviderOff => (ErrorKind::Forbidden, "provider-off"),
            AccountError::ProviderRefused(_) => (ErrorKind::NotSignedIn, "provider-refused"),
            AccountError::ProviderNotAllowed(_) => (ErrorKind::Forbidden, "provider-not-allowed"),
            AccountError::ProviderEmailUnverified(_) => (ErrorKind::Forbidden, "provider-email-unverified"),
            AccountError::ProviderFlowOver => (ErrorKind::Malformed, "provider-flow-over"),
            AccountError::CalendarOff => (ErrorKind::Conflict, "calendar-off"),
            AccountError::BadHost => (ErrorKind::Forbidden, "bad-host"),
            AccountError::BadOrigin => (ErrorKind::Forbidden, "bad-origin"),
            AccountError::MissingCsrfToken => (ErrorKind::Forbidden, "missing-forgery-token"),
            AccountError::BadCsrfToken => (ErrorKind::Forbidden, "bad-forgery-token"),
            AccountError::BadPersonalToken => (ErrorKind::NotSignedIn, "bad-token"),
            AccountError::BadOperatorToken => (ErrorKind::NotSignedIn, "bad-operator-token"),
            AccountError::Suspended(_) => (ErrorKind::Forbidden, "suspended"),
            AccountError::Yourself => (ErrorKind::Conflict, "yourself"),
            AccountError::MembersOnly => (ErrorKind::Forbidden, "members-only"),
            AccountError::PageHidden => (ErrorKind::Forbidden, "page-hidden"),
            AccountError::TooManyBlocks => (ErrorKind::Conflict, "too-many-blocks"),
            AccountError::AdminOnlyByShell => (ErrorKind::Forbidden, "admin-by-shell"),
            AccountError::GuestAsAdmin | AccountError::GuestWithoutSignIn => (ErrorKind::Conflict, "guest"),
            AccountError::LastAdmin | AccountError::LastAdminLeaves => (ErrorKind::Conflict, "last-admin"),
            AccountError::UnconfirmedEmail => (ErrorKind::Conflict, "unconfirmed-email"),
            AccountError::TokenNameTaken => (ErrorKind::Conflict, "token-name-taken"),
            AccountError::TooManyTokens => (ErrorKind::Conflict, "too-many-tokens"),
        };
        let failed = Self::new(kind, code, message.clone());
        match (field(&error), error) {
            (Some(field), _) => failed.and_field(field, message),
            (None, AccountError::Suspended(suspension)) => Self { suspension: Some(Box::new(suspension)), ..failed },
            (None, _) => failed,
        }
    }
}

/// The field of the form that the error is about.
fn field(error: &AccountError) -> Option<&'static str> {
    match error {
        AccountError::UsernameTaken | AccountError::UsernameCooldown { .. } => Some("username"),
        AccountError::EmailTaken | AccountError::NoEmail => Some("email"),
        AccountError::NewEmailTaken | AccountError::SameEmail | AccountError::UnchangedEmail => Some("newEmail"),
        AccountError::WrongCode => Some("code"),
        AccountError::TokenNameTaken => Some("name"),
        AccountError::PasskeyRefused => Some("passkey"),
        AccountError::WrongProof(method) => Some(proof_field(*method)),
        _ => None,
    }
}

fn proof_field(method: ProofMethod) -> &'static str {
    match method {
        ProofMethod::Password | ProofMethod::Provider => "password",
        ProofMethod::Totp => "totp",
        ProofMethod::RecoveryCode => "recoveryCode",
        ProofMethod::Passkey => "passkey",
    }
}

impl From<AvatarError> for ApiError {
    fn from(refused: AvatarError) -> Self {
        let (kind, code) = match refused {
            AvatarError::TooLarge => (ErrorKind::TooLarge, "image-too-large"),
            AvatarError::UnsupportedType => (ErrorKind::Unsupported, "not-an-image"),
            AvatarError::TypeMismatch => (ErrorKind::Invalid, "image-mislabelled"),
            AvatarError::TooManyPixels => (ErrorKind::Invalid, "image-too-many-pixels"),
            AvatarError::Damaged => (ErrorKind::Invalid, "image-damaged"),
        };
        let text = refused.to_string();
        Self::new(kind, code, text.clone()).and_field("file", text)
    }
}
