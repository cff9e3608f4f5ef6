//! Pairing: takes players out of the queue two by two and opens their games.

use std::net::IpAddr;

use morpion_openapi::realtime::{Opponent, PlayerFound, ServerFrame};
use morpion_rules::{
    GameId, Mark,
    clock::NO_SHOW,
    event::EventState,
    game::{Entrant, EventSetup, Player, Tiebreak},
    matchmaking::Pairing,
    standings::{FIRST_LEVEL, Standing, board_size, starter},
    tournament::MATCH_NO_SHOW,
};
use rand::RngCore;
use uuid::Uuid;

use super::{Events, owner::RETRY_AFTER, runtime::EventRuntime, stage::DueGame, state::State};
use crate::{
    connections::frame::encode,
    people::{PublicProfile, Width},
    play::{
        notifications::{Notification, Recipient},
        wire::rating,
    },
};

/// Delay before a client opens the game, see `docs/behaviour/webapp.md#event-room`.
pub const FOUND_REDIRECT_MS: u32 = 2_000;

/// Why the game of a person and a bot is not rated.
const WITH_BOT: &str = "One of you is a bot, so this game is not rated.";

/// Two paired players, and what they and the rules need to know.
struct PairedGame {
    pairing: Pairing,
    setup: EventSetup,
    notifications: Vec<Notification>,
}

/// Two players of a new game.
struct Seated {
    entrants: [Entrant; 2],
    rated: bool,
    notifications: Vec<Notification>,
}

impl Events {
    pub(super) fn pair(&self, runtime: &EventRuntime) {
        let now = self.now();
        let paired_games: Vec<PairedGame> = {
            let mut state = runtime.state.lock();
            if state.event.state() != EventState::Started || state.queue.next_wakeup().is_none_or(|at| at > now) {
                return;
            }
            let seed = rand::rng().next_u64();
            let pairings = state.queue.pair(now, seed);
            pairings.into_iter().filter_map(|pairing| self.prepare_game(runtime, &mut state, &pairing)).collect()
        };
        for PairedGame { pairing, setup, notifications } in paired_games {
            let id = setup.id;
            if let Err(error) = self.play.open_event_game(setup, notifications) {
                tracing::warn!(event = %runtime.id, %error, "a game could not be opened; trying again");
                self.undo_pairing(runtime, id, &pairing);
            }
        }
    }

    /// The two players of a new game, X first, and what they are told; `from` are their addresses in the queue. From here on
    /// they play.
    fn seat(
        &self,
        runtime: &EventRuntime,
        state: &mut State,
        id: GameId,
        standings: [Standing; 2],
        from: [Option<IpAddr>; 2],
    ) -> Option<Seated> {
        let entrant = |standing: Standing| {
            let username = state.participants.get(&standing.user)?.username.clone();
            Some(Entrant {
                player: Player { user: standing.user, username },
                tiebreak: Tiebreak { losses: standing.losses, joined_event_at: standing.joined_at },
            })
        };
        let entrants = [entrant(standings[0])?, entrant(standings[1])?];
        let from = [0, 1].map(|at| state.played_from(standings[at].user, from[at]));
        let shared = from[0].shared_with(&from[1], state.event.details().rated_on_one_network);
        let users = standings.map(|standing| standing.user);
        // Bots that are in stay in when they are no longer allowed. Where they are, an account that is not loaded counts as unlike.
        let [x_is_bot, o_is_bot] = users.map(|user| state.people.is_bot(user));
        let unlike =
            x_is_bot != o_is_bot || (state.event.details().conditions.bots_allowed && !state.people.are_alike(users));
        let found = |me: usize| {
            let opponent = &entrants[1 - me].player;
            let PublicProfile { username, display_name, profile_url, is_bot } =
                state.people.shown(opponent.user, &opponent.username, Width::Seat);
            let frame = ServerFrame::PlayerFound(PlayerFound {
                event_id: Some(runtime.id.0),
                game_id: id.0,
                opponent: Opponent {
                    user_id: opponent.user.0,
                    username,
                    display_name,
                    profile_url,
                    is_bot,
                    level: standings[1 - me].level,
                    rating: rating(&state.people, opponent.user),
                },
                quick_match: None,
                unrated_because: match unlike {
                    true => Some(WITH_BOT.to_owned()),
                    false => shared.map(|shared| shared.text("not rated")),
                },
                redirect_in_ms: FOUND_REDIRECT_MS,
            });
            Notification { recipient: Recipient::Player(entrants[me].player.user), frame: encode(&frame.to_text()) }
        };
        let notifications = vec![found(0), found(1)];
        for standing in standings {
            state.playing.insert(standing.user, id);
            self.registry.activities.play(standing.user, runtime.id, id);
        }
        let is_rated = shared.is_none() && !unlike && (!runtime.is_private() || self.options().private_events_rated);
        Some(Seated { entrants, rated: is_rated, notifications })
    }

