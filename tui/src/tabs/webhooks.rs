//! The webhooks, what their receivers were sent, one delivery in full, and what can be done about it. Where there is no webhook
//! the header leaves the tab out.

mod rows;
mod view;

use crossterm::event::KeyCode;
use morpion_openapi::{
    PageRequest,
    webhook::{DeliveryState, ListDeliveries, ListWebhooks, ResendDelivery, TestWebhook, Webhook, WebhookDelivery},
};
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    escape, webhook,
};
use ratatui::{Frame, layout::Rect};
use uuid::Uuid;

use super::{CommandLine, Request, Tab, TabId};
use crate::{
    actions::Action,
    calls::{Call, Reply},
    context::Context,
    dialog::{
        Dialog,
        confirm::ConfirmDialog,
        menu::{Menu, MenuItem},
        palette::{Argument, PaletteCommand, command},
    },
    fetch::{Fetch, Pager},
    hit_testing::ClickTargets,
    keymap::{KeyAction, Keys, bind, char, ctrl, key},
    list::{DataTable, List},
    theme::Theme,
};

#[rustfmt::skip] // One row a line.
const KEYS: Keys = Keys { title: "Webhooks", has_list: true, bindings: &[
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "what the chosen webhook was sent", "open"),
    bind(&[char('t')], KeyAction::Test, "send it a test", "test"),
    bind(&[char('a')], KeyAction::Menu, "send it a test, copy its address or its id", "act"),
]};

#[rustfmt::skip] // One row a line.
const DELIVERY_KEYS: Keys = Keys { title: "Deliveries", has_list: true, bindings: &[
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "the chosen delivery in full", "open"),
    bind(&[char('R')], KeyAction::Resend, "send the chosen one again", "resend"),
    bind(&[char('t')], KeyAction::Test, "send the webhook a test", "test"),
    bind(&[char('a')], KeyAction::Menu, "send it again, send a test, copy its id", "act"),
    bind(&[key(KeyCode::Right), char('l')], KeyAction::Right, "older deliveries", ""),
    bind(&[key(KeyCode::Left), char('h')], KeyAction::Left, "newer deliveries", ""),
]};

#[rustfmt::skip] // One row a line.
const MESSAGE_KEYS: Keys = Keys { title: "Delivery", has_list: false, bindings: &[
    bind(&[char('j'), key(KeyCode::Down)], KeyAction::Down, "scroll down", ""),
    bind(&[char('k'), key(KeyCode::Up)], KeyAction::Up, "scroll up", ""),
    bind(&[key(KeyCode::PageDown), ctrl('d')], KeyAction::PageDown, "a page down", ""),
    bind(&[key(KeyCode::PageUp), ctrl('u')], KeyAction::PageUp, "a page up", ""),
    bind(&[char('R')], KeyAction::Resend, "send it again", "resend"),
    bind(&[char('a')], KeyAction::Menu, "send it again, send a test, copy its id", "act"),
    bind(&[char('n'), key(KeyCode::Right)], KeyAction::Right, "the next delivery", "next"),
    bind(&[char('p'), key(KeyCode::Left)], KeyAction::Left, "the one before", "previous"),
]};

const POLL_MS: i64 = 10_000;

#[derive(Debug, Default)]
pub struct Webhooks {
    pub table: DataTable<Webhook>,
    pub fetch: Fetch,
    /// The server sends nothing, as in a drill.
    is_silent: bool,
    pub detail: Option<Deliveries>,
    /// How many there are, as the overview has it.
    count: u64,
    /// How many of them accept nothing or are disabled, as the overview has it.
    failing: u64,
}

/// What one webhook was sent.
#[derive(Debug)]
pub struct Deliveries {
    webhook_id: Uuid,
    pub table: DataTable<WebhookDelivery>,
    pub fetch: Fetch,
    pub page: Pager,
    /// The chosen delivery is shown in full, from this line on.
    pub full: Option<u16>,
}

impl Deliveries {
    fn of(webhook_id: Uuid) -> Self {
        Self { webhook_id, table: DataTable::default(), fetch: Fetch::default(), page: Pager::default(), full: None }
    }

