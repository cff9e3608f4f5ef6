//! The resource `subscription`: `docs/behaviour/payments.md`.

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement, PageRequest,
    subscription::{
        AddPaymentMethod, CancelSubscription, ChangePlan, CreateSetupIntent, CreateSubscriptionItem,
        CreateSubscriptionItemAnswer, FinishPlanChange, GetPlans, GetStripekey, GetSubscription, InvoicesAnswer,
        ListInvoices, PaymentMethodsAnswer, PlansAnswer, ResumeSubscription, SetDefaultPaymentMethod,
        SetupIntentAnswer, StripeKeyAnswer, Subscribe, SubscriptionAnswer, SubscriptionRead, SubscriptionWrite,
    },
};
use morpion_rules::UserId;
use uuid::Uuid;

use super::{
    ApiError,
    convert::billing,
    resource::{Reply, Resource, reply},
};
use crate::{
    account::limits::RateLimit,
    app::App,
    billing::{cards::CardPlacement, changes::PlanChange, entitlement::CurrentPro},
    caller::{Call, Identity},
};

/// Default number of invoices of a page.
const DEFAULT_PAGE: u32 = 20;

pub struct SubscriptionResource(pub Arc<App>);

impl Resource for SubscriptionResource {
    type Reads = SubscriptionRead;
    type Writes = SubscriptionWrite;
    const IDS: (&'static str, &'static str) = ("readSubscription", "writeSubscription");

    async fn read(&self, call: Call, action: SubscriptionRead) -> Result<Reply, ApiError> {
        match action {
            SubscriptionRead::GetSubscription(_) => reply::<GetSubscription>(self.get(&call).await),
            SubscriptionRead::GetStripekey(_) => reply::<GetStripekey>(self.key(&call)),
            SubscriptionRead::GetPlans(_) => reply::<GetPlans>(Ok(self.plans())),
            SubscriptionRead::ListInvoices(payload) => reply::<ListInvoices>(self.invoices(&call, payload).await),
        }
    }

    async fn write(&self, call: Call, action: SubscriptionWrite) -> Result<Reply, ApiError> {
        match action {
            SubscriptionWrite::Subscribe(payload) => reply::<Subscribe>(self.subscribe(&call, payload).await),
            SubscriptionWrite::CreateSubscriptionItem(payload) => {
                reply::<CreateSubscriptionItem>(self.begin(&call, payload).await)
            }
            SubscriptionWrite::CancelSubscription(payload) => {
                reply::<CancelSubscription>(self.cancel(&call, payload).await)
            }
            SubscriptionWrite::ResumeSubscription(_) => reply::<ResumeSubscription>(self.resume(&call).await),
            SubscriptionWrite::ChangePlan(payload) => reply::<ChangePlan>(self.change(&call, payload).await),
            SubscriptionWrite::FinishPlanChange(payload) => {
                reply::<FinishPlanChange>(self.finish_change(&call, payload).await)
            }
            SubscriptionWrite::CreateSetupIntent(_) => reply::<CreateSetupIntent>(self.begin_card_setup(&call).await),
            SubscriptionWrite::AddPaymentMethod(payload) => {
                reply::<AddPaymentMethod>(self.add_card(&call, payload).await)
            }
            SubscriptionWrite::SetDefaultPaymentMethod(payload) => {
                reply::<SetDefaultPaymentMethod>(self.choose_card(&call, payload).await)
            }
        }
    }
}

impl SubscriptionResource {
    async fn get(&self, call: &Call) -> Result<SubscriptionAnswer, ApiError> {
        let user = call.caller.user()?.user_id;
        subscription_answer(&self.0, user, self.0.billing.subscription(user).await?).await
    }

    fn key(&self, call: &Call) -> Result<StripeKeyAnswer, ApiError> {
        call.caller.user()?;
        let (publishable_key, api_base) = self.0.billing.form_key()?;
        Ok(StripeKeyAnswer { publishable_key, api_base })
    }

    /// For visitors too: prices are public.
    fn plans(&self) -> PlansAnswer {
        let (sold, plans) = (&self.0.billing, &self.0.config.plans);
        PlansAnswer {
            plans: sold.plans().iter().map(billing::plan).collect(),
            configured: sold.is_on(),
            from_price: sold.cheapest_plan().map(billing::from_price),
            benefits: plans.benefits.clone(),
            free_events_per_month: plans.free_events_per_month,
        }
    }

