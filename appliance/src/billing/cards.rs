//! Payment methods: added, selected, replaced and removed at any time.

use morpion_rules::UserId;
use morpion_store::BillingAccount;
use uuid::Uuid;

use super::{
    Billing, entitlement,
    error::BillingError,
    is_id,
    provider::{Card, Provider, Subscription},
};
use crate::{caller::Identity, error::CommonError};

/// Nobody needs more, and whoever tests stolen cards wants many.
pub(super) const MAX_CARDS: usize = 10;

/// What happens to the other cards when one is added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardPlacement {
    Additional,
    /// It becomes the default.
    Default,
    /// It replaces this one, which is removed.
    Replacing(String),
}

/// A card of a user.
#[derive(Debug, Clone)]
pub struct PaymentMethod {
    pub card: Card,
    /// It pays the next invoice.
    pub is_default: bool,
}

/// A customer's cards and subscriptions at Stripe.
struct Wallet {
    customer: String,
    cards: Vec<Card>,
    /// Pays the next invoice.
    default: Option<String>,
    /// Those that have not ended.
    subscriptions: Vec<Subscription>,
}

impl Wallet {
    async fn open(provider: &Provider, customer: &str) -> Result<Self, BillingError> {
        let cards = provider.cards(customer).await?;
        let mut subscriptions = provider.subscriptions(customer).await?;
        subscriptions.retain(|subscription| entitlement::is_running(&subscription.status));
        let default = match subscriptions.iter().find_map(|subscription| subscription.payment_method.clone()) {
            Some(card) => Some(card),
            None => provider.default_card(customer).await?,
        };
        Ok(Self { customer: customer.to_owned(), cards, default, subscriptions })
    }

    /// # Errors
    /// [`CommonError::NotFound`] for a card that is not this user's.
    fn require_card(&self, card: &str) -> Result<(), CommonError> {
        match self.cards.iter().any(|known| known.id == card) {
            true => Ok(()),
            false => Err(no_card()),
        }
    }

    /// A subscription will be renewed.
    fn is_needed(&self) -> bool {
        self.subscriptions.iter().any(|subscription| !subscription.cancels)
    }

    fn into_methods(self) -> Vec<PaymentMethod> {
        let Self { cards, default, .. } = self;
        let method = |card: Card| PaymentMethod { is_default: Some(&card.id) == default.as_ref(), card };
        cards.into_iter().map(method).collect()
    }
}

impl Billing {
    /// # Errors
    /// [`BillingError::PaymentsOff`]; [`CommonError::Unavailable`].
    pub async fn cards(&self, user: UserId) -> Result<Vec<PaymentMethod>, BillingError> {
        let provider = self.provider()?;
        let fetch = async |customer: String| Ok(Wallet::open(provider, &customer).await?.into_methods());
        self.listed(&self.recent_cards, user, fetch).await
    }

    /// Starts adding a card: returns the secret with which the browser continues.
    ///
    /// # Errors
    /// [`BillingError::PaymentsOff`], [`BillingError::EmailNotVerified`], [`BillingError::TooManyCards`];
    /// [`CommonError::Unavailable`].
    pub async fn begin_card_setup(&self, identity: &Identity) -> Result<String, BillingError> {
        let provider = self.provider()?;
        let user = identity.user_id;
        self.require_verified_email(user).await?;
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        let customer = match account.customer.clone() {
            Some(customer) => match provider.cards(&customer).await {
                Ok(cards) if cards.len() >= MAX_CARDS => return Err(BillingError::TooManyCards),
                Err(error) if error.is_customer_gone() => self.new_customer(&mut account, provider).await?,
                cards => cards.map(|_| customer)?,
            },
            None => self.new_customer(&mut account, provider).await?,
        };
        Ok(provider.create_setup_intent(&format!("setup-{}", Uuid::new_v4()), &customer).await?)
    }

    async fn new_customer(&self, account: &mut BillingAccount, provider: &Provider) -> Result<String, BillingError> {
        let email = self.store.user(account.user_id).await?.and_then(|user| user.email);
        // At worst a crash here leaves a customer without subscriptions.
        let key = format!("customer-{}", Uuid::new_v4());
        let made = provider.create_customer(&key, &account.user_id.to_string(), email.as_deref()).await?;
        (account.customer, account.email) = (Some(made.clone()), email);
        account.live = self.is_live;
        self.save(account, &[], None).await?;
        Ok(made)
    }