    fn call(&self) -> ListDeliveries {
        let (page, limit) = (Some(self.page.number), Some(PageRequest::MAX_LIMIT));
        ListDeliveries { webhook_id: self.webhook_id, page, limit }
    }

    /// Turns the page, or shows the delivery beside the one that is shown.
    fn turn(&mut self, forward: bool) {
        if let Some(line) = &mut self.full {
            *line = 0;
            self.table.step(if forward { 1 } else { -1 });
        } else if self.page.turn(forward) {
            self.fetch.expire();
        }
    }

    fn menu(&self) -> Option<Menu> {
        let delivery = self.table.chosen()?;
        let mut items = vec![];
        if delivery.state != DeliveryState::Waiting {
            let resend = Action::ResendDelivery(self.webhook_id, delivery.message_id);
            items.push(MenuItem::new('r', "send it again", resend));
        }
        items.push(MenuItem::new('t', "send the webhook a test", Action::TestWebhook(self.webhook_id)));
        items.push(MenuItem::new('c', "copy its id", Action::Copy(delivery.message_id.to_string())));
        Some(Menu::new(delivery.kind.clone(), items))
    }
}

/// The server that a webhook tells: the rest of its address may be long.
fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or(url)
}

impl Webhooks {
    /// The one whose deliveries are shown, or else the chosen one.
    fn meant(&self) -> Option<Uuid> {
        let shown = self.detail.as_ref().map(|detail| detail.webhook_id);
        shown.or_else(|| self.table.chosen().map(|hook| hook.webhook_id))
    }

    /// The server of the one with this id, as the list has it.
    fn host_of(&self, webhook_id: Uuid) -> String {
        self.table.get(&webhook_id).map_or_else(|| webhook_id.to_string(), |hook| host(&hook.url).to_owned())
    }

    /// The one that a line names, or else the one that is meant.
    fn named(&self, argument: &str) -> Result<Uuid, String> {
        if argument.is_empty() {
            return self.meant().ok_or_else(|| "Name a webhook: its address, or its id.".to_owned());
        }
        if !self.fetch.is_loaded {
            return Err("The webhooks are not known yet; :webhooks shows them.".to_owned());
        }
        webhook::named(self.table.rows(), argument).map_err(|error| error.text)
    }

    fn confirm_test(&self, webhook_id: Uuid) -> ConfirmDialog {
        let host = self.host_of(webhook_id);
        let meaning = "It gets a message of the type webhook.test, which is sent only once.";
        ConfirmDialog::new(format!("Send a test to {host}?"), vec![meaning.to_owned()], "The test is on its way.")
            .step(host, TestWebhook { webhook_id })
    }

    fn confirm_resending(&self, webhook_id: Uuid, message_id: Uuid) -> ConfirmDialog {
        let host = self.host_of(webhook_id);
        let detail = self.detail.as_ref();
        let kind = detail.and_then(|detail| detail.table.get(&message_id)).map_or("it", |found| found.kind.as_str());
        let meaning = "With the same id and body. The receiver may have it already.";
        let title = format!("Send {kind} to {host} again?");
        ConfirmDialog::new(title, vec![meaning.to_owned()], "It will be sent again.")
            .step(host, ResendDelivery { webhook_id, message_id })
    }

    fn resend_chosen(&self) -> Vec<Request> {
        let chosen = self.detail.as_ref().and_then(|detail| Some((detail.webhook_id, detail.table.chosen()?)));
        let request = match chosen {
            Some((_, delivery)) if delivery.state == DeliveryState::Waiting => {
                Request::warn("It is already waiting to be sent.")
            }
            Some((webhook_id, delivery)) => Request::Perform(Action::ResendDelivery(webhook_id, delivery.message_id)),
            None => Request::warn("Choose a delivery first."),
        };
        vec![request]
    }

    /// Everything is due again.
    fn changed(&mut self) -> Vec<Request> {
        self.expire();
        vec![Request::Poll]
    }

