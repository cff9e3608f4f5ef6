//! What a director does in an event that goes on: results, players, pauses, its end.

use morpion_openapi::event::{
    Event, EventFormat, EventState, ExtendEvent, PauseEvent, ReinstatePlayer, ResumeEvent, SetResult, StageStanding,
    WithdrawPlayer,
};
use morpion_shell::{
    escape,
    reference::{self, Candidate},
};
use uuid::Uuid;

use super::{Detail, Events, Request, Section, transitions::called};
use crate::{
    actions::{Action, DirectorAct},
    dialog::{
        Dialog,
        confirm::{ConfirmDialog, ConfirmField},
        menu::MenuItem,
    },
    keymap::KeyAction,
    tabs::CommandLine,
    time::minute,
    widgets::{name::Named, stage::MatchState},
};

fn item(key: char, label: impl Into<String>, act: DirectorAct) -> MenuItem {
    MenuItem::new(key, label, Action::Direct(act))
}

/// What the menu offers for an event.
pub fn event_items(event: &Event) -> Vec<MenuItem> {
    let pause = match event.paused {
        Some(true) => item('u', "resume: the next round may begin", DirectorAct::Resume),
        _ => item('u', "pause: no further round begins", DirectorAct::Pause),
    };
    let is_live = event.event_state == EventState::Started;
    let has_rounds = event.format != EventFormat::Arena;
    let pause = (is_live && has_rounds).then_some(pause);
    pause.into_iter().chain(is_live.then(|| item('x', "extend: move its end", DirectorAct::Extend))).collect()
}

impl Events {
    /// What the menu offers for the match or the player that is chosen in the shown event.
    pub(super) fn chosen_items(&self) -> Vec<MenuItem> {
        let Some(detail) = &self.detail else { return vec![] };
        match detail.section() {
            Section::Rounds => {
                let result = detail.result_of_chosen();
                let result = result.map(|(act, board)| item('r', format!("set the result of board {board}"), act));
                let chosen = detail.rounds.matches.chosen();
                let games = chosen.iter().flat_map(|row| &row.pairing.games).zip('1'..='9').map(|(game, key)| {
                    let verb = if game.winner_user_id.is_none() { "watch" } else { "replay" };
                    MenuItem::new(key, format!("{verb} game {key}"), Action::Watch(game.game_id))
                });
                result.into_iter().chain(games).collect()
            }
            Section::Participants if detail.can_direct() => {
                let player = detail.standings.chosen();
                let act = player.map(|player| {
                    let (verb, act) = withdrawal(player);
                    item('w', format!("{verb} {}", player.name().whole()), act)
                });
                act.into_iter().collect()
            }
            Section::Participants | Section::Games => vec![],
        }
    }

    /// Asks before it is done.
    pub(super) fn direct(&self, act: DirectorAct) -> Result<Request, String> {
        let event = *self.targets().first().ok_or("No event is chosen.")?;
        let shown = || self.detail.as_ref().ok_or("Open the event first.");
        let dialog = match act {
            DirectorAct::SetResult { round, board } => set_result(shown()?, round, board)?,
            DirectorAct::Withdraw(user_id) | DirectorAct::Reinstate(user_id) => {
                if event.concluded {
                    return Err("The winners are final.".to_owned());
                }
                let player = shown()?.standings.get(&user_id).ok_or("That player is not in the standings.")?;
                withdraw_or_reinstate(event.event_id, player, matches!(act, DirectorAct::Withdraw(_)))
            }
            DirectorAct::Pause | DirectorAct::Resume => pause_or_resume(event, act == DirectorAct::Pause)?,
            DirectorAct::Extend => extend(event)?,
        };
        Ok(Request::OpenDialog(Dialog::Confirm(dialog)))
    }

    /// The act that a key asks for.
    pub(super) fn act_of_key(&self, key: KeyAction) -> Result<DirectorAct, String> {
        let detail = self.detail.as_ref().ok_or("Open the event first.")?;
        Ok(match key {
            KeyAction::Decide => detail.result_of_chosen().ok_or("There is no match to decide.")?.0,
            KeyAction::Withdraw => withdrawal(detail.standings.chosen().ok_or("No player is chosen.")?).1,
            KeyAction::Pause if detail.event.paused == Some(true) => DirectorAct::Resume,
            KeyAction::Pause => DirectorAct::Pause,
            _ => DirectorAct::Extend,
        })
    }

    /// The act that a line of the palette asks for.
    pub(super) fn act_of_line(&self, line: CommandLine<'_>) -> Result<DirectorAct, String> {
        let named = |is_withdrawn: bool| {
            let detail = self.detail.as_ref().ok_or("Open the event first.")?;
            detail.player_named(line.required("a player")?, is_withdrawn)
        };
        Ok(match line.name {
            "set-result" if line.argument.is_empty() => self.act_of_key(KeyAction::Decide)?,
            "set-result" => {
                let rounds = &self.detail.as_ref().ok_or("Open the event first.")?.rounds;
                let round = rounds.shown().ok_or("There are no rounds yet.")?.round;
                DirectorAct::SetResult { round, board: line.argument.parse().map_err(|_| "Name a board: 1, 2, …")? }
            }
            "withdraw" => DirectorAct::Withdraw(named(false)?),
            "reinstate" => DirectorAct::Reinstate(named(true)?),
            "pause" => DirectorAct::Pause,
            "resume" => DirectorAct::Resume,
            _ => DirectorAct::Extend,
        })
    }
}

impl Detail {
    /// Whether results and players may still be corrected.
    fn can_direct(&self) -> bool {
        self.has_rounds() && !self.event.concluded
    }