    /// From here on both players are out of the queue and in the game.
    fn prepare_game(&self, runtime: &EventRuntime, state: &mut State, pairing: &Pairing) -> Option<PairedGame> {
        let id = GameId(Uuid::new_v4());
        let standings = pairing.players.map(|user| state.standing(user).copied());
        let [Some(x), Some(o)] = standings else { return None };
        let Seated { entrants, rated, notifications } = self.seat(runtime, state, id, [x, o], pairing.addresses)?;
        for (user, since) in pairing.players.into_iter().zip(pairing.since) {
            state.dequeue(user);
            if let Some(participant) = state.participants.get_mut(&user) {
                participant.waited_since = Some(since);
                participant.goes_first = false;
            }
        }
        state.pending.queue = true;
        let setup = EventSetup {
            id,
            event: runtime.id,
            entrants,
            level: pairing.level(),
            size: board_size(pairing.level()),
            starter: starter([x.starts, o.starts], pairing.seed),
            seed: pairing.seed,
            control: state.event.details().clock,
            rated,
            no_show: NO_SHOW,
        };
        Some(PairedGame { pairing: *pairing, setup, notifications })
    }

    /// A game of a stage round, and what its players are told. From here on they play.
    pub(super) fn prepare_match(
        &self,
        runtime: &EventRuntime,
        state: &mut State,
        game: &DueGame,
    ) -> Option<(EventSetup, Vec<Notification>)> {
        let [Some(x), Some(o)] = game.players.map(|user| state.standing(user).copied()) else { return None };
        let Seated { entrants, rated, notifications } = self.seat(runtime, state, game.id, [x, o], [None; 2])?;
        let setup = EventSetup {
            id: game.id,
            event: runtime.id,
            entrants,
            level: FIRST_LEVEL,
            size: game.board,
            starter: Mark::X,
            seed: rand::rng().next_u64(),
            control: state.event.details().clock,
            rated,
            no_show: MATCH_NO_SHOW,
        };
        Some((setup, notifications))
    }

    /// Restores both players after a pairing whose game could not be opened.
    fn undo_pairing(&self, runtime: &EventRuntime, game: GameId, pairing: &Pairing) {
        let now = self.now();
        let mut state = runtime.state.lock();
        for (at, user) in pairing.players.into_iter().enumerate() {
            state.playing.remove(&user);
            self.registry.activities.stop_playing(user, game);
            let Some(seeker) = state.seeker(user, pairing.addresses[at]) else { continue };
            if self.registry.activities.seek(user, runtime.id)
                && state.queue.enqueue(seeker, pairing.since[at]).is_err()
            {
                self.registry.activities.stop_seeking(user, runtime.id);
            }
            if !state.room.contains_key(&user) {
                state.mark_away(user, now);
            }
        }
        state.pending.not_before = Some(now + RETRY_AFTER);
    }
}
