//! The tab of webhooks: who is told, what became of it, sending again.

use insta::assert_snapshot;
use morpion_openapi::{
    Acknowledgement, Timestamp,
    admin::{Overview, OverviewAnswer},
    webhook::{
        DeliveryState, ListDeliveries, ListWebhooks, ResendDelivery, TestWebhook, Webhook, WebhookDeliveriesAnswer,
        WebhookDelivery, WebhookDeliveryAnswer, WebhookKind, WebhooksAnswer,
    },
};
use morpion_tui::{
    calls::{Call, Reply},
    dialog::Dialog,
    event::{Effect, Event},
    net::command_error::{CommandError, FailureKind},
    tabs::TabId,
};
use uuid::Uuid;

use crate::{fixtures::*, screens::screen};

const SIZES: [(&str, (u16, u16)); 3] = [("least", (40, 12)), ("small", (80, 24)), ("large", (120, 36))];
const SIZE: (u16, u16) = (120, 30);
const MINUTE: i64 = 60_000;

fn ago(minutes: i64) -> Timestamp {
    Timestamp::from_millis(START - minutes * MINUTE)
}

fn hook(number: u32, url: &str) -> Webhook {
    Webhook {
        webhook_id: event_id(number),
        url: url.to_owned(),
        kinds: vec![WebhookKind::EventStarted, WebhookKind::EventConcluded],
        created_at: ago(i64::from(number) * 1_440),
        delivered_at: Some(ago(12)),
        failing_since: None,
        disabled_reason: None,
        waiting: 0,
    }
}

pub fn hooks() -> Vec<Webhook> {
    vec![
        hook(1, "https://club.example.org/hooks/morpion"),
        Webhook { failing_since: Some(ago(180)), waiting: 41, ..hook(2, "https://chat.example.net/services/T0/B1") },
        Webhook { disabled_reason: Some("It answered 410: gone.".to_owned()), ..hook(3, "https://old.example.com/in") },
        Webhook { delivered_at: None, kinds: vec![WebhookKind::BackupFailed], ..hook(4, "https://ops.example.org/") },
    ]
}

pub fn delivery(number: u32, state: DeliveryState) -> WebhookDelivery {
    WebhookDelivery {
        message_id: game_id(number),
        kind: "event.started".to_owned(),
        happened_at: ago(i64::from(number) * 7),
        state,
        attempts: 1,
        next_at: None,
        last_at: Some(ago(i64::from(number) * 7)),
        status: Some(204),
        answer: None,
        failure: None,
        payload: r#"{"type":"event.started","timestamp":"2026-11-21T09:53:00Z","data":{"title":"Friday Night"}}"#
            .to_owned(),
    }
}

pub fn deliveries() -> Vec<WebhookDelivery> {
    let refused = |number, state| WebhookDelivery {
        status: Some(503),
        answer: Some("Back in an hour".to_owned()),
        failure: Some("It answered 503.".to_owned()),
        ..delivery(number, state)
    };
    vec![
        WebhookDelivery {
            attempts: 4,
            next_at: Some(Timestamp::from_millis(START + 9 * MINUTE)),
            ..refused(1, DeliveryState::Waiting)
        },
        delivery(2, DeliveryState::Delivered),
        WebhookDelivery { attempts: 12, kind: "event.concluded".to_owned(), ..refused(3, DeliveryState::Failed) },
        WebhookDelivery {
            attempts: 0,
            last_at: None,
            status: None,
            kind: "webhook.test".to_owned(),
            ..delivery(4, DeliveryState::Discarded)
        },
    ]
}

pub fn with_hooks(size: (u16, u16), webhooks: Vec<Webhook>) -> Console {
    let mut console = Console::on_tab(size, 0);
    console.reply(ListWebhooks {}, Reply::ListWebhooks(WebhooksAnswer { webhooks, most: 20, is_sending: true }));
    console
}

fn page(number: u32) -> ListDeliveries {
    ListDeliveries { webhook_id: event_id(1), page: Some(number), limit: Some(100) }
}

/// What the newest webhook was sent.
pub fn with_deliveries(size: (u16, u16), webhooks: Vec<Webhook>, deliveries: Vec<WebhookDelivery>) -> Console {
    let mut console = with_hooks(size, webhooks);
    console.press("Enter");
    let pagination = page_of(deliveries.len() as u64);
    console.reply(page(1), Reply::ListDeliveries(WebhookDeliveriesAnswer { deliveries, pagination }));
    console
}

fn only_call(effects: &[Effect]) -> Call {
    let calls = calls(effects);
    let [call] = calls[..] else { panic!("one call, not {calls:?}") };
    call.clone()
}

