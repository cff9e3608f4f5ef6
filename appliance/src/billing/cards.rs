//! Payment methods: added, selected, replaced and removed at any time.

use morpion_openapi::subscription as wire;
use morpion_rules::UserId;
use morpion_store::BillingAccount;
use uuid::Uuid;

use super::{
    Billing, entitlement, is_id,
    provider::{Card, Provider, Subscription},
};
use crate::{
    caller::Identity,
    error::{ApiError, ErrorKind},
};

/// Nobody needs more, and whoever tests stolen cards wants many.
const MAX_CARDS: usize = 10;

/// What happens to the other cards when one is added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardPlacement {
    Additional,
    /// It becomes the default.
    Default,
    /// It replaces this one, which is removed.
    Replacing(String),
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
    async fn open(provider: &Provider, customer: &str) -> Result<Self, ApiError> {
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
    /// 404 for a card that does not belong to this user; 422 for an invalid id.
    fn require_card(&self, card: &str) -> Result<(), ApiError> {
        if !is_card(card) {
            return Err(ApiError::invalid("paymentMethodId", "This is no payment method."));
        }
        match self.cards.iter().any(|known| known.id == card) {
            true => Ok(()),
            false => Err(no_card()),
        }
    }

    /// A subscription will be renewed.
    fn is_needed(&self) -> bool {
        self.subscriptions.iter().any(|subscription| !subscription.cancels)
    }

    fn into_wire(self) -> Vec<wire::PaymentMethod> {
        let Self { cards, default, .. } = self;
        let methods = cards.into_iter().map(|card| wire::PaymentMethod {
            is_default: Some(&card.id) == default.as_ref(),
            payment_method_id: card.id,
            brand: card.brand,
            last4: card.last4,
            expires: card.expires.map(|(month, year)| format!("{month:02}/{year}")),
        });
        methods.collect()
    }
}

impl Billing {
    /// # Errors
    /// 409 where payments are off; 503.
    pub async fn cards(&self, user: UserId) -> Result<Vec<wire::PaymentMethod>, ApiError> {
        let provider = self.provider()?;
        let Some(customer) = self.account(user).await?.customer else { return Ok(Vec::new()) };
        Ok(Wallet::open(provider, &customer).await?.into_wire())
    }

    /// Starts adding a card: returns the secret with which the browser continues.
    ///
    /// # Errors
    /// 409 where payments are off, or so many are kept already; 503.
    pub async fn begin_card_setup(&self, identity: &Identity) -> Result<String, ApiError> {
        let provider = self.provider()?;
        let user = identity.user_id;
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        let customer = match account.customer.clone() {
            Some(customer) => {
                if provider.cards(&customer).await?.len() >= MAX_CARDS {
                    let text = format!("You keep {MAX_CARDS} payment methods already. Remove one first.");
                    return Err(ApiError::conflict("too-many-cards", text));
                }
                customer
            }
            None => self.new_customer(&mut account, provider).await?,
        };
        Ok(provider.create_setup_intent(&format!("setup-{}", Uuid::new_v4()), &customer).await?)
    }

    async fn new_customer(&self, account: &mut BillingAccount, provider: &Provider) -> Result<String, ApiError> {
        let email = self.store.user(account.user_id).await?.and_then(|user| user.email);
        // At worst a crash here leaves a customer without subscriptions.
        let key = format!("customer-{}", Uuid::new_v4());
        let made = provider.create_customer(&key, &account.user_id.to_string(), email.as_deref()).await?;
        account.customer = Some(made.clone());
        account.live = self.is_live;
        self.save(account, &[], None).await?;
        Ok(made)
    }

