//! What somebody pays with: added, chosen, replaced and removed at any time.

use morpion_openapi::subscription as wire;
use morpion_rules::UserId;
use morpion_store::BillingAccount;
use uuid::Uuid;

use super::{
    Billing, is_id,
    provider::{Card, Provider, Subscription},
    standing,
};
use crate::{
    caller::Identity,
    error::{ApiError, ErrorKind},
};

/// Nobody needs more, and whoever tries stolen cards wants many.
const MOST_CARDS: usize = 10;

/// What becomes of the others when a card is added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Beside,
    /// It pays from now on.
    Default,
    /// It takes the place of this one, which is not kept any more.
    Of(String),
}

/// What a customer has at Stripe, as far as cards go.
struct Wallet {
    customer: String,
    cards: Vec<Card>,
    /// Pays what comes next.
    default: Option<String>,
    /// That are not over.
    subscriptions: Vec<Subscription>,
}

impl Wallet {
    async fn open(provider: &Provider, customer: &str) -> Result<Self, ApiError> {
        let cards = provider.cards(customer).await?;
        let mut subscriptions = provider.subscriptions(customer).await?;
        subscriptions.retain(|told| standing::is_running(&told.status));
        let default = match subscriptions.iter().find_map(|told| told.payment_method.clone()) {
            Some(card) => Some(card),
            None => provider.default_card(customer).await?,
        };
        Ok(Self { customer: customer.to_owned(), cards, default, subscriptions })
    }

    /// # Errors
    /// 404 for a card that is not this person's; 422 for what is no card at all.
    fn find(&self, card: &str) -> Result<(), ApiError> {
        if !is_card(card) {
            return Err(ApiError::invalid("paymentMethodId", "This is no payment method."));
        }
        match self.cards.iter().any(|known| known.id == card) {
            true => Ok(()),
            false => Err(no_card()),
        }
    }

    /// Something is renewed, and has to be paid.
    fn is_needed(&self) -> bool {
        self.subscriptions.iter().any(|told| !told.cancels)
    }

    fn told(self) -> Vec<wire::PaymentMethod> {
        let Self { cards, default, .. } = self;
        let told = cards.into_iter().map(|card| wire::PaymentMethod {
            is_default: Some(&card.id) == default.as_ref(),
            payment_method_id: card.id,
            brand: card.brand,
            last4: card.last4,
            expires: card.expires.map(|(month, year)| format!("{month:02}/{year}")),
        });
        told.collect()
    }
}

impl Billing {
    /// # Errors
    /// 409 where payments are off; 503.
    pub async fn cards(&self, user: UserId) -> Result<Vec<wire::PaymentMethod>, ApiError> {
        let provider = self.provider()?;
        let Some(customer) = self.account(user).await?.customer else { return Ok(Vec::new()) };
        Ok(Wallet::open(provider, &customer).await?.told())
    }

    /// Begins to add a card: answers the secret with which the browser goes on.
    ///
    /// # Errors
    /// 409 where payments are off, or so many are kept already; 503.
    pub async fn begin_card(&self, identity: &Identity) -> Result<String, ApiError> {
        let provider = self.provider()?;
        let user = identity.user_id;
        let _turn = self.turn(user).await?;
        let mut account = self.account(user).await?;
        let customer = match account.customer.clone() {
            Some(customer) => {
                if provider.cards(&customer).await?.len() >= MOST_CARDS {
                    let text = format!("You keep {MOST_CARDS} payment methods already. Remove one first.");
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
        // A crash here leaves a customer without anything, at worst.
        let key = format!("customer-{}", Uuid::new_v4());
        let made = provider.create_customer(&key, &account.user_id.to_string(), email.as_deref()).await?;
        account.customer = Some(made.clone());
        account.live = self.is_live;
        self.save(account, &[], None).await?;
        Ok(made)
    }

    /// A browser says that it added a card. Stripe is asked whether it did, and for whom. Answers all cards.
    ///
    /// # Errors
    /// 402 unless it was added; 403 for somebody else's; 404; 409; 422; 503.
    pub async fn add_card(
        &self,
        user: UserId,
        setup_id: &str,
        place: Place,
    ) -> Result<Vec<wire::PaymentMethod>, ApiError> {
        let provider = self.provider()?;
        if !is_id(setup_id, "seti_") {
            return Err(ApiError::invalid("setupIntentId", "This is no setup of a payment method."));
        }
        let _turn = self.turn(user).await?;
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
        wallet.find(&card)?;
        let is_default = match &place {
            Place::Beside => wallet.default.is_none(),
            Place::Default => true,
            Place::Of(old) if *old == card => return Ok(wallet.told()),
            Place::Of(old) => {
                wallet.find(old)?;
                wallet.default.is_none() || wallet.default.as_ref() == Some(old)
            }
        };
        if is_default {
            pay_with(provider, &wallet, &account, &card).await?;
        }
        if let Place::Of(old) = &place {
            provider.detach_card(&format!("detach-{old}"), old).await?;
        }
        let kind = if matches!(place, Place::Of(_)) { "card-replaced" } else { "card-added" };
        let entry = self.entry(format!("card:{setup_id}"), kind, card);
        self.save(&mut account, &[entry], None).await?;
        Ok(Wallet::open(provider, &customer).await?.told())
    }

    /// Has everything be paid with this card from now on; answers all cards.
    ///
    /// # Errors
    /// 404 for a card that is not this person's; 409; 422; 503.
    pub async fn choose_card(&self, user: UserId, card: &str) -> Result<Vec<wire::PaymentMethod>, ApiError> {
        let (provider, _turn) = (self.provider()?, self.turn(user).await?);
        let (mut account, wallet) = self.wallet(user, card).await?;
        let customer = wallet.customer.clone();
        pay_with(provider, &wallet, &account, card).await?;
        let entry = self.entry(format!("card-chosen:{card}:{}", account.version), "card-chosen", card.to_owned());
        self.save(&mut account, &[entry], None).await?;
        Ok(Wallet::open(provider, &customer).await?.told())
    }

    /// Removes a card, unless the subscription will be renewed with it.
    ///
    /// # Errors
    /// 404 for a card that is not this person's; 409; 422; 503.
    pub async fn remove_card(&self, user: UserId, card: &str) -> Result<(), ApiError> {
        let (provider, _turn) = (self.provider()?, self.turn(user).await?);
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
        wallet.find(card)?;
        Ok((account, wallet))
    }
}

/// One key a wish: the version goes up whenever anything is stored.
async fn pay_with(provider: &Provider, wallet: &Wallet, account: &BillingAccount, card: &str) -> Result<(), ApiError> {
    let subscriptions: Vec<&str> = wallet.subscriptions.iter().map(|told| told.id.as_str()).collect();
    let key = format!("pay-with-{card}-{}", account.version);
    Ok(provider.set_default_card(&key, &wallet.customer, &subscriptions, card).await?)
}

fn no_card() -> ApiError {
    ApiError::not_found("payment method")
}

fn is_card(id: &str) -> bool {
    is_id(id, "pm_") || is_id(id, "card_")
}