fn said(console: &Console) -> String {
    console.app.toasts.iter().last().map(|toast| toast.text.clone()).unwrap_or_default()
}

fn title(console: &Console) -> &str {
    let Some(Dialog::Confirm(confirm)) = &console.app.dialog else { panic!("a confirmation") };
    &confirm.title
}

fn chosen(console: &Console) -> Option<Uuid> {
    console.app.tabs.webhooks.detail.as_ref()?.table.chosen().map(|delivery| delivery.message_id)
}

#[test]
fn the_tab_in_every_size() {
    for (name, size) in SIZES {
        assert_snapshot!(format!("{name}_webhooks"), screen(&with_hooks(size, hooks())));
        let mut console = with_deliveries(size, hooks(), deliveries());
        assert_snapshot!(format!("{name}_deliveries"), screen(&console));
        console.press("Enter");
        assert_snapshot!(format!("{name}_delivery"), screen(&console));
        console.press("n a");
        assert_snapshot!(format!("{name}_delivery_menu"), screen(&console));
    }
    assert_snapshot!("webhooks_none", screen(&with_hooks(SIZE, vec![])));
    assert_snapshot!("deliveries_none", screen(&with_deliveries(SIZE, hooks(), vec![])));
    let mut console = Console::on_tab(SIZE, 0);
    console.refuse(ListWebhooks {}, CommandError::new(FailureKind::NotAllowed, "This needs a token of scope all."));
    assert_snapshot!("webhooks_refused", screen(&console));
}

#[test]
fn the_header_names_the_tab_where_there_are_webhooks_and_marks_it_while_one_fails() {
    let tabs = |console: &Console| screen(console).lines().nth(1).expect("a line").to_owned();
    let mut console = Console::on_tab(SIZE, 1);
    console.reply(Overview {}, Reply::Overview(overview()));
    assert!(!tabs(&console).contains("Webhooks"), "{}", tabs(&console));
    let told = OverviewAnswer { webhooks: 2, ..overview() };
    console.reply(Overview {}, Reply::Overview(told.clone()));
    assert!(tabs(&console).contains(" 0 Webhooks "), "{}", tabs(&console));
    console.reply(Overview {}, Reply::Overview(OverviewAnswer { failing_webhooks: 1, ..told }));
    assert!(tabs(&console).contains(" 0 Webhooks! "), "{}", tabs(&console));
    console.now += 60_000;
    let asked = console.update(Event::Tick);
    assert!(!calls(&asked).iter().any(|call| matches!(call, Call::ListWebhooks(_))), "only while it is shown");
    let asked = console.press("0");
    assert_eq!(console.app.tab, TabId::Webhooks);
    assert!(calls(&asked).iter().any(|call| matches!(call, Call::ListWebhooks(_))));
}

#[test]
fn a_server_that_sends_nothing_says_so() {
    let mut console = Console::on_tab(SIZE, 0);
    let answer = WebhooksAnswer { webhooks: hooks(), most: 20, is_sending: false };
    console.reply(ListWebhooks {}, Reply::ListWebhooks(answer));
    assert!(screen(&console).contains("this server sends nothing"));
    assert!(!screen(&with_hooks(SIZE, hooks())).contains("sends nothing"));
}

#[test]
fn a_test_is_confirmed_and_sent() {
    let mut console = with_hooks(SIZE, hooks());
    assert!(calls(&console.press("t")).is_empty(), "asked first");
    assert_eq!(title(&console), "Send a test to club.example.org?");
    assert!(calls(&console.press("n")).is_empty() && console.app.dialog.is_none());
    let call = only_call(&console.press("a t y"));
    assert_eq!(call, Call::TestWebhook(TestWebhook { webhook_id: event_id(1) }));
    let effects = console.reply(call, Reply::TestWebhook(Acknowledgement {}));
    assert_eq!(said(&console), "The test is on its way.");
    assert!(calls(&effects).iter().any(|call| matches!(call, Call::ListWebhooks(_))), "the list is asked for again");

    console.press(":");
    console.type_text("test-webhook https://chat.example.net/services/T0/B1");
    console.press("Enter");
    let call = only_call(&console.press("y"));
    assert_eq!(call, Call::TestWebhook(TestWebhook { webhook_id: event_id(2) }));
    console.refuse(call, CommandError::new(FailureKind::Conflict, "It is already waiting to be sent."));
    assert!(screen(&console).contains("It is already waiting to be sent."));
}

