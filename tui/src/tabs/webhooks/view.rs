//! The table of webhooks, that of the deliveries of one, and one delivery in full.

use morpion_openapi::{
    Timestamp,
    webhook::{DeliveryState, Webhook, WebhookDelivery},
};
use morpion_shell::webhook;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
    widgets::Paragraph,
};

use super::{Deliveries, Webhooks, rows::kinds};
use crate::{
    context::Context,
    hit_testing::ClickTargets,
    list::view::{self as list, Column},
    theme::Theme,
    time::minute,
    widgets::{
        block::LOW,
        facts,
        text::{self, age, fit_line},
    },
};

pub fn draw(
    frame: &mut Frame,
    area: Rect,
    webhooks: &Webhooks,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let Some(detail) = &webhooks.detail else {
        return draw_list(frame, area, webhooks, context, theme, targets);
    };
    match (detail.full, detail.table.chosen()) {
        (Some(from), Some(delivery)) => facts::draw(frame, area, full(delivery, area.width, context, theme), from),
        _ => draw_deliveries(frame, area, webhooks, detail, context, theme, targets),
    }
}

fn draw_list(
    frame: &mut Frame,
    area: Rect,
    webhooks: &Webhooks,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let [line, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let (table, fetch) = (&webhooks.table, &webhooks.fetch);
    if fetch.is_loaded {
        let text = format!("{}, the newest first", text::count(table.rows().len() as u64, "webhook"));
        let mut summary = list::summary(table, text, fetch, theme);
        if webhooks.is_silent {
            summary.push_span(Span::styled("   this server sends nothing", theme.warning));
        }
        frame.render_widget(summary, line);
    }
    let empty = ["No webhooks.", "morpion-tui webhooks create makes one."];
    let shown = table.shown().len();
    if list::draw_empty_state(frame, body, context, (fetch, table, shown), ("webhooks", empty), theme) {
        return;
    }
    let columns = [
        Column::new("Made", 6).sort(0).right().drop_order(4),
        Column::new("Address", 14).preferred(30).sort(1),
        Column::new("State", 11).sort(2),
        Column::new("Waiting", 7).sort(3).right().drop_order(1),
        Column::new("Delivered", 9).right().drop_order(2),
        Column::new("Of", 16).drop_order(3),
    ];
    list::draw(frame, body, table, &columns, theme, targets, |hook| {
        let (state, style) = state(hook, context, theme);
        let taken = hook.delivered_at.map_or_else(|| theme.glyphs.absent.to_owned(), |at| since(at, context));
        vec![
            Line::styled(since(hook.created_at, context), theme.soft),
            Line::raw(hook.url.clone()),
            Line::styled(state, style),
            Line::raw(text::number(hook.waiting.into())),
            Line::styled(taken, theme.soft),
            Line::styled(kinds(hook), theme.soft),
        ]
    });
}

fn draw_deliveries(
    frame: &mut Frame,
    area: Rect,
    webhooks: &Webhooks,
    detail: &Deliveries,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let hook = webhooks.table.get(&detail.webhook_id);
    let head = hook.map_or_else(Vec::new, |hook| head(hook, area, context, theme));
    let [top, line, body] =
        Layout::vertical([Constraint::Length(head.len() as u16), Constraint::Length(1), Constraint::Min(0)])
            .areas(area);
    frame.render_widget(Paragraph::new(head), top);
    let (table, fetch, page) = (&detail.table, &detail.fetch, &detail.page);
    if fetch.is_loaded {
        let mut text = format!("{}, the newest first", text::count(page.total, "delivery"));
        if page.has_next || page.number > 1 {
            text += &format!(", page {}", page.number);
        }
        frame.render_widget(list::summary(table, text, fetch, theme), line);
    }
    let empty = ["Nothing was sent yet.", "t sends a test."];
    let shown = table.shown().len();
    if list::draw_empty_state(frame, body, context, (fetch, table, shown), ("deliveries", empty), theme) {
        return;
    }
    let columns = [
        Column::new("When", 6).sort(0).right(),
        Column::new("What", 12).sort(1),
        Column::new("State", 9).sort(2),
        Column::new("Tries", 5).sort(3).right().drop_order(2),
        Column::new("Next", 6).right().drop_order(3),
        Column::new("Last answer", 16).drop_order(1),
    ];
    list::draw(frame, body, table, &columns, theme, targets, |delivery| {
        let next = delivery.next_at.map(|at| until(at, context)).unwrap_or_default();
        vec![
            Line::styled(since(delivery.happened_at, context), theme.soft),
            Line::raw(delivery.kind.clone()),
            Line::styled(delivery.state.as_str(), delivery_style(delivery.state, theme)),
            Line::raw(delivery.attempts.to_string()),
            Line::styled(next, theme.soft),
            Line::styled(webhook::answer(delivery), theme.soft),
        ]
    });
}

/// Which webhook it is, and how it is; on a low terminal in one line.
fn head(hook: &Webhook, area: Rect, context: &Context, theme: &Theme) -> Vec<Line<'static>> {
    let (state, style) = state(hook, context, theme);
    let fitting = |line| fit_line(line, area.width.into(), theme.glyphs.ellipsis);
    let state = Span::styled(state, style);
    if area.height < LOW {
        let line = vec![Span::raw(" "), state, Span::styled(format!("   {}", hook.url), theme.strong)];
        return vec![fitting(Line::from(line))];
    }
    let reason = hook.disabled_reason.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    let of = Span::styled(format!("   {}", kinds(hook)), theme.soft);
    vec![
        fitting(Line::styled(format!(" {}", hook.url), theme.strong)),
        fitting(Line::from(vec![Span::raw(" "), state, Span::styled(reason, theme.bad), of])),
        Line::default(),
    ]
}