    /// Setting the result of the chosen match, and its board.
    fn result_of_chosen(&self) -> Option<(DirectorAct, u32)> {
        let row = self.rounds.matches.chosen().filter(|_| self.can_direct())?;
        let is_paired = self.rounds.shown().is_some_and(|round| round.starts_at.is_some());
        let board = row.pairing.board;
        (is_paired && row.state != MatchState::Bye)
            .then_some((DirectorAct::SetResult { round: row.round, board }, board))
    }

    fn player_named(&self, wanted: &str, is_withdrawn: bool) -> Result<Uuid, String> {
        let players = self.standings.rows().iter().filter(|player| player.withdrawn == is_withdrawn);
        let all = players.map(|player| Candidate { id: player.user_id.to_string(), name: player.username.clone() });
        let chosen = reference::choose("player", wanted, all).map_err(|refusal| refusal.text)?;
        chosen.id.parse().map_err(|_| "That is not an id.".to_owned())
    }
}

/// What can be done with a player: a verb, and the act.
fn withdrawal(player: &StageStanding) -> (&'static str, DirectorAct) {
    match player.withdrawn {
        true => ("reinstate", DirectorAct::Reinstate(player.user_id)),
        false => ("withdraw", DirectorAct::Withdraw(player.user_id)),
    }
}

fn set_result(detail: &Detail, round: u32, board: u32) -> Result<ConfirmDialog, String> {
    let event = &detail.event;
    let pairing = detail.rounds.pairing(round, board).ok_or(format!("Round {round} has no board {board}."))?;
    let state = MatchState::of(event.format, pairing);
    if event.concluded {
        return Err("The winners are final.".to_owned());
    }
    if state == MatchState::Bye || pairing.players.is_empty() {
        return Err(format!("Nobody plays on board {board}."));
    }
    let mut lines = vec![pairing.players.iter().map(|player| player.name().whole()).collect::<Vec<_>>().join("  -  ")];
    if state == MatchState::Live {
        lines.push("The game that is open becomes void.".to_owned());
    }
    if detail.rounds.is_past(round) {
        let what_follows = match event.format {
            EventFormat::Knockout => "The next match gets the right player if it has not begun.",
            _ => "Points and standings change, and the pairings of later rounds stay.",
        };
        lines.push(what_follows.to_owned());
    }
    let verb = if state == MatchState::Decided { "Correct" } else { "Set" };
    let players = pairing.players.iter();
    let mut winners: Vec<_> =
        players.map(|player| (escape::line(&player.name().whole()).into_owned(), Some(player.user_id))).collect();
    winners.push(("nobody: both lose it".to_owned(), None));
    let call = SetResult { event_id: event.event_id, round, board, winner_user_id: None, reason: String::new() };
    Ok(ConfirmDialog::new(
        format!("{verb} the result of round {round}, board {board}?"),
        lines,
        format!("The result of board {board} is set."),
    )
    .step(format!("board {board}"), call)
    .winner(winners)
    .field(ConfirmField::Reason))
}

fn withdraw_or_reinstate(event_id: Uuid, player: &StageStanding, is_withdrawal: bool) -> ConfirmDialog {
    let name = escape::line(&player.name().whole()).into_owned();
    let (user_id, reason) = (player.user_id, String::new());
    let dialog = |title: String, meaning: &str, done: String| ConfirmDialog::new(title, vec![meaning.to_owned()], done);
    match is_withdrawal {
        true => dialog(
            format!("Withdraw {name}?"),
            "The opponent wins a match of theirs that is not decided, and they are in no further round. What was played \
             stays. They can be reinstated.",
            format!("{name} is withdrawn."),
        )
        .step(name, WithdrawPlayer { event_id, user_id, reason }),
        false => dialog(
            format!("Reinstate {name}?"),
            "They play from the next round on. Points for what was missed do not come back.",
            format!("{name} plays again."),
        )
        .step(name, ReinstatePlayer { event_id, user_id, reason }),
    }
    .field(ConfirmField::Reason)
}

fn pause_or_resume(event: &Event, is_pause: bool) -> Result<ConfirmDialog, String> {
    let (event_id, name) = (event.event_id, called(event));
    if event.format == EventFormat::Arena {
        return Err("An arena has no rounds to pause.".to_owned());
    }
    if event.event_state != EventState::Started {
        return Err(format!("'{name}' is not live."));
    }
    let dialog = |title: String, meaning: &str, done: String| ConfirmDialog::new(title, vec![meaning.to_owned()], done);
    Ok(match is_pause {
        true => dialog(
            format!("Pause '{name}'?"),
            "Games go on. The next round waits until you resume.",
            format!("'{name}' is paused."),
        )
        .step(name, PauseEvent { event_id }),
        false => dialog(
            format!("Resume '{name}'?"),
            "The next round begins once the one before it is decided.",
            format!("'{name}' goes on."),
        )
        .step(name, ResumeEvent { event_id }),
    })
}

fn extend(event: &Event) -> Result<ConfirmDialog, String> {
    let name = called(event);
    let Some(present) =
        event.end_time.filter(|_| matches!(event.event_state, EventState::Published | EventState::Started))
    else {
        return Err("Only a published or a live event can be extended.".to_owned());
    };
    let lines =
        vec!["Everybody on its page sees the new time. Write 22:00, +30m from now, or 2026-11-21 22:00.".to_owned()];
    let call = ExtendEvent { event_id: event.event_id, end_time: present };
    Ok(ConfirmDialog::new(format!("Move the end of '{name}'?"), lines, format!("'{name}' has another end."))
        .step(name, call)
        .end(minute(present)))
}
