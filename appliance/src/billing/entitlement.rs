//! Entitlements: whether a user has Pro, and until when, from Stripe's data and operators' grants alone. Pure
//! functions.

use chrono::{DateTime, TimeDelta, Utc};
use morpion_store::{BillingAccount, GrantRow, Pro, ProSource, SubscriptionRow};

use super::provider::{Invoice, Subscription};

/// How long Pro lasts after a renewal that was not paid.
pub const GRACE: TimeDelta = TimeDelta::days(7);

/// How long the payment of a renewal may be processed: a SEPA debit arrives within 14 days.
pub const PROCESSING_GRACE: TimeDelta = TimeDelta::days(14);

/// It has ended for good.
pub fn has_ended(status: &str) -> bool {
    matches!(status, "canceled" | "incomplete_expired")
}

/// It was paid at least once and has not ended.
pub fn is_running(status: &str) -> bool {
    !has_ended(status) && status != "incomplete"
}

/// A renewal was not paid.
pub fn is_past_due(status: &str) -> bool {
    matches!(status, "past_due" | "unpaid")
}

/// The subscription that counts: the one that gives Pro longest, otherwise the newest.
pub fn select(subscriptions: &[Subscription]) -> Option<&Subscription> {
    subscriptions.iter().max_by_key(|subscription| (pro_until(&to_row(subscription)), subscription.created))
}

/// The stored form of a subscription.
pub fn to_row(subscription: &Subscription) -> SubscriptionRow {
    SubscriptionRow {
        id: subscription.id.clone(),
        item: subscription.item.clone(),
        status: subscription.status.clone(),
        plan_id: subscription.plan_id,
        price_id: subscription.price_id.clone(),
        name: subscription.name.clone(),
        price: subscription.price,
        currency: subscription.currency.clone(),
        paid_until: paid_until(subscription),
        cancels: subscription.cancels,
        ended_at: subscription.ended_at,
        processing: subscription
            .latest_invoice
            .as_ref()
            .filter(|_| subscription.is_processing())
            .map(|invoice| invoice.id.clone()),
    }
}

/// Stripe starts a new period when it requests the payment, so until the newest invoice is paid, the paid time ended
/// with the previous period; the first one has no previous period.
fn paid_until(subscription: &Subscription) -> Option<DateTime<Utc>> {
    // The invoice of a change does not affect the paid time: until it is paid the change has not happened.
    let is_change = |invoice: &Invoice| invoice.reason == "subscription_update";
    let is_paid = subscription.latest_invoice.as_ref().is_none_or(|invoice| invoice.is_paid() || is_change(invoice));
    match subscription.status.as_str() {
        "incomplete" | "incomplete_expired" => None,
        _ if subscription.is_unpaid_purchase() => None,
        _ if is_paid => Some(subscription.period_end),
        _ => Some(subscription.period_start),
    }
}

/// The end of Pro by a subscription. One that will be renewed includes the grace period: so neither a late webhook nor
/// a server that was down takes Pro from a paying user.
pub fn pro_until(row: &SubscriptionRow) -> Option<DateTime<Utc>> {
    match row.status.as_str() {
        "active" | "trialing" | "past_due" if row.processing.is_some() => {
            row.paid_until.map(|end| end + PROCESSING_GRACE)
        }
        "active" | "trialing" if row.cancels => row.paid_until,
        "active" | "trialing" | "past_due" | "unpaid" => row.paid_until.map(|end| end + GRACE),
        _ => None,
    }
}

/// The paid plan: the grant or the subscription, whichever lasts longer.
pub fn pro(account: &BillingAccount) -> Option<Pro> {
    let granted = account.grant.as_ref();
    let granted = granted.map(|grant| Pro { source: ProSource::Grant, until: grant.until, plan_id: None });
    let paid = account.subscription.as_ref().and_then(|row| {
        Some(Pro { source: ProSource::Subscription, until: Some(pro_until(row)?), plan_id: row.plan_id })
    });
    match (paid, granted) {
        (Some(paid), Some(granted)) if granted.until.is_none_or(|until| paid.until < Some(until)) => Some(granted),
        (Some(paid), _) => Some(paid),
        (None, granted) => granted,
    }
}

/// What a user has of Pro at a moment, as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentPro {
    /// The subscription that gives Pro, or whose payment is being processed.
    pub subscription: Option<SubscriptionRow>,
    /// The grant that gives Pro.
    pub grant: Option<GrantRow>,
    is_paid: bool,
}

impl CurrentPro {
    pub fn of(account: &BillingAccount, now: DateTime<Utc>) -> Self {
        let gives_pro = |row: &SubscriptionRow| pro_until(row).is_some_and(|until| until > now);
        let is_shown = |row: &SubscriptionRow| gives_pro(row) || (row.processing.is_some() && !has_ended(&row.status));
        let grant = account.grant.clone().filter(|grant| grant.until.is_none_or(|until| until > now));
        Self {
            subscription: account.subscription.clone().filter(is_shown),
            grant,
            is_paid: account.subscription.as_ref().is_some_and(gives_pro),
        }
    }

    /// The subscription that gives Pro.
    fn paid(&self) -> Option<&SubscriptionRow> {
        self.subscription.as_ref().filter(|_| self.is_paid)
    }

    pub fn is_subscribed(&self) -> bool {
        self.is_paid || self.grant.is_some()
    }

    /// A payment was made and has not arrived yet.
    pub fn is_processing(&self) -> bool {
        self.subscription.as_ref().is_some_and(|row| row.processing.is_some())
    }

    /// When the subscription is renewed.
    pub fn next_payment(&self) -> Option<DateTime<Utc>> {
        let renews = |row: &&SubscriptionRow| !row.cancels && !is_past_due(&row.status) && row.processing.is_none();
        self.paid().filter(renews)?.paid_until
    }