fn full(delivery: &WebhookDelivery, width: u16, context: &Context, theme: &Theme) -> Vec<Line<'static>> {
    let plain = Style::new();
    let fact = |name: &str, value: &str, style: Style| facts::fact(name, value, style, width, theme);
    let mut lines = fact("what", &delivery.kind, theme.strong);
    lines.extend(fact("at", &format!("{} UTC", minute(delivery.happened_at)), plain));
    lines.extend(fact("state", delivery.state.as_str(), delivery_style(delivery.state, theme)));
    lines.extend(fact("tries", &delivery.attempts.to_string(), plain));
    if let Some(at) = delivery.next_at {
        lines.extend(fact("next", &format!("{} UTC, in {}", minute(at), until(at, context)), plain));
    }
    if let Some(at) = delivery.last_at {
        lines.extend(fact("last", &format!("{} UTC, {} ago", minute(at), since(at, context)), plain));
    }
    if let Some(status) = delivery.status {
        lines.extend(fact("status", &status.to_string(), plain));
    }
    if let Some(failure) = &delivery.failure {
        lines.extend(fact("failure", failure, theme.bad));
    }
    if let Some(answer) = &delivery.answer {
        lines.extend(fact("answer", answer, plain));
    }
    lines.extend(fact("message", &delivery.message_id.to_string(), theme.soft));
    lines.extend([Line::default(), Line::styled(" The body", theme.strong)]);
    lines.extend(fact("", &delivery.payload, plain));
    lines
}

/// How a webhook is, in a word or two.
fn state(hook: &Webhook, context: &Context, theme: &Theme) -> (String, Style) {
    match (&hook.disabled_reason, hook.failing_since, hook.delivered_at) {
        (Some(_), ..) => ("disabled".to_owned(), theme.bad),
        (None, Some(at), _) => (format!("failing {}", since(at, context)), theme.bad),
        (None, None, Some(_)) => ("fine".to_owned(), theme.good),
        (None, None, None) => ("new".to_owned(), theme.soft),
    }
}

fn delivery_style(state: DeliveryState, theme: &Theme) -> Style {
    match state {
        DeliveryState::Waiting => theme.accent,
        DeliveryState::Delivered => theme.good,
        DeliveryState::Failed | DeliveryState::Discarded => theme.bad,
    }
}

fn since(at: Timestamp, context: &Context) -> String {
    age(context.server_now() - at.as_millis())
}

fn until(at: Timestamp, context: &Context) -> String {
    age(at.as_millis() - context.server_now())
}
