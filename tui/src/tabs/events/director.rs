//! What a director does in an event that goes on: results, players, pauses, its end.

use morpion_openapi::event::{
    CheckInPlayer, CreatePlayer, DisqualifyPlayer, Event, EventFormat, EventState, ExtendEvent, MatchReason,
    PauseEvent, ReinstatePlayer, ReplayMatch, ResumeEvent, RoundState, SetResult, StageStanding, StartRound,
    WithdrawPlayer,
};
use morpion_shell::{
    escape,
    reference::{self, Candidate},
};
use uuid::Uuid;

use super::{Detail, Events, Participant, Request, Section, transitions::called};
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
                let again = detail.replay_of_chosen();
                let again = again.map(|(act, board)| item('g', format!("have board {board} played again"), act));
                let start = detail.waiting_round();
                let start =
                    start.map(|round| item('s', format!("start round {round} now"), DirectorAct::StartRound(round)));
                start.into_iter().chain(result).chain(again).chain(games).collect()
            }
            Section::Participants if detail.can_direct() => {
                let player = detail.standings.chosen();
                let act = player.map(|player| {
                    let (verb, act) = withdrawal(player);
                    item('w', format!("{verb} {}", player.name().whole()), act)
                });
                let out = player.filter(|player| !player.disqualified).map(|player| {
                    let act = DirectorAct::Disqualify(player.user_id);
                    item('q', format!("disqualify {}", player.name().whole()), act)
                });
                act.into_iter().chain(out).collect()
            }
            Section::Participants => {
                let player = detail.participants.chosen();
                let act = player.and_then(|player| {
                    let (label, is_there) = match player.checked_in? {
                        true => ("undo the check-in of", false),
                        false => ("check in", true),
                    };
                    let act = DirectorAct::CheckIn(player.user_id, is_there);
                    Some(item('i', format!("{label} {}", player.name().whole()), act))
                });
                act.into_iter().collect()
            }
            Section::Games => vec![],
        }
    }

    /// Asks before it is done.
    pub(super) fn direct(&self, act: DirectorAct) -> Result<Request, String> {
        let event = *self.targets().first().ok_or("No event is chosen.")?;
        let shown = || self.detail.as_ref().ok_or("Open the event first.");
        let dialog = match act {
            DirectorAct::SetResult { round, board } => set_result(shown()?, round, board)?,
            DirectorAct::ReplayMatch { round, board } => replay_match(shown()?, round, board)?,
            DirectorAct::StartRound(round) => start_round(event, round),
            DirectorAct::Withdraw(user_id) | DirectorAct::Disqualify(user_id) | DirectorAct::Reinstate(user_id) => {
                if event.concluded {
                    return Err("The winners are final.".to_owned());
                }
                let player = shown()?.standings.get(&user_id).ok_or("That player is not in the standings.")?;
                act_on_player(event.event_id, player, act)
            }
            DirectorAct::CheckIn(user_id, is_there) => {
                let player = shown()?.participants.get(&user_id).ok_or("That player is not signed up.")?;
                check_in(event, player, is_there)
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
        let detail = || self.detail.as_ref().ok_or("Open the event first.");
        let named = |is_meant: fn(&StageStanding) -> bool| detail()?.player_named(line.required("a player")?, is_meant);
        let place = || {
            let round = detail()?.rounds.shown().ok_or("There are no rounds yet.")?.round;
            Ok::<_, String>((round, line.argument.parse().map_err(|_| "Name a board: 1, 2, …")?))
        };
        Ok(match line.name {
            "set-result" if line.argument.is_empty() => self.act_of_key(KeyAction::Decide)?,
            "set-result" => {
                let (round, board) = place()?;
                DirectorAct::SetResult { round, board }
            }
            "replay-match" if line.argument.is_empty() => {
                detail()?.replay_of_chosen().ok_or("There is no match to play again.")?.0
            }
            "replay-match" => {
                let (round, board) = place()?;
                DirectorAct::ReplayMatch { round, board }
            }
            "start-round" => DirectorAct::StartRound(detail()?.waiting_round().ok_or("No round waits to begin.")?),
            "withdraw" => DirectorAct::Withdraw(named(|player| !player.withdrawn)?),
            "disqualify" => DirectorAct::Disqualify(named(|player| !player.disqualified)?),
            "reinstate" => DirectorAct::Reinstate(named(|player| player.withdrawn)?),
            "check-in" => DirectorAct::CheckIn(detail()?.participant_named(line.required("a player")?, false)?, true),
            "undo-check-in" => {
                DirectorAct::CheckIn(detail()?.participant_named(line.required("a player")?, true)?, false)
            }
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

    /// Having the chosen match played again, and its board: it is one of the last round, and has begun or was decided by a
    /// director.
    fn replay_of_chosen(&self) -> Option<(DirectorAct, u32)> {
        let is_live = self.event.event_state == EventState::Started;
        let row = self.rounds.matches.chosen().filter(|row| is_live && !self.rounds.is_past(row.round))?;
        let has_begun = !row.pairing.games.is_empty() || row.pairing.reason == Some(MatchReason::Ruling);
        let board = row.pairing.board;
        (has_begun && row.state != MatchState::Bye)
            .then_some((DirectorAct::ReplayMatch { round: row.round, board }, board))
    }

    /// The round that is paired and waits to begin.
    fn waiting_round(&self) -> Option<u32> {
        let may_begin = self.event.event_state == EventState::Started && self.event.paused != Some(true);
        let shown = self.rounds.shown().filter(|round| may_begin && round.state == RoundState::Planned)?;
        shown.starts_at.map(|_| shown.round)
    }

    fn player_named(&self, wanted: &str, is_meant: fn(&StageStanding) -> bool) -> Result<Uuid, String> {
        let players = self.standings.rows().iter().filter(|player| is_meant(player));
        named(wanted, players.map(|player| (player.user_id, &player.username)))
    }

    /// Somebody who is signed up and has checked in, or has not.
    fn participant_named(&self, wanted: &str, checked_in: bool) -> Result<Uuid, String> {
        let players = self.participants.rows().iter().filter(|player| player.checked_in == Some(checked_in));
        named(wanted, players.map(|player| (player.user_id, &player.username)))
    }
}

/// The one of these players who is meant.
fn named<'a>(wanted: &str, players: impl Iterator<Item = (Uuid, &'a String)>) -> Result<Uuid, String> {
    let all = players.map(|(id, name)| Candidate { id: id.to_string(), name: name.clone() });
    let chosen = reference::choose("player", wanted, all).map_err(|refusal| refusal.text)?;
    chosen.id.parse().map_err(|_| "That is not an id.".to_owned())
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

fn replay_match(detail: &Detail, round: u32, board: u32) -> Result<ConfirmDialog, String> {
    let pairing = detail.rounds.pairing(round, board).ok_or(format!("Round {round} has no board {board}."))?;
    let mut lines = vec![
        pairing.players.iter().map(|player| player.name().whole()).collect::<Vec<_>>().join("  -  "),
        "Its result and its games so far do not count for the event; ratings stay.".to_owned(),
    ];
    if MatchState::of(detail.event.format, pairing) == MatchState::Live {
        lines.push("The game that is open becomes void.".to_owned());
    }
    let call = ReplayMatch {
        event_id: detail.event.event_id,
        round,
        board,
        game_id: pairing.games.last().map(|game| game.game_id),
        reason: String::new(),
    };
    let title = format!("Have round {round}, board {board} played again?");
    Ok(ConfirmDialog::new(title, lines, format!("Board {board} is played again."))
        .step(format!("board {board}"), call)
        .field(ConfirmField::Reason))
}

/// Signs somebody up.
pub(super) fn add_player(event: &Event, username: &str) -> ConfirmDialog {
    let name = escape::line(username).into_owned();
    let lines =
        vec![format!("They are told, and take part in '{}' from the next round on if it has started.", called(event))];
    let call = CreatePlayer { event_id: event.event_id, user_id: None, username: Some(username.to_owned()) };
    ConfirmDialog::new(format!("Sign up {name}?"), lines, format!("{name} is signed up.")).step(name, call)
}

fn check_in(event: &Event, player: &Participant, is_there: bool) -> ConfirmDialog {
    let name = escape::line(&player.name().whole()).into_owned();
    let call = CheckInPlayer { event_id: event.event_id, user_id: player.user_id, checked_in: Some(is_there) };
    let (title, meaning, done) = match is_there {
        true => {
            (format!("Check in {name}?"), "They are paired when the event starts.", format!("{name} is checked in."))
        }
        false => (
            format!("Undo the check-in of {name}?"),
            "They are not paired when the event starts, unless they check in again.",
            format!("{name} is not checked in."),
        ),
    };
    ConfirmDialog::new(title, vec![meaning.to_owned()], done).step(name, call)
}

fn start_round(event: &Event, round: u32) -> ConfirmDialog {
    let lines = vec!["Its games open at once. Players who are not there within a minute lose their match.".to_owned()];
    ConfirmDialog::new(format!("Start round {round} now?"), lines, format!("Round {round} has begun."))
        .step(format!("round {round}"), StartRound { event_id: event.event_id, round })
}

fn act_on_player(event_id: Uuid, player: &StageStanding, act: DirectorAct) -> ConfirmDialog {
    let name = escape::line(&player.name().whole()).into_owned();
    let (user_id, reason) = (player.user_id, String::new());
    let dialog = |title: String, meaning: &str, done: String| ConfirmDialog::new(title, vec![meaning.to_owned()], done);
    match act {
        DirectorAct::Disqualify(_) => dialog(
            format!("Disqualify {name}?"),
            "The opponent wins a match of theirs that is not decided. They are in no further round, are no winner, and are \
             told your reason. They can be reinstated.",
            format!("{name} is disqualified."),
        )
        .step(name, DisqualifyPlayer { event_id, user_id, reason }),
        DirectorAct::Reinstate(_) => dialog(
            format!("Reinstate {name}?"),
            "They play from the next round on, and are told your reason. Points for what was missed do not come back.",
            format!("{name} plays again."),
        )
        .step(name, ReinstatePlayer { event_id, user_id, reason }),
        _ => dialog(
            format!("Withdraw {name}?"),
            "The opponent wins a match of theirs that is not decided, and they are in no further round. What was played \
             stays. They are told your reason, and can be reinstated.",
            format!("{name} is withdrawn."),
        )
        .step(name, WithdrawPlayer { event_id, user_id, reason }),
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
