//! Calls of the business backend beside the action API, under `/api/backend`.

use std::{collections::BTreeMap, sync::Arc};

use morpion_openapi::{
    Acknowledgement, Timestamp,
    account::{DeleteAccount, Empty, User},
    game::ExportFormat,
    logger::ClientLog,
    profile::{OwnUserAnswer, ProfileImageAnswer, ProfileUpdate, UsersAnswer},
    subscription::{CancelSubscription, PaymentMethodsAnswer, RemovePaymentMethod, SubscriptionAnswer},
};
use poem::{
    http::{HeaderMap, Uri},
    web::cookie::CookieJar,
};
use poem_openapi::{
    OpenApi,
    param::{Path, Query},
};
use uuid::Uuid;

use super::{
    ApiError,
    body::{Answer, Body, CalendarFile, CsvFile, Download, ReportFile, SignedBody},
    convert::{account as convert, billing, player_page},
    game_export::{GameExport, GameFile},
    image::{AvatarResponse, ImageUpload, UploadedImage},
    logger,
    subscription::{payer, reader, subscription_answer},
    userprofile::update_profile,
};
use crate::{
    account::{cookies::Cookies, limits::RateLimit, profile::ProfilePatch},
    app::App,
    caller::Call,
    error::FieldErrors,
};

type Result<T> = std::result::Result<T, ApiError>;

pub struct BackendApi(pub Arc<App>);

#[OpenApi(prefix_path = "/backend")]
impl BackendApi {
    /// Deletes one's account for good.
    #[oai(path = "/delete/account", method = "post", operation_id = "deleteAccount")]
    async fn delete_account(
        &self,
        call: Call,
        jar: &CookieJar,
        body: Body<DeleteAccount>,
    ) -> Result<Answer<Acknowledgement>> {
        self.0.delete_account(&call, None, body.0.password.as_deref()).await?;
        Cookies::new(&self.0.accounts, jar).sign_out();
        Ok(Answer(Acknowledgement {}))
    }

    /// Changes one's profile.
    #[oai(path = "/profile/update", method = "post", operation_id = "updateProfile")]
    async fn update_profile(&self, call: Call, body: Body<ProfileUpdate>) -> Result<Answer<OwnUserAnswer>> {
        let identity = call.caller.member(body.0.user_id)?;
        let user = self.0.accounts.user(identity.user_id).await?;
        check_unchanged(&convert::own_user(&user, self.0.clock.wall()), &body.0)?;
        let ProfileUpdate { username, display_name, first_name, last_name, profile_visibility, .. } = body.0;
        let visibility = profile_visibility.map(player_page::stored_visibility);
        let patch = ProfilePatch { username, display_name, first_name, last_name, visibility };
        Ok(Answer(update_profile(&self.0, identity, patch).await?))
    }

    /// Removes one's avatar.
    #[oai(path = "/profile/remove", method = "post", operation_id = "removeProfileImage")]
    async fn remove_profile_image(&self, call: Call, _body: Body<Empty>) -> Result<Answer<Acknowledgement>> {
        let identity = call.caller.user()?;
        self.0.accounts.remove_avatar(identity).await?;
        self.0.events.profile_changed(identity.user_id);
        Ok(Answer(Acknowledgement {}))
    }

    /// Replaces one's avatar.
    #[oai(path = "/profile/image", method = "post", operation_id = "uploadProfileImage")]
    async fn upload_profile_image(&self, call: Call, upload: ImageUpload) -> Result<Answer<ProfileImageAnswer>> {
        let accounts = &self.0.accounts;
        let identity = call.caller.member(None)?;
        self.0.disk.check()?;
        let place = accounts.queue_avatar(identity.user_id, call.address)?;
        accounts.limits().check(RateLimit::Upload, identity.user_id)?;
        let UploadedImage { declared_type, file, user_id } = upload.read().await?;
        let user = accounts.set_avatar(place, call.caller.member(user_id)?, declared_type, file).await?;
        self.0.events.profile_changed(user.id.into());
        Ok(Answer(ProfileImageAnswer { profile_url: convert::avatar_address(&user) }))
    }

