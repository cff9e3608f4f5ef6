//! What answers make of the state.

use morpion_openapi::{PageRequest, admin::ListLiveGames, admin::ListUsers, game::GameStatus};

use super::{App, Tab, dialog::Dialog, moment, poll, toast::Level, users, watch::Watch};
use crate::{
    event::Action,
    net::{
        call::{Call, Reply},
        refusal::Refusal,
    },
};

/// A page of the live games, counted from 1.
pub(super) fn live_games_page(page: u32) -> Action {
    Action::Call(ListLiveGames { page: Some(page), limit: Some(PageRequest::MAX_LIMIT) }.into())
}

impl App {
    pub(super) fn answered(&mut self, call: Call, outcome: Result<Box<Reply>, Refusal>) -> Vec<Action> {
        let told = outcome.as_ref().map(|_| ()).map_err(Clone::clone);
        let was_confirmed = self.tell_dialog(&call, told);
        match outcome {
            Ok(reply) => self.take(call, *reply),
            Err(refusal) => self.refused(call, refusal, was_confirmed),
        }
    }

    /// Tells the open dialog how its call went; answers whether it was one of its calls.
    fn tell_dialog(&mut self, call: &Call, outcome: Result<(), Refusal>) -> bool {
        match &mut self.dialog {
            Some(Dialog::Confirm(confirm)) => {
                let was_its = confirm.answered(call, outcome);
                if confirm.is_over() && confirm.went_well() {
                    let done = std::mem::take(&mut confirm.done);
                    self.dialog = None;
                    self.toasts.add(Level::Done, done, self.now);
                    self.events.table.clear_marks();
                }
                was_its
            }
            Some(Dialog::Form(form)) if form.sent.as_ref() == Some(call) => {
                match outcome {
                    Ok(()) => {
                        let done = if form.event.is_some() { "The event is changed." } else { "The event is made." };
                        self.dialog = None;
                        self.toasts.add(Level::Done, done.to_owned(), self.now);
                    }
                    Err(refusal) => form.refused(refusal),
                }
                true
            }
            _ => false,
        }
    }