    async fn invoices(&self, call: &Call, payload: ListInvoices) -> Result<InvoicesAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, DEFAULT_PAGE);
        let user = reader(&self.0, call)?.user_id;
        let (invoices, total) = self.0.billing.invoices(user, page.offset(), page.limit as usize).await?;
        Ok(InvoicesAnswer {
            invoices: invoices.into_iter().map(billing::invoice).collect(),
            pagination: page.pagination(total),
        })
    }

    async fn begin(
        &self,
        call: &Call,
        payload: CreateSubscriptionItem,
    ) -> Result<CreateSubscriptionItemAnswer, ApiError> {
        let identity = payer(&self.0, call, payload.user)?;
        check_card_form(&self.0, call, identity)?;
        Ok(CreateSubscriptionItemAnswer { client_secret: self.0.billing.begin(identity, &payload.plan_id).await? })
    }

    async fn subscribe(&self, call: &Call, payload: Subscribe) -> Result<SubscriptionAnswer, ApiError> {
        let user = payer(&self.0, call, payload.user)?.user_id;
        let Subscribe { payment_intent_id, plan_id, payment_method_id, .. } = payload;
        let bought = self.0.billing.confirm(user, (&payment_intent_id, &plan_id, &payment_method_id)).await?;
        change_answer(&self.0, user, bought).await
    }

    async fn cancel(&self, call: &Call, payload: CancelSubscription) -> Result<Acknowledgement, ApiError> {
        self.0.billing.cancel(payer(&self.0, call, None)?.user_id, payload.plan_id.as_deref()).await?;
        Ok(Acknowledgement {})
    }

    async fn resume(&self, call: &Call) -> Result<SubscriptionAnswer, ApiError> {
        let user = payer(&self.0, call, None)?.user_id;
        subscription_answer(&self.0, user, self.0.billing.resume(user).await?).await
    }

    async fn change(&self, call: &Call, payload: ChangePlan) -> Result<SubscriptionAnswer, ApiError> {
        let user = payer(&self.0, call, None)?.user_id;
        let changed = self.0.billing.change_plan(user, &payload.plan_id).await?;
        change_answer(&self.0, user, changed).await
    }

    async fn finish_change(&self, call: &Call, payload: FinishPlanChange) -> Result<SubscriptionAnswer, ApiError> {
        let user = payer(&self.0, call, None)?.user_id;
        let changed = self.0.billing.finish_change(user, &payload.plan_id).await?;
        change_answer(&self.0, user, changed).await
    }

    async fn begin_card_setup(&self, call: &Call) -> Result<SetupIntentAnswer, ApiError> {
        let identity = payer(&self.0, call, None)?;
        check_card_form(&self.0, call, identity)?;
        Ok(SetupIntentAnswer { client_secret: self.0.billing.begin_card_setup(identity).await? })
    }

    async fn add_card(&self, call: &Call, payload: AddPaymentMethod) -> Result<PaymentMethodsAnswer, ApiError> {
        let user = payer(&self.0, call, None)?.user_id;
        let AddPaymentMethod { setup_intent_id, make_default, replaces } = payload;
        let placement = match replaces {
            Some(card) => CardPlacement::Replacing(card),
            None if make_default == Some(true) => CardPlacement::Default,
            None => CardPlacement::Additional,
        };
        Ok(billing::payment_methods(self.0.billing.add_card(user, &setup_intent_id, placement).await?))
    }

    async fn choose_card(
        &self,
        call: &Call,
        payload: SetDefaultPaymentMethod,
    ) -> Result<PaymentMethodsAnswer, ApiError> {
        let user = payer(&self.0, call, None)?.user_id;
        Ok(billing::payment_methods(self.0.billing.set_default_card(user, &payload.payment_method_id).await?))
    }
}

/// The signed-in person of a read that may ask the payment provider, which is counted.
///
/// # Errors
/// 401, 403; 429 for too many calls of this account, or of this address.
pub(super) fn reader<'a>(app: &App, call: &'a Call) -> Result<&'a Identity, ApiError> {
    let identity = call.caller.user()?;
    let limits = app.accounts.limits();
    limits.check(RateLimit::Payment, identity.user_id)?;
    limits.check(RateLimit::PaymentOfAddress, call.address)?;
    Ok(identity)
}

/// As [`reader`], for what guests cannot do.
pub(super) fn payer<'a>(app: &App, call: &'a Call, named: Option<Uuid>) -> Result<&'a Identity, ApiError> {
    call.caller.member(named)?;
    reader(app, call)
}

/// Counts a form in which a card can be entered, before the payment provider makes it.
fn check_card_form(app: &App, call: &Call, identity: &Identity) -> Result<(), ApiError> {
    let limits = app.accounts.limits();
    limits.check(RateLimit::CardForm, identity.user_id)?;
    Ok(limits.check(RateLimit::CardFormOfAddress, call.address)?)
}

async fn change_answer(app: &App, user: UserId, changed: PlanChange) -> Result<SubscriptionAnswer, ApiError> {
    let (status, client_secret) = billing::payment(changed.payment);
    let answer = subscription_answer(app, user, changed.pro).await?;
    Ok(SubscriptionAnswer { payment_status: Some(status), client_secret, ..answer })
}

/// A subscription with what is left of the free plan.
pub(super) async fn subscription_answer(
    app: &App,
    user: UserId,
    pro: CurrentPro,
) -> Result<SubscriptionAnswer, ApiError> {
    let free = if pro.is_subscribed() { None } else { Some(app.events.free_events(user).await?) };
    Ok(SubscriptionAnswer {
        subscription: billing::subscription(pro),
        payment_status: None,
        client_secret: None,
        free_events_used: free.map(|free| free.used),
        free_events_limit: free.map(|free| free.limit),
        free_events_reset_at: free.map(|free| free.reset_at.into()),
    })
}