    /// Somebody's avatar in one of the sizes.
    #[oai(path = "/profile/image/:user_id/:size", method = "get", operation_id = "getProfileImage")]
    async fn profile_image(
        &self,
        user_id: Path<Uuid>,
        size: Path<u32>,
        headers: &HeaderMap,
        uri: &Uri,
    ) -> Result<AvatarResponse> {
        let image = self.0.accounts.avatar(user_id.0, size.0).await?;
        Ok(AvatarResponse::new(image, headers, uri))
    }

    /// One's data as JSON.
    #[oai(path = "/account/export", method = "get", operation_id = "exportAccount")]
    async fn export_account(&self, call: Call) -> Result<Download> {
        let export = Arc::clone(&self.0).export_account(call.caller.user()?, call.address).await?;
        Ok(Download { file_name: "morpion-account.json", body: export })
    }

    /// Finished games as a file: the caller's own, or those of an event. Newest first.
    #[oai(path = "/game/export_games", method = "get", operation_id = "exportGames")]
    async fn export_games(
        &self,
        call: Call,
        uri: &Uri,
        /// The games of this event instead of the caller's own.
        #[oai(name = "eventId")]
        event_id: Query<Option<Uuid>>,
        /// `ndjson` if absent.
        format: Query<Option<ExportFormat>>,
        /// Only games created from then on.
        since: Query<Option<Timestamp>>,
        /// Only games created before then.
        until: Query<Option<Timestamp>>,
    ) -> Result<GameFile> {
        GameExport::check_query(uri)?;
        let format = format.0.unwrap_or(ExportFormat::Ndjson);
        let asked = GameExport { event: event_id.0, format, since: since.0, until: until.0 };
        Arc::clone(&self.0).export_games(&call, asked).await
    }

    /// One's subscription.
    #[oai(path = "/api/v1/user/subscription", method = "get", operation_id = "getUserSubscription")]
    async fn user_subscription(&self, call: Call) -> Result<Answer<SubscriptionAnswer>> {
        let user = call.caller.user()?.user_id;
        let pro = self.0.billing.subscription(user).await?;
        Ok(Answer(subscription_answer(&self.0, user, pro).await?))
    }