    fn take(&mut self, call: Call, reply: Reply) -> Vec<Action> {
        let now = self.now;
        match (call, reply) {
            (_, Reply::Overview(answer)) => {
                self.clock_offset = answer.server_time.as_millis() - now;
                self.overview.take(answer, now);
            }
            (_, Reply::GetLogStats(answer)) => {
                self.logs.stats = Some(answer.data);
                self.logs.stats_fetch.succeeded(now);
            }
            (Call::GetLogs(call), Reply::GetLogs(answer)) => return self.logs.answered(&call, Ok(answer.data), now),
            (_, Reply::ClearLogs(_)) => {
                self.logs.cleared();
                self.logs.stats_fetch.expire();
            }
            (Call::ListLiveGames(call), Reply::ListLiveGames(answer)) => {
                let has_more = answer.pagination.has_next_page;
                self.live_games.merge_page(answer.games);
                if has_more && !self.live_games.is_full() {
                    return vec![live_games_page(call.page.unwrap_or(1) + 1)];
                }
                self.live_games.end_sync();
            }
            (Call::ListEvents(call), Reply::ListEvents(answer)) => {
                let pagination = answer.pagination;
                let next =
                    self.events.take(&call, answer.events, pagination.has_next_page, pagination.total_count, now);
                return next.map(Action::Call).into_iter().collect();
            }
            (_, Reply::GetEventById(answer)) => {
                let id = answer.event.event_id;
                if let Some(detail) = self.events.detail.as_mut().filter(|detail| detail.event.event_id == id) {
                    if detail.event.event_state != answer.event.event_state {
                        detail.participants_fetch.expire();
                    }
                    detail.event = answer.event;
                    detail.fetch.succeeded(now);
                }
            }
            (_, Reply::CreateEvent(answer)) => {
                self.events.put(answer.event.clone());
                self.events.detail = Some(super::events::Detail::new(answer.event));
                return self.poll();
            }
            (_, Reply::UpdateEvent(answer)) => self.events.put(answer.event),
            (_, Reply::StartEvent(answer)) => self.events.put(answer.event),
            (_, Reply::EndEvent(answer)) => self.events.put(answer.event),
            (_, Reply::CancelEvent(answer)) => self.events.put(answer.event),
            (Call::DeleteEvent(call), Reply::DeleteEvent(_)) => self.events.removed(call.event_id),
            (Call::VerifyEvent(call), Reply::VerifyEvent(answer)) => self.verified(call.event_id, Ok(answer)),
            (Call::GetLeaderboard(call), Reply::GetLeaderboard(answer)) => {
                if let Some(detail) = self.event_detail(call.event_id) {
                    detail.participants.set(answer.players.into_iter().map(Into::into).collect());
                    detail.participants_fetch.succeeded(now);
                }
            }
            (Call::ListSignupsForEvent(call), Reply::ListSignupsForEvent(answer)) => {
                if let Some(detail) = self.event_detail(call.event_id) {
                    detail.participants.set(answer.signups.into_iter().map(Into::into).collect());
                    detail.participants_fetch.succeeded(now);
                }
            }
            (Call::GetGamesByEvent(call), Reply::GetGamesByEvent(answer)) => {
                let id = call.event_id.parse().unwrap_or_default();
                if let Some(detail) = self.event_detail(id) {
                    detail.games.set(answer.games);
                    detail.games_fetch.succeeded(now);
                }
            }
            (_, Reply::GetGame(answer)) => return self.game_found(answer.game),
            (_, Reply::AdjudicateGame(_)) => {}
            (Call::GetReplay(call), Reply::GetReplay(answer)) => {
                if let Some(replay) = self.replay.as_mut().filter(|replay| Some(replay.game_id) == call.game_id) {
                    replay.take(answer.replay, now);
                }
            }
            (Call::ListUsers(call), Reply::ListUsers(answer)) => return self.users_listed(call, answer),
            (Call::ListSessions(call), Reply::ListSessions(answer)) => {
                if let Some(detail) = self.user_detail(call.user_id) {
                    detail.sessions.set(answer.sessions);
                    detail.sessions_fetch.succeeded(now);
                }
            }
            (Call::GetGamesByUser(call), Reply::GetGamesByUser(answer)) => {
                if let Some(detail) = self.user_detail(call.user_id) {
                    detail.games.set(answer.games);
                    detail.games_fetch.succeeded(now);
                }
            }
            (Call::RevokeSessionAction(call), Reply::RevokeSessionAction(_)) => {
                if let Some(detail) = self.user_detail(call.user_id) {
                    detail.sessions.remove(&call.session_id);
                }
            }
            (_, Reply::SetAdmin(answer)) => self.users.put(answer.user),
            (_, Reply::GrantPro(answer)) => self.pro_changed(answer.user),
            (_, Reply::RevokePro(answer)) => self.pro_changed(answer.user),
            (_, Reply::ListAudit(answer)) => {
                self.audit.page.take(&answer.pagination);
                self.audit.table.set(answer.entries);
                self.audit.fetch.succeeded(now);
            }
            (_, Reply::ListBillingEvents(answer)) => {
                self.subscriptions.page.take(&answer.pagination);
                self.subscriptions.events.set(answer.events);
                self.subscriptions.events_fetch.succeeded(now);
            }
            (_, Reply::ListSubscriptions(answer)) => {
                self.subscriptions.standing_total = answer.pagination.total_count;
                self.subscriptions.standing.set(answer.subscriptions);
                self.subscriptions.standing_fetch.succeeded(now);
            }
            // A call is answered by its own reply.
            _ => {}
        }
        vec![]
    }

    fn refused(&mut self, call: Call, refusal: Refusal, was_confirmed: bool) -> Vec<Action> {
        let now = self.now;
        match call {
            Call::Overview(_) => self.overview.fetch.failed(refusal, now),
            Call::GetLogStats(_) => self.logs.stats_fetch.failed(refusal, now),
            Call::GetLogs(call) => return self.logs.answered(&call, Err(refusal), now),
            Call::ListLiveGames(_) => {
                self.live_games.end_sync();
                self.toasts.add(Level::Error, format!("Not all live games are listed. {refusal}"), now);
            }
            Call::ListEvents(_) => self.events.fetch.failed(refusal, now),
            Call::GetEventById(call) => {
                if let Some(detail) = self.event_detail(call.event_id) {
                    detail.fetch.failed(refusal, now);
                }
            }
            Call::GetLeaderboard(morpion_openapi::event::GetLeaderboard { event_id, .. })
            | Call::ListSignupsForEvent(morpion_openapi::event::ListSignupsForEvent { event_id, .. }) => {
                if let Some(detail) = self.event_detail(event_id) {
                    detail.participants_fetch.failed(refusal, now);
                }
            }
            Call::GetGamesByEvent(call) => {
                if let Some(detail) = self.event_detail(call.event_id.parse().unwrap_or_default()) {
                    detail.games_fetch.failed(refusal, now);
                }
            }
            Call::VerifyEvent(call) => self.verified(call.event_id, Err(refusal)),
            Call::GetReplay(call) => {
                if let Some(replay) = self.replay.as_mut().filter(|replay| Some(replay.game_id) == call.game_id) {
                    replay.fetch.failed(refusal, now);
                }
            }
            Call::ListUsers(call) if Call::from(call.clone()) == poll::all_users(call.page.unwrap_or(1)) => {
                self.subscriptions.accounts_fetch.failed(refusal, now);
            }
            Call::ListUsers(_) => self.users.fetch.failed(refusal, now),
            Call::ListSessions(call) => {
                if let Some(detail) = self.user_detail(call.user_id) {
                    detail.sessions_fetch.failed(refusal, now);
                }
            }
            Call::GetGamesByUser(call) => {
                if let Some(detail) = self.user_detail(call.user_id) {
                    detail.games_fetch.failed(refusal, now);
                }
            }
            Call::ListAudit(_) => self.audit.fetch.failed(refusal, now),
            Call::ListBillingEvents(_) => self.subscriptions.events_fetch.failed(refusal, now),
            Call::ListSubscriptions(_) => self.subscriptions.standing_fetch.failed(refusal, now),
            // The dialog that asked shows it; without one it is told in passing.
            _ if was_confirmed => {}
            _ => self.toasts.add(Level::Error, refusal.text, now),
        }
        vec![]
    }

