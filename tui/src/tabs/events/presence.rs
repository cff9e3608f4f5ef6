//! Who of the shown event's players is there.

use std::collections::HashMap;

use morpion_openapi::{
    event::{EventState, Presence},
    realtime::{ClientFrame, PresenceChanged, UnwatchPresence, WatchPresence},
};
use ratatui::text::Line;
use uuid::Uuid;

use super::{Detail, Events};
use crate::{event::Effect, list::view::Cell, theme::Theme};

/// What is known of it, as long as the event is shown.
#[derive(Debug, Default)]
pub struct PresenceList {
    /// The server was asked for it.
    is_followed: bool,
    players: HashMap<Uuid, Presence>,
}

impl Detail {
    /// Whether it is known who is there.
    pub(super) fn shows_presence(&self) -> bool {
        self.has_presence() && !self.presence.players.is_empty()
    }

    /// The cell of a player; empty for somebody of whom nothing is known.
    pub(super) fn presence_cell(&self, player: Uuid, theme: &Theme) -> Cell {
        let Some(presence) = self.presence.players.get(&player) else { return Line::raw("").into() };
        let style = match presence {
            Presence::Offline => theme.bad,
            Presence::Online => theme.soft,
            Presence::Room | Presence::Waiting | Presence::Playing => theme.good,
        };
        Line::styled(presence.as_str(), style).into()
    }

    fn has_presence(&self) -> bool {
        matches!(self.event.event_state, EventState::Published | EventState::Started)
    }
}

impl Events {
    /// Follows the players of the event that is shown, and no others.
    pub(super) fn follow_presence(&mut self) -> Vec<Effect> {
        let wanted = self.detail.as_mut().filter(|detail| detail.has_presence());
        let event_id = wanted.as_ref().map(|detail| detail.event.event_id);
        let before = std::mem::replace(&mut self.followed, event_id).filter(|before| Some(*before) != event_id);
        let left = before.map(|event_id| ClientFrame::UnwatchPresence(UnwatchPresence { event_id }));
        let entered = wanted.and_then(|detail| {
            let is_new = !std::mem::replace(&mut detail.presence.is_followed, true);
            is_new.then_some(ClientFrame::WatchPresence(WatchPresence { event_id: detail.event.event_id }))
        });
        left.into_iter().chain(entered).map(|frame| Effect::Send { frame, id: None }).collect()
    }

    /// The connection is lost, and with it what it followed.
    pub(super) fn forget_presence(&mut self) {
        self.followed = None;
        if let Some(detail) = &mut self.detail {
            detail.presence = PresenceList::default();
        }
    }

    pub(super) fn take_presence(&mut self, changed: &PresenceChanged) {
        if let Some(detail) = self.detail_of(changed.event_id) {
            detail.presence.players.extend(changed.players.iter().map(|player| (player.user_id, player.presence)));
        }
    }
}