    /// Completes adding a card. Stripe is asked whether it was added, and for whom. Returns all cards.
    ///
    /// # Errors
    /// 402 unless it was added; 403 for somebody else's; 404; 409; 422; 503.
    pub async fn add_card(
        &self,
        user: UserId,
        setup_id: &str,
        placement: CardPlacement,
    ) -> Result<Vec<wire::PaymentMethod>, ApiError> {
        let provider = self.provider()?;
        if !is_id(setup_id, "seti_") {
            return Err(ApiError::invalid("setupIntentId", "This is no setup of a payment method."));
        }
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        let setup = provider.setup_intent(setup_id).await?;
        let Some(customer) = account.customer.clone().filter(|customer| setup.customer.as_ref() == Some(customer))
        else {
            return Err(ApiError::forbidden("This payment method is somebody else's."));
        };
        let card = match (setup.status.as_str(), setup.method) {
            ("succeeded", Some(card)) => card,
            ("processing", _) => {
                let text = "Your bank is still checking this. Please try again in a moment.";
                return Err(ApiError::conflict("card-processing", text));
            }
            _ => {
                let text = "The payment method was not added. Please try again.";
                return Err(ApiError::new(ErrorKind::PlanRequired, "not-added", text));
            }
        };
        let wallet = Wallet::open(provider, &customer).await?;
        wallet.require_card(&card)?;
        let is_default = match &placement {
            CardPlacement::Additional => wallet.default.is_none(),
            CardPlacement::Default => true,
            CardPlacement::Replacing(old) if *old == card => return Ok(wallet.into_wire()),
            CardPlacement::Replacing(old) => {
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
        Ok(Wallet::open(provider, &customer).await?.into_wire())
    }

    /// Makes this card the default; returns all cards.
    ///
    /// # Errors
    /// 404 for a card that is not this person's; 409; 422; 503.
    pub async fn set_default_card(&self, user: UserId, card: &str) -> Result<Vec<wire::PaymentMethod>, ApiError> {
        let (provider, _lock) = (self.provider()?, self.lock_account(user).await?);
        let (mut account, wallet) = self.wallet(user, card).await?;
        let customer = wallet.customer.clone();
        set_default(provider, &wallet, &account, card).await?;
        let entry = self.entry(format!("card-chosen:{card}:{}", account.version), "card-chosen", card.to_owned());
        self.save(&mut account, &[entry], None).await?;
        Ok(Wallet::open(provider, &customer).await?.into_wire())
    }

    /// Removes a card, unless the subscription will be renewed with it.
    ///
    /// # Errors
    /// 404 for a card that is not this person's; 409; 422; 503.
    pub async fn remove_card(&self, user: UserId, card: &str) -> Result<(), ApiError> {
        let (provider, _lock) = (self.provider()?, self.lock_account(user).await?);
        let (_, wallet) = self.wallet(user, card).await?;
        if wallet.is_needed() && wallet.cards.len() == 1 {
            let text = "Your plan needs a payment method, and this is the only one. Add another one first, replace it, \
                or cancel the plan.";
            return Err(ApiError::conflict("card-in-use", text));
        }
        if wallet.is_needed() && wallet.default.as_deref() == Some(card) {
            let text = "Your plan is paid with this payment method. Make another one the default first, or cancel the \
                plan.";
            return Err(ApiError::conflict("card-in-use", text));
        }
        Ok(provider.detach_card(&format!("detach-{card}"), card).await?)
    }

    async fn wallet(&self, user: UserId, card: &str) -> Result<(BillingAccount, Wallet), ApiError> {
        if !is_card(card) {
            return Err(ApiError::invalid("paymentMethodId", "This is no payment method."));
        }
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
) -> Result<(), ApiError> {
    let subscriptions: Vec<&str> = wallet.subscriptions.iter().map(|subscription| subscription.id.as_str()).collect();
    let key = format!("pay-with-{card}-{}", account.version);
    Ok(provider.set_default_card(&key, &wallet.customer, &subscriptions, card).await?)
}

fn no_card() -> ApiError {
    ApiError::not_found("payment method")
}

fn is_card(id: &str) -> bool {
    is_id(id, "pm_") || is_id(id, "card_")
}
