//! An account becomes a bot: what all parts have to say to it. `docs/behaviour/programs.md#bots`.
//!
//! From the first question to the stored answer the account counts as a bot ([`People::hold_as_bot`](crate::people::People)), so
//! nothing begins meanwhile that only people may do; what began before is waited for, and then looked at.

use std::sync::Arc;

use morpion_store::User;

use crate::{account::error::AccountError, api_error::ApiError, app::App, caller::Call};

impl App {
    /// Makes the caller's account a bot, for good. It goes on if the caller hangs up.
    ///
    /// # Errors
    /// As [`Accounts::future_bot`](crate::account::Accounts::future_bot) and
    /// [`Accounts::become_bot`](crate::account::Accounts::become_bot); [`AccountError::RatedGameUnderWay`],
    /// [`AccountError::SignedUpForEvent`]; [`AccountError::BecomingBot`] while another call asks the same.
    pub async fn become_bot(self: &Arc<Self>, call: &Call, username: &str) -> Result<User, ApiError> {
        let account = self.accounts.future_bot(call, username).await?;
        if account.bot_since.is_some() {
            return Ok(account);
        }
        let (app, call) = (Arc::clone(self), call.clone());
        let becoming = tokio::spawn(async move {
            let user = account.id.into();
            let held = app.accounts.people.hold_as_bot(user).ok_or(AccountError::BecomingBot)?;
            let made = app.make_bot(&call, &account).await;
            drop(held);
            if made.is_ok() {
                app.events.profile_changed(user);
                app.ratings.bots_changed();
            }
            made
        });
        becoming.await.map_err(ApiError::internal)?
    }

    async fn make_bot(&self, call: &Call, account: &User) -> Result<User, ApiError> {
        let user = account.id.into();
        self.quick_match.leave_for_bots(user);
        if self.play.has_rated_game(user) {
            return Err(AccountError::RatedGameUnderWay.into());
        }
        if let Some(title) = self.events.entered(user).await? {
            return Err(AccountError::SignedUpForEvent(title).into());
        }
        Ok(self.accounts.become_bot(call).await?)
    }
}