    /// Completes adding a card. Stripe is asked whether it was added, and for whom. Returns all cards.
    ///
    /// # Errors
    /// [`BillingError::CardNotAdded`], [`BillingError::CardProcessing`], [`BillingError::PaymentsOff`];
    /// [`CommonError::Forbidden`] for somebody else's; [`CommonError::NotFound`] and [`CommonError::Invalid`] for the
    /// replaced card; [`CommonError::Unavailable`].
    pub async fn add_card(
        &self,
        user: UserId,
        setup_id: &str,
        placement: CardPlacement,
    ) -> Result<Vec<PaymentMethod>, BillingError> {
        let provider = self.provider()?;
        if !is_id(setup_id, "seti_") {
            return Err(CommonError::invalid("setupIntentId", "This is no setup of a payment method.").into());
        }
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        let setup = provider.setup_intent(setup_id).await?;
        let Some(customer) = account.customer.clone().filter(|customer| setup.customer.as_ref() == Some(customer))
        else {
            return Err(CommonError::forbidden("This payment method is somebody else's.").into());
        };
        let card = match (setup.status.as_str(), setup.method) {
            ("succeeded", Some(card)) => card,
            ("processing", _) => return Err(BillingError::CardProcessing),
            _ => return Err(BillingError::CardNotAdded),
        };
        let wallet = Wallet::open(provider, &customer).await?;
        wallet.require_card(&card)?;
        let is_default = match &placement {
            CardPlacement::Additional => wallet.default.is_none(),
            CardPlacement::Default => true,
            CardPlacement::Replacing(old) if *old == card => return Ok(wallet.into_methods()),
            CardPlacement::Replacing(old) => {
                check_card_id(old)?;
                wallet.require_card(old)?;
                wallet.default.is_none() || wallet.default.as_ref() == Some(old)
            }
        };
        if is_default {
            set_default(provider, &wallet, &account, &card).await?;
        }
        if let CardPlacement::Replacing(old) = &placement {
            provider.detach_card(&format!("detach-{old}"), old).await?;
        }
        let kind = if matches!(placement, CardPlacement::Replacing(_)) { "card-replaced" } else { "card-added" };
        let entry = self.entry(format!("card:{setup_id}"), kind, card);
        self.save(&mut account, &[entry], None).await?;
        Ok(Wallet::open(provider, &customer).await?.into_methods())
    }

    /// Makes this card the default; returns all cards.
    ///
    /// # Errors
    /// [`BillingError::PaymentsOff`]; [`CommonError::NotFound`] for a card that is not this person's;
    /// [`CommonError::Invalid`], [`CommonError::Unavailable`].
    pub async fn set_default_card(&self, user: UserId, card: &str) -> Result<Vec<PaymentMethod>, BillingError> {
        let (provider, _lock) = (self.provider()?, self.lock_account(user).await?);
        let (mut account, wallet) = self.wallet(user, card).await?;
        let customer = wallet.customer.clone();
        set_default(provider, &wallet, &account, card).await?;
        let entry = self.entry(format!("card-chosen:{card}:{}", account.version), "card-chosen", card.to_owned());
        self.save(&mut account, &[entry], None).await?;
        Ok(Wallet::open(provider, &customer).await?.into_methods())
    }

    /// Removes a card, unless the subscription will be renewed with it.
    ///
    /// # Errors
    /// [`BillingError::OnlyCard`], [`BillingError::DefaultCard`], [`BillingError::PaymentsOff`];
    /// [`CommonError::NotFound`] for a card that is not this person's; [`CommonError::Invalid`],
    /// [`CommonError::Unavailable`].
    pub async fn remove_card(&self, user: UserId, card: &str) -> Result<(), BillingError> {
        let (provider, _lock) = (self.provider()?, self.lock_account(user).await?);
        let (_, wallet) = self.wallet(user, card).await?;
        if wallet.is_needed() && wallet.cards.len() == 1 {
            return Err(BillingError::OnlyCard);
        }
        if wallet.is_needed() && wallet.default.as_deref() == Some(card) {
            return Err(BillingError::DefaultCard);
        }
        Ok(provider.detach_card(&format!("detach-{card}"), card).await?)
    }

    async fn wallet(&self, user: UserId, card: &str) -> Result<(BillingAccount, Wallet), BillingError> {
        check_card_id(card)?;
        let account = self.account(user).await?;
        let customer = account.customer.as_deref().ok_or_else(no_card)?;
        let wallet = Wallet::open(self.provider()?, customer).await?;
        wallet.require_card(card)?;
        Ok((account, wallet))
    }
}

/// One key per request: the version increases whenever anything is stored.
async fn set_default(
    provider: &Provider,
    wallet: &Wallet,
    account: &BillingAccount,
    card: &str,
) -> Result<(), BillingError> {
    let subscriptions: Vec<&str> = wallet.subscriptions.iter().map(|subscription| subscription.id.as_str()).collect();
    let key = format!("pay-with-{card}-{}", account.version);
    Ok(provider.set_default_card(&key, &wallet.customer, &subscriptions, card).await?)
}

fn no_card() -> CommonError {
    CommonError::NotFound("payment method")
}

fn check_card_id(id: &str) -> Result<(), CommonError> {
    match is_card(id) {
        true => Ok(()),
        false => Err(CommonError::invalid("paymentMethodId", "This is no payment method.")),
    }
}

pub(super) fn is_card(id: &str) -> bool {
    is_id(id, "pm_") || is_id(id, "card_")
}