#[test]
fn what_failed_is_sent_again() {
    let mut console = with_deliveries(SIZE, hooks(), deliveries());
    console.press("R");
    assert_eq!(said(&console), "It is already waiting to be sent.");
    console.press("j j");
    assert!(calls(&console.press("R")).is_empty(), "asked first");
    assert_eq!(title(&console), "Send event.concluded to club.example.org again?");
    let call = only_call(&console.press("y"));
    let (webhook_id, message_id) = (event_id(1), game_id(3));
    assert_eq!(call, Call::ResendDelivery(ResendDelivery { webhook_id, message_id }));
    let delivery = WebhookDelivery { attempts: 0, ..delivery(3, DeliveryState::Waiting) };
    let effects = console.reply(call, Reply::ResendDelivery(WebhookDeliveryAnswer { delivery }));
    assert_eq!((said(&console).as_str(), chosen(&console)), ("It will be sent again.", Some(message_id)));
    let found = console.app.tabs.webhooks.detail.as_ref().and_then(|detail| detail.table.chosen());
    assert_eq!(found.map(|delivery| delivery.state), Some(DeliveryState::Waiting));
    assert!(calls(&effects).contains(&&Call::ListDeliveries(page(1))), "{effects:?}");
    // Also from the delivery in full, and by its name.
    console.press("j Enter");
    console.press(":");
    console.type_text("resend-delivery");
    console.press("Enter");
    assert_eq!(title(&console), "Send webhook.test to club.example.org again?");
}

#[test]
fn deliveries_are_read_page_by_page_and_filtered() {
    let mut console = with_hooks(SIZE, hooks());
    assert_eq!(only_call(&console.press("Enter")), Call::ListDeliveries(page(1)));
    let pagination = morpion_openapi::Pagination { has_next_page: true, ..page_of(104) };
    let answer = WebhookDeliveriesAnswer { deliveries: deliveries(), pagination };
    console.reply(page(1), Reply::ListDeliveries(answer.clone()));
    assert!(screen(&console).contains("104 deliveries, the newest first, page 1"), "{}", screen(&console));
    assert_eq!(only_call(&console.press("Right")), Call::ListDeliveries(page(2)));
    console.reply(page(1), Reply::ListDeliveries(answer));
    let rest =
        WebhookDeliveriesAnswer { deliveries: vec![delivery(9, DeliveryState::Failed)], pagination: page_of(104) };
    console.reply(page(2), Reply::ListDeliveries(rest));
    assert_eq!(chosen(&console), Some(game_id(9)), "an answer for another page is not shown");
    assert_eq!(only_call(&console.press("Left")), Call::ListDeliveries(page(1)));

    let mut console = with_deliveries(SIZE, hooks(), deliveries());
    console.press("/");
    console.type_text("concluded 503");
    console.press("Enter");
    assert_eq!(chosen(&console), Some(game_id(3)));
    let shown = screen(&console);
    assert!(shown.contains("It answered 503. Back in an hour") && !shown.contains("webhook.test"), "{shown}");
    console.press("Enter");
    assert!(screen(&console).contains("Friday Night"), "the body");
    console.press("Escape Escape");
    assert!(console.app.tabs.webhooks.detail.is_some(), "the filter is dropped first");
    console.press("Escape");
    assert!(console.app.tabs.webhooks.detail.is_none());
}

#[test]
fn a_webhook_that_was_deleted_meanwhile_is_closed() {
    let mut console = with_deliveries(SIZE, hooks(), deliveries());
    console.refuse(page(1), CommandError::new(FailureKind::NotFound, "There is no such webhook."));
    assert!(console.app.tabs.webhooks.detail.is_none());
    assert_eq!(said(&console), "That webhook is gone.");
    let mut console = with_deliveries(SIZE, hooks(), deliveries());
    let webhooks = hooks().split_off(1);
    console.reply(ListWebhooks {}, Reply::ListWebhooks(WebhooksAnswer { webhooks, most: 20, is_sending: true }));
    assert!(console.app.tabs.webhooks.detail.is_none());
}

#[test]
fn addresses_and_ids_are_copied_and_nothing_is_sent_read_only() {
    let mut console = with_hooks(SIZE, hooks());
    assert_eq!(console.press("a u"), [Effect::Copy("https://club.example.org/hooks/morpion".to_owned())]);
    assert_eq!(console.press("a c"), [Effect::Copy(event_id(1).to_string())]);
    console.app.context.options.is_read_only = true;
    for keys in ["t", "Enter R"] {
        console.press(keys);
        assert!(console.app.dialog.is_none(), "{keys}");
    }
}
