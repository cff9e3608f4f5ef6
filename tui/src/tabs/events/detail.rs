//! The fetches of the shown event, and its handling of replies.

use morpion_openapi::{
    PageRequest,
    event::{GetEventById, GetLeaderboard, GetRounds, GetStandings, ListSignupsForEvent},
    game::GetGamesByEvent,
};
use uuid::Uuid;

use super::{Detail, Events, POLL_MS, Section};
use crate::calls::{Call, Reply};

const DETAIL_POLL_MS: i64 = 3_000;
/// Of standings that are not looked at.
const STANDINGS_POLL_MS: i64 = 15_000;
const LIMIT: Option<u32> = Some(PageRequest::MAX_LIMIT);

impl Events {
    pub(super) fn detail_of(&mut self, id: Uuid) -> Option<&mut Detail> {
        self.detail.as_mut().filter(|detail| detail.event.event_id == id)
    }

    pub(super) fn poll_detail(detail: &mut Detail, now: i64) -> Vec<Call> {
        let event_id = detail.event.event_id;
        let mut calls: Vec<Call> = vec![];
        if detail.fetch.is_due(POLL_MS, now) {
            calls.push(GetEventById { event_id }.into());
        }
        let (section, has_rounds) = (detail.section(), detail.has_rounds());
        if section == Section::Rounds && detail.rounds.fetch.is_due(DETAIL_POLL_MS, now) {
            calls.push(GetRounds { event_id, user_id: None }.into());
        }
        // Beside the rounds they say who is withdrawn.
        let every = if section == Section::Participants { DETAIL_POLL_MS } else { STANDINGS_POLL_MS };
        if has_rounds && section != Section::Games && detail.standings_fetch.is_due(every, now) {
            calls.push(GetStandings { event_id, user_id: None }.into());
        }
        match section {
            Section::Participants if has_rounds => {}
            Section::Participants if detail.participants_fetch.is_due(DETAIL_POLL_MS, now) => {
                calls.push(if detail.has_standings() {
                    GetLeaderboard { event_id, page: Some(1), limit: LIMIT }.into()
                } else {
                    ListSignupsForEvent { event_id, page: Some(1), limit: LIMIT }.into()
                });
            }
            Section::Games if detail.games_fetch.is_due(DETAIL_POLL_MS, now) => {
                let event_id = event_id.to_string();
                calls.push(GetGamesByEvent { event_id, user_id: None, page: Some(1), limit: LIMIT }.into());
            }
            _ => {}
        }
        calls
    }

    pub(super) fn detail_replied(&mut self, call: &Call, reply: &Reply, now: i64) {
        match (call, reply) {
            (_, Reply::GetEventById(answer)) => {
                if let Some(detail) = self.detail_of(answer.event.event_id) {
                    if detail.event.event_state != answer.event.event_state {
                        detail.expire_people();
                    }
                    detail.event = answer.event.clone();
                    detail.fetch.succeeded(now);
                }
            }
            (Call::VerifyEvent(call), Reply::VerifyEvent(answer)) => {
                if let Some(detail) = self.detail_of(call.event_id) {
                    detail.verified = Some(Ok(answer.clone()));
                }
            }
            (Call::GetRounds(call), Reply::GetRounds(answer)) => {
                if let Some(detail) = self.detail_of(call.event_id) {
                    detail.rounds.take(detail.event.format, answer, now);
                }
            }
            (Call::GetStandings(call), Reply::GetStandings(answer)) => {
                if let Some(detail) = self.detail_of(call.event_id) {
                    detail.standings.set(answer.standings.clone());
                    detail.standings_fetch.succeeded(now);
                }
            }
            (Call::GetLeaderboard(call), Reply::GetLeaderboard(answer)) => {
                if let Some(detail) = self.detail_of(call.event_id) {
                    detail.participants.set(answer.players.iter().cloned().map(Into::into).collect());
                    detail.participants_fetch.succeeded(now);
                }
            }
            (Call::ListSignupsForEvent(call), Reply::ListSignupsForEvent(answer)) => {
                if let Some(detail) = self.detail_of(call.event_id) {
                    detail.participants.set(answer.signups.iter().cloned().map(Into::into).collect());
                    detail.participants_fetch.succeeded(now);
                }
            }
            (Call::GetGamesByEvent(call), Reply::GetGamesByEvent(answer)) => {
                if let Some(detail) = self.detail_of(call.event_id.parse().unwrap_or_default()) {
                    detail.games.set(answer.games.clone());
                    detail.games_fetch.succeeded(now);
                }
            }
            _ => {}
        }
    }
}