    /// Cancels it at the end of the paid period.
    #[oai(path = "/api/v1/user/subscription/cancel", method = "post", operation_id = "cancelUserSubscription")]
    async fn cancel_user_subscription(
        &self,
        call: Call,
        body: Body<CancelSubscription>,
    ) -> Result<Answer<Acknowledgement>> {
        self.0.billing.cancel(payer(&self.0, &call, None)?.user_id, body.0.plan_id.as_deref()).await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// One's payment methods.
    #[oai(path = "/api/v1/payment/methode", method = "get", operation_id = "listPaymentMethods")]
    async fn payment_methods(&self, call: Call) -> Result<Answer<PaymentMethodsAnswer>> {
        let methods = self.0.billing.cards(reader(&self.0, &call)?.user_id).await?;
        Ok(Answer(billing::payment_methods(methods)))
    }

    /// Removes one of them.
    #[oai(path = "/api/v1/payment/methode/remove", method = "post", operation_id = "removePaymentMethod")]
    async fn remove_payment_method(
        &self,
        call: Call,
        body: Body<RemovePaymentMethod>,
    ) -> Result<Answer<Acknowledgement>> {
        self.0.billing.remove_card(reader(&self.0, &call)?.user_id, &body.0.payment_method_id).await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// People whose username or display name contains the text, without the caller.
    #[oai(path = "/api/v1/user/search", method = "get", operation_id = "searchUsers")]
    async fn search_users(&self, call: Call, username: Query<Option<String>>) -> Result<Answer<UsersAnswer>> {
        let users = self
            .0
            .accounts
            .search(&call, username.0.as_deref().unwrap_or_default(), None, call.caller.user_id())
            .await?;
        let now = self.0.clock.wall();
        Ok(Answer(UsersAnswer { users: users.iter().map(|user| convert::profile(user, now)).collect(), user: None }))
    }

    /// A log record of a client.
    #[oai(path = "/v1/log/data", method = "post", operation_id = "logData")]
    async fn log_data(&self, call: Call, body: Body<ClientLog>) -> Result<Answer<Acknowledgement>> {
        Ok(Answer(logger::record(&self.0, &call, vec![body.0])?))
    }

    /// Events of the payment provider, signed by it.
    #[oai(path = "/stripe/webhook", method = "post", operation_id = "stripeWebhook")]
    async fn stripe_webhook(&self, headers: &HeaderMap, body: SignedBody) -> Result<Answer<Acknowledgement>> {
        let signature = headers.get("stripe-signature").and_then(|signature| signature.to_str().ok());
        self.0.billing.handle_webhook(&body.0, signature).await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// An event for one's calendar. A private one is for those who are in it, or with the token that they are told.
    #[oai(path = "/events/:event_id/calendar.ics", method = "get", operation_id = "getEventCalendar")]
    async fn event_calendar(
        &self,
        call: Call,
        event_id: Path<Uuid>,
        token: Query<Option<String>>,
    ) -> Result<CalendarFile> {
        let (id, origin) = (event_id.0, self.0.config.public_origin());
        let text = match token.0.as_deref() {
            None => self.0.events.calendar(&call.caller, id.into(), &origin).await?,
            Some(token) => {
                let is_token = |code: &str| self.0.accounts.is_calendar_token(id, code, token);
                self.0.events.calendar_by_token(id.into(), is_token, &origin).await?
            }
        };
        Ok(CalendarFile { text, name: "event" })
    }

    /// The events of a series, for a calendar that asks again.
    #[oai(path = "/events/series/:series_id/calendar.ics", method = "get", operation_id = "getSeriesCalendar")]
    async fn series_calendar(&self, series_id: Path<Uuid>) -> Result<CalendarFile> {
        let text = self.0.events.series_calendar(series_id.0, &self.0.config.public_origin()).await?;
        Ok(CalendarFile { text, name: "series" })
    }

    /// The standings of an event as CSV.
    #[oai(path = "/events/:event_id/standings.csv", method = "get", operation_id = "getEventStandingsFile")]
    async fn standings_file(&self, call: Call, event_id: Path<Uuid>) -> Result<CsvFile> {
        self.0.standings_file(&call, event_id.0).await
    }

    /// The results of an event as CSV: its matches, or the games of an arena.
    #[oai(path = "/events/:event_id/results.csv", method = "get", operation_id = "getEventResultsFile")]
    async fn results_file(&self, call: Call, event_id: Path<Uuid>) -> Result<CsvFile> {
        Arc::clone(&self.0).results_file(&call, event_id.0).await
    }

    /// A Swiss as TRF16, for pairing and rating programs.
    #[oai(path = "/events/:event_id/swiss.trf", method = "get", operation_id = "getEventSwissFile")]
    async fn swiss_file(&self, call: Call, event_id: Path<Uuid>) -> Result<ReportFile> {
        self.0.swiss_file(&call, event_id.0).await
    }
}

const EMAIL_CHANGED_ELSEWHERE: &str = "The email is changed in the settings, with a code.";

const NOT_YOURS: &str = "This cannot be changed here.";

/// Fields of a whole user object that are not changed with the profile have to be unchanged.
fn check_unchanged(user: &User, update: &ProfileUpdate) -> std::result::Result<(), FieldErrors> {
    let is_email = |named: &str| named.eq_ignore_ascii_case(&user.email);
    let checks = [
        ("email", update.email.as_deref().is_none_or(is_email), EMAIL_CHANGED_ELSEWHERE),
        ("isProUser", update.is_pro_user.is_none_or(|named| named == user.is_pro_user), NOT_YOURS),
        ("isTempUser", update.is_temp_user.is_none_or(|named| named == user.is_temp_user), NOT_YOURS),
        ("isAdmin", update.is_admin.is_none_or(|named| named == user.is_admin), NOT_YOURS),
    ];
    let wrong = checks.into_iter().filter(|(_, is_unchanged, _)| !is_unchanged);
    let wrong: BTreeMap<_, _> = wrong.map(|(field, _, text)| (field.to_owned(), text.to_owned())).collect();
    if wrong.is_empty() { Ok(()) } else { Err(FieldErrors(wrong)) }
}