    /// It was deleted by somebody else.
    fn is_gone(&mut self) -> Vec<Request> {
        self.detail = None;
        self.fetch.expire();
        vec![Request::warn("That webhook is gone."), Request::Poll]
    }
}

impl Tab for Webhooks {
    fn title(&self) -> &'static str {
        "Webhooks"
    }

    fn keys(&self) -> &'static Keys {
        match &self.detail {
            None => &KEYS,
            Some(Deliveries { full: None, .. }) => &DELIVERY_KEYS,
            Some(_) => &MESSAGE_KEYS,
        }
    }

    fn modes(&self) -> &'static [&'static Keys] {
        &[&KEYS, &DELIVERY_KEYS, &MESSAGE_KEYS]
    }

    fn commands(&self) -> &'static [PaletteCommand] {
        const {
            &[
                command("webhooks", Argument::None, "which servers are told of what happens"),
                command("webhook", Argument::Webhook, "what a webhook was sent"),
                command("test-webhook", Argument::Webhook, "send a test to a webhook"),
                command("resend-delivery", Argument::None, "send the chosen delivery again"),
            ]
        }
    }

    fn run(&mut self, line: CommandLine<'_>, _context: &Context) -> Result<Vec<Request>, String> {
        match line.name {
            "webhook" => self.detail = Some(Deliveries::of(self.named(line.argument)?)),
            "test-webhook" => return Ok(vec![Request::Perform(Action::TestWebhook(self.named(line.argument)?))]),
            "resend-delivery" => return Ok(self.resend_chosen()),
            _ => self.detail = None,
        }
        Ok(vec![Request::ShowTab(TabId::Webhooks)])
    }

    fn suggestions(&self, argument: Argument) -> Vec<String> {
        match argument {
            Argument::Webhook => self.table.rows().iter().map(|hook| hook.url.clone()).collect(),
            _ => vec![],
        }
    }

    fn list(&self) -> Option<&dyn List> {
        match &self.detail {
            None => Some(&self.table),
            Some(detail) if detail.full.is_none() => Some(&detail.table),
            Some(_) => None,
        }
    }

    fn list_mut(&mut self) -> Option<&mut dyn List> {
        match &mut self.detail {
            None => Some(&mut self.table),
            Some(detail) if detail.full.is_none() => Some(&mut detail.table),
            Some(_) => None,
        }
    }

    fn step(&mut self, by: isize, _context: &Context) -> Vec<Request> {
        match &mut self.detail {
            Some(Deliveries { full: Some(line), .. }) => {
                *line = line.saturating_add_signed(by.clamp(i16::MIN.into(), i16::MAX.into()) as i16);
            }
            Some(detail) => detail.table.step(by),
            None => self.table.step(by),
        }
        vec![]
    }

    fn key(&mut self, action: KeyAction, _context: &Context) -> Vec<Request> {
        match action {
            KeyAction::Open => match &mut self.detail {
                Some(detail) => detail.full = detail.table.chosen().map(|_| 0),
                None => self.detail = self.table.chosen().map(|hook| Deliveries::of(hook.webhook_id)),
            },
            KeyAction::Left | KeyAction::Right => {
                if let Some(detail) = &mut self.detail {
                    detail.turn(action == KeyAction::Right);
                }
            }
            KeyAction::Resend => return self.resend_chosen(),
            KeyAction::Test => {
                return self.meant().map(|id| Request::Perform(Action::TestWebhook(id))).into_iter().collect();
            }
            _ => {}
        }
        vec![Request::Poll]
    }

    fn back(&mut self, _now: i64) {
        let Some(detail) = &mut self.detail else { return self.table.set_filter(String::new()) };
        if detail.full.take().is_some() {
            return;
        }
        if detail.table.filter().is_empty() {
            self.detail = None;
        } else {
            detail.table.set_filter(String::new());
        }
    }

    fn menu(&self) -> Option<Menu> {
        if let Some(detail) = &self.detail {
            return detail.menu();
        }
        let hook = self.table.chosen()?;
        let items = vec![
            MenuItem::new('t', "send it a test", Action::TestWebhook(hook.webhook_id)),
            MenuItem::new('u', "copy its address", Action::Copy(escape::line(&hook.url).into_owned())),
            MenuItem::new('c', "copy its id", Action::Copy(hook.webhook_id.to_string())),
        ];
        Some(Menu::new(host(&hook.url), items))
    }

    fn perform(&mut self, action: Action, _context: &Context) -> Result<Vec<Request>, Action> {
        let dialog = match action {
            Action::TestWebhook(webhook_id) => self.confirm_test(webhook_id),
            Action::ResendDelivery(webhook_id, message_id) => self.confirm_resending(webhook_id, message_id),
            other => return Err(other),
        };
        Ok(vec![Request::OpenDialog(Dialog::Confirm(dialog))])
    }

    fn poll(&mut self, shown: TabId, now: i64) -> Vec<Call> {
        if shown != TabId::Webhooks {
            return vec![];
        }
        let mut calls = vec![];
        if self.fetch.is_due(POLL_MS, now) {
            calls.push(ListWebhooks {}.into());
        }
        if let Some(detail) = &mut self.detail
            && detail.fetch.is_due(POLL_MS, now)
        {
            calls.push(detail.call().into());
        }
        calls
    }

    fn expire(&mut self) {
        self.fetch.expire();
        if let Some(detail) = &mut self.detail {
            detail.fetch.expire();
        }
    }

    fn replied(&mut self, call: &Call, reply: &Reply, context: &Context) -> Vec<Request> {
        match (call, reply) {
            (_, Reply::Overview(answer)) => (self.count, self.failing) = (answer.webhooks, answer.failing_webhooks),
            (_, Reply::ListWebhooks(answer)) => {
                self.count = answer.webhooks.len() as u64;
                self.is_silent = !answer.is_sending;
                self.table.set(answer.webhooks.clone());
                self.fetch.succeeded(context.now);
                let shown = self.detail.as_ref().map(|detail| detail.webhook_id);
                if shown.is_some_and(|id| self.table.get(&id).is_none()) {
                    return self.is_gone();
                }
            }
            (Call::ListDeliveries(call), Reply::ListDeliveries(answer)) => {
                let Some(detail) = self.detail.as_mut().filter(|detail| detail.call() == *call) else { return vec![] };
                detail.page.take(&answer.pagination);
                let before = detail.table.chosen().map(|delivery| delivery.message_id);
                detail.table.set(answer.deliveries.clone());
                detail.fetch.succeeded(context.now);
                let is_same = before == detail.table.chosen().map(|delivery| delivery.message_id);
                if detail.full.take_if(|_| !is_same).is_some() {
                    return vec![Request::warn("That delivery is not on this page any more.")];
                }
            }
            (Call::ResendDelivery(call), Reply::ResendDelivery(answer)) => {
                if let Some(detail) = self.detail.as_mut().filter(|detail| detail.webhook_id == call.webhook_id) {
                    detail.table.put(answer.delivery.clone());
                }
                return self.changed();
            }
            (_, Reply::TestWebhook(_)) => return self.changed(),
            _ => {}
        }
        vec![]
    }

    fn refused(&mut self, call: &Call, refusal: &CommandError, context: &Context) -> Option<Vec<Request>> {
        match call {
            Call::ListWebhooks(_) => self.fetch.failed(refusal.clone(), context.now),
            Call::ListDeliveries(call) => {
                let Some(detail) = self.detail.as_mut().filter(|detail| detail.webhook_id == call.webhook_id) else {
                    return Some(vec![]);
                };
                detail.fetch.failed(refusal.clone(), context.now);
                if refusal.kind == FailureKind::NotFound {
                    return Some(self.is_gone());
                }
            }
            _ => return None,
        }
        Some(vec![])
    }

    fn is_offered(&self) -> bool {
        self.count > 0
    }

    fn needs_attention(&self) -> bool {
        self.failing > 0
    }

    fn draw(&self, frame: &mut Frame, area: Rect, context: &Context, theme: &Theme, targets: &mut ClickTargets) {
        view::draw(frame, area, self, context, theme, targets);
    }
}