    /// When Pro ends, where it is not renewed.
    pub fn ends_at(&self) -> Option<DateTime<Utc>> {
        match self.paid() {
            Some(row) if row.cancels => row.paid_until,
            Some(_) => None,
            None => self.grant.as_ref()?.until,
        }
    }

    /// Until when Pro lasts although a renewal was not paid.
    pub fn grace_until(&self) -> Option<DateTime<Utc>> {
        let owes = |row: &&SubscriptionRow| is_past_due(&row.status) && row.processing.is_none();
        self.paid().filter(owes).and_then(pro_until)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn day(day: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).unwrap() + TimeDelta::days(day)
    }

    /// One that was paid on day 0 for thirty days.
    fn subscription(status: &str, invoice: &str) -> Subscription {
        Subscription {
            id: "sub_1".to_owned(),
            item: "si_1".to_owned(),
            status: status.to_owned(),
            plan_id: Some(1),
            price_id: "price_1".to_owned(),
            name: "Monthly".to_owned(),
            price: 399,
            currency: "usd".to_owned(),
            created: day(0),
            period_start: day(0),
            period_end: day(30),
            cancels: false,
            ended_at: None,
            payment_method: None,
            payment: None,
            pending_price: None,
            latest_invoice: Some(Invoice {
                id: "in_1".to_owned(),
                status: invoice.to_owned(),
                reason: "subscription_cycle".to_owned(),
                subscription: Some("sub_1".to_owned()),
                total: 399,
                amount_paid: 0,
                currency: "usd".to_owned(),
                created: day(0),
                paid_at: None,
                attempts: 1,
                url: None,
                client_secret: None,
            }),
        }
    }

    fn account(subscription: &Subscription) -> BillingAccount {
        BillingAccount { subscription: Some(to_row(subscription)), ..BillingAccount::new(Uuid::nil()) }
    }

    #[test]
    fn a_paid_period_and_seven_days_are_pro() {
        let cases = [
            ("active", "paid", false, Some(37)),
            ("active", "paid", true, Some(30)),
            // The new period is asked for and not paid yet.
            ("active", "draft", false, Some(7)),
            ("active", "open", false, Some(7)),
            ("past_due", "open", false, Some(7)),
            ("unpaid", "open", false, Some(7)),
            ("incomplete", "open", false, None),
            ("incomplete_expired", "void", false, None),
            ("canceled", "paid", false, None),
            ("paused", "paid", false, None),
            ("something_new", "paid", false, None),
        ];
        for (status, invoice, cancels, until) in cases {
            let subscription = Subscription { cancels, ..subscription(status, invoice) };
            let pro = pro(&account(&subscription)).and_then(|pro| pro.until);
            assert_eq!(pro, until.map(day), "{status} {invoice} {cancels}");
        }
    }

    #[test]
    fn a_change_that_waits_or_was_given_up_takes_nothing() {
        for status in ["open", "void", "paid"] {
            let mut changing = subscription("active", status);
            changing.latest_invoice.as_mut().unwrap().reason = "subscription_update".to_owned();
            assert_eq!(pro(&account(&changing)).unwrap().until, Some(day(37)), "{status}");
        }
    }

    #[test]
    fn the_owner_is_told_what_comes_next() {
        let seen = |subscription: &Subscription, at| CurrentPro::of(&account(subscription), day(at));
        let running = seen(&subscription("active", "paid"), 1);
        assert!(running.is_subscribed() && running.grant.is_none());
        assert_eq!((running.next_payment(), running.ends_at()), (Some(day(30)), None));
        let ending = seen(&Subscription { cancels: true, ..subscription("active", "paid") }, 1);
        assert_eq!((ending.next_payment(), ending.ends_at()), (None, Some(day(30))));
        let owing = seen(&subscription("past_due", "open"), 1);
        assert_eq!((owing.next_payment(), owing.grace_until()), (None, Some(day(7))));
        let over = seen(&subscription("past_due", "open"), 8);
        assert_eq!((over.is_subscribed(), over.subscription), (false, None));
    }

    #[test]
    fn the_longer_of_grant_and_subscription_counts() {
        let grant = |until| Some(GrantRow { until, reason: "r".to_owned(), actor: "a".to_owned(), at: day(0) });
        let with = |until| BillingAccount { grant: grant(until), ..account(&subscription("active", "paid")) };
        assert_eq!(pro(&with(None)).unwrap().source, ProSource::Grant);
        assert_eq!(pro(&with(Some(day(90)))).unwrap().until, Some(day(90)));
        assert_eq!(pro(&with(Some(day(3)))).unwrap().until, Some(day(37)));
        let only = BillingAccount { grant: grant(Some(day(3))), ..BillingAccount::new(Uuid::nil()) };
        let shown = CurrentPro::of(&only, day(1));
        assert!(shown.is_subscribed() && shown.grant.is_some() && shown.ends_at() == Some(day(3)));
        assert!(!CurrentPro::of(&only, day(4)).is_subscribed());
    }

    #[test]
    fn of_many_the_one_that_gives_pro_counts() {
        let ended = Subscription { id: "sub_0".to_owned(), created: day(5), ..subscription("canceled", "paid") };
        let tried = Subscription { id: "sub_2".to_owned(), created: day(9), ..subscription("incomplete", "open") };
        let all = [ended.clone(), subscription("active", "paid"), tried.clone()];
        assert_eq!(select(&all).unwrap().id, "sub_1");
        assert_eq!(select(&[ended, tried]).unwrap().id, "sub_2");
        assert_eq!(select(&[]), None);
    }
}