    fn event_detail(&mut self, id: uuid::Uuid) -> Option<&mut super::events::Detail> {
        self.events.detail.as_mut().filter(|detail| detail.event.event_id == id)
    }

    fn user_detail(&mut self, id: uuid::Uuid) -> Option<&mut users::Detail> {
        self.users.detail.as_mut().filter(|detail| detail.user.user_id == id)
    }

    fn verified(&mut self, id: uuid::Uuid, outcome: Result<morpion_openapi::event::VerifyEventAnswer, Refusal>) {
        if let Some(detail) = self.event_detail(id) {
            detail.verified = Some(outcome);
        }
    }

    /// A game that was looked for by its id.
    fn game_found(&mut self, game: morpion_openapi::game::GameState) -> Vec<Action> {
        match game.status {
            GameStatus::Active | GameStatus::Waiting => self.watch_game(Watch::unlisted(&game)),
            GameStatus::Completed | GameStatus::Cancelled => self.perform(super::dialog::Deed::Replay(game.game_id)),
        }
    }

    fn pro_changed(&mut self, user: morpion_openapi::account::User) {
        self.subscriptions.put(&user);
        self.subscriptions.events_fetch.expire();
        self.subscriptions.standing_fetch.expire();
        self.users.put(user);
    }

    fn users_listed(&mut self, call: ListUsers, answer: morpion_openapi::admin::UsersListAnswer) -> Vec<Action> {
        let now = self.now;
        let page = call.page.unwrap_or(1);
        if Call::from(call.clone()) == poll::all_users(page) {
            let next = self.subscriptions.take(page, answer.users, answer.pagination.has_next_page, now);
            return next.map(|page| Action::Call(poll::all_users(page))).into_iter().collect();
        }
        if let Some(wanted) = self.users.wanted.take_if(|wanted| wanted.call() == call) {
            if let Some(user) = answer.users.iter().find(|user| wanted.is(user)) {
                return self.open_user(user.clone());
            }
            let text = wanted.text.clone();
            self.users.wanted = wanted.next(answer.pagination.has_next_page);
            return match &self.users.wanted {
                Some(next) => vec![Action::Call(next.call().into())],
                None => {
                    self.say(format!("No account '{text}' was found."));
                    vec![]
                }
            };
        }
        if call == self.users.call() {
            self.users.page.take(&answer.pagination);
            self.users.table.set(answer.users);
            self.users.fetch.succeeded(now);
        }
        vec![]
    }

    pub(super) fn open_user(&mut self, user: morpion_openapi::account::User) -> Vec<Action> {
        self.users.detail = Some(users::Detail::new(user));
        self.go(Tab::Users)
    }

    /// Reads `15m`, or two moments.
    pub(super) fn read_window(&self, typed: &str) -> Result<super::logs::filter::Window, String> {
        use super::logs::filter::Window;
        let typed = typed.trim();
        if typed.is_empty() || typed == "all" {
            return Ok(Window::All);
        }
        if let Some(duration) = moment::duration(typed) {
            return Ok(Window::Last(duration.num_milliseconds()));
        }
        let now = self.server_now();
        let words: Vec<_> = typed.split_whitespace().collect();
        // A moment is one word or two: every split is tried.
        for at in 1..=words.len() {
            let (begin, end) = (words[..at].join(" "), words[at..].join(" "));
            let begin = moment::parse(&begin, now);
            let end = if end.is_empty() { Ok(i64::MAX) } else { moment::parse(&end, now).map(|end| end.as_millis()) };
            if let (Ok(begin), Ok(end)) = (begin, end) {
                return Ok(Window::Between(begin.as_millis(), end));
            }
        }
        Err("A window is 15m, or 20:00 21:30, or 2026-11-21 20:00 2026-11-21 21:30 (UTC).".to_owned())
    }
}
