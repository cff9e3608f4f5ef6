//! An event in stage rounds: the tournament of the rules, and the games of its matches. It knows no clock, store or connection.
//!
//! The ids of a match's games are stored before the first one opens, so a pairing has no second game whatever happens.
//! Results follow from the games: what a stop lost of them is read from these.

mod acts;
mod verification;

use std::collections::HashMap;

use morpion_rules::{
    BoardSize, EndReason, Game, GameId, Mark, Millis, Status, Times, UserId,
    event::Stages,
    standings::WINNERS,
    tournament::{
        ABSENCES, Entrant, Format, MATCH_NO_SHOW, Match, Outcome, PairingError, Player, Reason, Side, StageRound,
        Standing, Tournament,
        encounter::{self, Next, PlayedGame},
    },
};
use morpion_store::TournamentText;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use acts::{Act, DirectorAct, StageRefusal};
use acts::{PlayerAct, Ruling};

/// A game of a match that is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct GameOver {
    id: GameId,
    /// `None`: it was void, and another one takes its place.
    result: Option<PlayedGame>,
    /// Somebody did not come, or nobody did.
    no_show: bool,
}

/// The games of a match.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct MatchGames {
    /// In the order in which they are opened; those behind may not be needed.
    ids: Vec<GameId>,
    over: Vec<GameOver>,
    rulings: Vec<Ruling>,
}

/// What is stored of a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Round {
    /// In play time; `None` for one that an earlier build paired.
    #[serde(default)]
    paired_at: Option<Millis>,
    /// When its games open, in play time.
    starts_at: Millis,
    /// The fixed time before which it does not begin, in calendar time; `None` for a round without one, and once a director
    /// has begun it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fixed_for: Option<Millis>,
    /// When that time had come, and the round began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fixed_begin: Option<Begin>,
    /// How many had entered when it was paired.
    entrants: usize,
    /// Who was withdrawn then.
    withdrawn: Vec<Player>,
    /// By match.
    games: Vec<MatchGames>,
}

/// The begin of a round that was fixed for a time, by both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Begin {
    calendar: Millis,
    steady: Millis,
}

#[derive(Serialize, Deserialize)]
struct StoredStage {
    format: Format,
    match_games: u8,
    lot: Side,
    board: BoardSize,
    paused: bool,
    entrants: Vec<Entrant>,
    #[serde(default)]
    acts: Vec<PlayerAct>,
}

#[derive(Serialize, Deserialize)]
struct StoredRound {
    pairings: StageRound,
    #[serde(flatten)]
    round: Round,
}

/// A game that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueGame {
    pub id: GameId,
    /// X, then O. X starts.
    pub players: [UserId; 2],
    pub board: BoardSize,
    /// Of its match in the last round.
    pub index: usize,
}

/// A match as it is shown.
#[derive(Debug, Clone)]
pub struct MatchView {
    pub pairing: Match,
    /// Those that were opened and not void, and who won them.
    pub games: Vec<(GameId, Option<Player>)>,
}

/// A round as it is shown.
#[derive(Debug, Clone)]
pub struct RoundView {
    /// In play time; `None` for one that is not paired yet.
    pub starts_at: Option<Millis>,
    /// The fixed time that it waits for, in calendar time.
    pub waits_for: Option<Millis>,
    pub matches: Vec<MatchView>,
}

/// When a round is paired, and when it begins.
#[derive(Debug, Clone, Copy)]
pub struct RoundTime {
    /// In play time.
    pub now: Millis,
    /// Until its games open, in milliseconds.
    pub pause: i64,
    /// The fixed time before which they do not, in calendar time.
    pub fixed_for: Option<Millis>,
}

impl Round {
    /// The fixed time that it waits for, in calendar time.
    fn waits_for(&self) -> Option<Millis> {
        self.fixed_for.filter(|_| self.fixed_begin.is_none())
    }
}

/// The round that was paired last, for notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastRound {
    /// From 1.
    pub number: u32,
    /// In play time, as `starts_at`.
    pub paired_at: Millis,
    pub starts_at: Millis,
    /// The fixed time that it waits for, in calendar time.
    pub waits_for: Option<Millis>,
}

/// What a player has in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnMatch {
    /// `None`: a bye.
    pub opponent: Option<UserId>,
    pub board: u32,
}

/// See the module.
#[derive(Debug, Clone)]
pub struct Stage {
    tournament: Tournament,
    board: BoardSize,
    /// No further round begins.
    paused: bool,
    /// What directors did with players, the first first.
    acts: Vec<PlayerAct>,
    /// One for each of the tournament's.
    rounds: Vec<Round>,
    /// The match of the last round that a game belongs to.
    by_game: HashMap<GameId, usize>,
}

impl Stage {
    /// Entrants with their ratings, in the order of their sign-ups.
    pub fn begin(stages: Stages, entrants: Vec<(UserId, u32)>, lot: Side) -> Self {
        let format = match stages.format {
            Format::Swiss { rounds: 0 } => Format::Swiss { rounds: Format::default_swiss_rounds(entrants.len()) },
            format => format,
        };
        let entrants = Tournament::seeded(entrants);
        Self {
            tournament: Tournament::new(format, stages.match_games, lot, entrants),
            board: stages.board,
            paused: false,
            acts: vec![],
            rounds: vec![],
            by_game: HashMap::new(),
        }
    }

    /// As it was stored.
    ///
    /// # Errors
    /// The text is no tournament.
    pub fn decode(text: &TournamentText) -> Result<Self, serde_json::Error> {
        let StoredStage { format, match_games, lot, board, paused, entrants, acts } =
            serde_json::from_str(&text.state)?;
        let mut stage = Self {
            tournament: Tournament::new(format, match_games, lot, entrants),
            board,
            paused,
            acts,
            rounds: vec![],
            by_game: HashMap::new(),
        };
        for round in &text.rounds {
            let StoredRound { pairings, round } = serde_json::from_str(round)?;
            stage.tournament.rounds.push(pairings);
            stage.rounds.push(round);
        }
        stage.index();
        Ok(stage)
    }

    /// What is stored of it, with the rounds from this one on, from 1.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn encode(&self, from: u32) -> Result<(String, Vec<(u32, String)>), serde_json::Error> {
        let Tournament { format, match_games, lot, entrants, rounds } = &self.tournament;
        let state = serde_json::to_string(&StoredStage {
            format: *format,
            match_games: *match_games,
            lot: *lot,
            board: self.board,
            paused: self.paused,
            entrants: entrants.clone(),
            acts: self.acts.clone(),
        })?;
        let numbered = (1..).zip(rounds.iter().zip(&self.rounds)).filter(|(number, _)| *number >= from);
        let rounds = numbered.map(|(number, (pairings, round))| {
            let stored = StoredRound { pairings: pairings.clone(), round: round.clone() };
            Ok((number, serde_json::to_string(&stored)?))
        });
        Ok((state, rounds.collect::<Result<_, serde_json::Error>>()?))
    }

    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// The number of the last round that was paired, from 1; 0 before.
    pub fn number(&self) -> u32 {
        self.rounds.len() as u32
    }

    /// `None` before the first round, and for one that an earlier build paired.
    pub fn last_round(&self) -> Option<LastRound> {
        let round = self.rounds.last()?;
        Some(LastRound {
            number: self.number(),
            paired_at: round.paired_at?,
            starts_at: round.starts_at,
            waits_for: round.waits_for(),
        })
    }

    /// The user's undecided match or bye in the last round; `None` for a player who is out or not paired.
    pub fn own_match(&self, user: UserId) -> Option<OwnMatch> {
        let player = self.tournament.player(user).filter(|player| !self.tournament.entrant(*player).withdrawn)?;
        let it = self.tournament.rounds.last()?.matches.iter().find(|it| it.players.contains(&Some(player)))?;
        let opponent = it.players.into_iter().flatten().find(|other| *other != player);
        let is_ahead = opponent.is_none() || it.outcome.is_none();
        is_ahead.then(|| OwnMatch { opponent: opponent.map(|other| self.user(other)), board: it.board })
    }

    pub fn standings(&self) -> Vec<Standing> {
        self.tournament.standings()
    }

    /// From 1; `None` for somebody who has not entered.
    pub fn rank_of(&self, user: UserId) -> Option<usize> {
        let player = self.tournament.player(user)?;
        Some(self.standings().into_iter().find(|row| row.player == player)?.rank as usize)
    }

    /// The first three places, best first, with a point and without those who were removed or disqualified.
    pub fn winners(&self, is_removed: impl Fn(UserId) -> bool) -> Vec<UserId> {
        let first = self.standings().into_iter().filter(|row| row.rank as usize <= WINNERS && row.points > 0.0);
        let first = first.map(|row| row.player).filter(|player| self.disqualification(*player).is_none());
        first.map(|player| self.user(player)).filter(|user| !is_removed(*user)).collect()
    }

    /// Games of the last round, whose ends may not be known here.
    pub fn games_of_last_round(&self) -> Vec<Uuid> {
        self.by_game.keys().map(|game| game.0).collect()
    }

    fn index(&mut self) {
        let last = self.rounds.last();
        let games = last.into_iter().flat_map(|round| round.games.iter().enumerate());
        self.by_game = games.flat_map(|(index, games)| games.ids.iter().map(move |id| (*id, index))).collect();
    }

    fn last_match(&self, index: usize) -> Option<(&Match, &MatchGames)> {
        Some((self.tournament.rounds.last()?.matches.get(index)?, self.rounds.last()?.games.get(index)?))
    }

    /// Decides a match of the last round.
    pub fn decide(&mut self, index: usize, outcome: Outcome) {
        if let Some(it) = self.tournament.rounds.last_mut().and_then(|round| round.matches.get_mut(index)) {
            it.outcome = Some(outcome);
        }
    }

    fn user(&self, player: Player) -> UserId {
        self.tournament.entrant(player).user
    }

    /// Both players of a match.
    fn players(&self, it: &Match) -> Option<[UserId; 2]> {
        let [Some(first), Some(second)] = it.players else { return None };
        Some([self.user(first), self.user(second)])
    }

    /// Notes a game that is over; false if it is none of the last round's, or known. A match that was decided meanwhile stays so.
    pub fn game_over(&mut self, game: &Game) -> bool {
        let Some((it, games)) = self.by_game.get(&game.id()).and_then(|index| self.last_match(*index)) else {
            return false;
        };
        let Some([first, _]) = self.players(it) else { return false };
        let over = over(game, first, self.initial_board(games));
        self.note(over)
    }

    /// Notes the games that ended while a change of this tournament was being stored: `before` is as it was in memory meanwhile.
    pub fn learn_from(&mut self, before: &Self) {
        let ended = before.rounds.last().into_iter().flat_map(|round| &round.games).flat_map(|games| &games.over);
        for over in ended {
            self.note(over.clone());
        }
    }

    fn note(&mut self, over: GameOver) -> bool {
        let Some(index) = self.by_game.get(&over.id).copied() else { return false };
        let Some((it, games)) = self.last_match(index) else { return false };
        if games.over.iter().any(|known| known.id == over.id) {
            return false;
        }
        let is_first = !games.over.iter().any(|over| over.result.is_some());
        let outcome = (it.outcome.is_none()).then(|| self.outcome_after(it, games, &over, is_first)).flatten();
        if let Some(games) = self.rounds.last_mut().and_then(|round| round.games.get_mut(index)) {
            games.over.push(over);
        }
        self.opened(index);
        if let Some(outcome) = outcome {
            self.decide(index, outcome);
        }
        true
    }

    /// The board on which the next game of a match begins.
    fn initial_board(&self, games: &MatchGames) -> BoardSize {
        match encounter::next(self.tournament.match_games, self.board, &played(games)) {
            Next::Game { board, .. } => board,
            Next::Decided(_) => self.board,
        }
    }

    /// The outcome that a game brings, if it does. Who does not come to the first game loses the match, to a later one that game.
    fn outcome_after(&self, it: &Match, games: &MatchGames, over: &GameOver, is_first: bool) -> Option<Outcome> {
        let winner = over.result.as_ref().and_then(|result| result.winner);
        if over.no_show && is_first {
            let present = Side::BOTH.map(|side| winner == Some(side));
            let left = it.players.iter().flatten().any(|player| self.tournament.entrant(*player).withdrawn);
            return Outcome::of_absence(present, if left { Reason::Withdrawn } else { Reason::Absent });
        }
        let mut played = played(games);
        played.extend(over.result.clone());
        if over.no_show && over.result.is_none() {
            return Some(encounter::decide(&played));
        }
        match encounter::next(self.tournament.match_games, self.board, &played) {
            Next::Decided(outcome) => Some(outcome),
            Next::Game { .. } => None,
        }
    }

    /// The games that are due: of matches of the last round that are not decided and have no game in play. A match needs
    /// the id of its next game: [`Stage::reserve_games`].
    pub fn due_games(&self, now: Millis, is_in_play: impl Fn(UserId, GameId) -> bool) -> Vec<DueGame> {
        let Some(round) = self.rounds.last().filter(|round| self.has_begun(round, now)) else { return vec![] };
        let open = (0..round.games.len()).filter_map(|index| {
            let (it, games) = self.last_match(index).filter(|(it, _)| it.outcome.is_none())?;
            let id = *games.ids.get(games.over.len())?;
            let Next::Game { board, x } = encounter::next(self.tournament.match_games, self.board, &played(games))
            else {
                return None;
            };
            let [first, second] = self.players(it)?;
            let players = if x == Side::First { [first, second] } else { [second, first] };
            (!is_in_play(first, id)).then_some(DueGame { id, players, board, index })
        });
        open.collect()
    }

    /// Whether the fixed time that the last round waits for has come.
    pub fn is_due(&self, now: Times) -> bool {
        let has_come = |round: &Round| round.waits_for().is_some_and(|at| now.calendar >= at);
        !self.paused && self.rounds.last().is_some_and(|round| has_come(round) && now.steady >= round.starts_at)
    }

    /// Begins the last round, whose fixed time has come: its players have from now on the time to come to it.
    pub fn begin_round(&mut self, now: Times) {
        if let Some(round) = self.rounds.last_mut() {
            round.starts_at = now.steady;
            round.fixed_begin = Some(Begin { calendar: now.calendar, steady: now.steady });
        }
    }

    /// Whether the games of the last round may open.
    fn has_begun(&self, round: &Round, now: Millis) -> bool {
        now >= round.starts_at && round.waits_for().is_none() && (!self.paused || self.is_under_way())
    }

    /// Whether a game of the last round was opened.
    fn is_under_way(&self) -> bool {
        self.tournament.rounds.last().is_some_and(|round| round.matches.iter().any(|it| it.begun))
    }

    /// Whether a match whose games were void needs the id of one more.
    pub fn lacks_games(&self) -> bool {
        (0..self.rounds.last().map_or(0, |round| round.games.len())).any(|index| self.lacks_game(index))
    }

    fn lacks_game(&self, index: usize) -> bool {
        self.last_match(index).is_some_and(|(it, games)| it.outcome.is_none() && games.over.len() >= games.ids.len())
    }

    /// Gives each match that needs it the id of one more game.
    pub fn reserve_games(&mut self) {
        let lacking: Vec<usize> = (0..self.rounds.last().map_or(0, |round| round.games.len()))
            .filter(|index| self.lacks_game(*index))
            .collect();
        for index in lacking {
            if let Some(games) = self.rounds.last_mut().and_then(|round| round.games.get_mut(index)) {
                games.ids.push(GameId(Uuid::new_v4()));
            }
        }
        self.index();
    }

    /// Whether a game is under way although its match is decided: by a director, or because a player left.
    pub fn is_superseded(&self, game: GameId) -> bool {
        let it = self.by_game.get(&game).and_then(|index| self.last_match(*index));
        it.is_none_or(|(it, _)| it.outcome.is_some())
    }

    /// Entrants who are removed from the event and not withdrawn yet.
    pub fn not_withdrawn(&self, is_removed: impl Fn(UserId) -> bool) -> Vec<UserId> {
        self.tournament.active().map(|player| self.user(player)).filter(|user| is_removed(*user)).collect()
    }

    /// A game that was opened before a restart goes on.
    pub fn game_resumed(&mut self, game: GameId) {
        if let Some(index) = self.by_game.get(&game).copied() {
            self.opened(index);
        }
    }

    /// The game of this match was opened: its players stay.
    pub fn opened(&mut self, index: usize) {
        if let Some(it) = self.tournament.rounds.last_mut().and_then(|round| round.matches.get_mut(index)) {
            it.begun = true;
        }
    }

    /// The outcome of a match whose game could not be opened because not all of its players are there; `None` until they have
    /// had a minute. After its first game it is decided as it stands.
    pub fn outcome_of_absence(&self, due: &DueGame, is_there: impl Fn(UserId) -> bool, now: Millis) -> Option<Outcome> {
        let (it, games) = self.last_match(due.index)?;
        let starts_at = self.rounds.last()?.starts_at;
        if now < games.replayed_at().map_or(starts_at, |at| at.max(starts_at)) + MATCH_NO_SHOW {
            return None;
        }
        match games.over.iter().any(|over| over.result.is_some()) {
            true => Some(encounter::decide(&played(games))),
            false => Outcome::of_absence(self.players(it)?.map(is_there), Reason::Absent),
        }
    }

    pub fn is_decided(&self) -> bool {
        self.tournament.rounds.last().is_none_or(StageRound::is_decided)
    }

    /// Decides the matches of the last round as they stand: its time is over.
    pub fn decide_all(&mut self) {
        let undecided: Vec<(usize, Outcome)> = (0..self.rounds.last().map_or(0, |round| round.games.len()))
            .filter_map(|index| {
                let (_, games) = self.last_match(index).filter(|(it, _)| it.outcome.is_none())?;
                Some((index, encounter::decide(&played(games))))
            })
            .collect();
        for (index, outcome) in undecided {
            self.decide(index, outcome);
        }
    }

    /// The round from which somebody who enters now plays; `None` if nobody may enter any more.
    pub fn entry_round(&self) -> Option<u32> {
        self.tournament.entry_round()
    }

    /// Enters those who signed up late, in the order given, and withdraws those who were absent twice or are removed: before
    /// the next round is paired.
    pub fn update_entrants(&mut self, signed_up: &[UserId], is_removed: impl Fn(UserId) -> bool) {
        let known: HashMap<UserId, Player> =
            self.tournament.players().map(|player| (self.user(player), player)).collect();
        for user in signed_up.iter().filter(|user| !known.contains_key(user) && !is_removed(**user)) {
            let Some(joined_round) = self.tournament.entry_round() else { break };
            self.tournament.entrants.push(Entrant { user: *user, rating: 0, joined_round, withdrawn: false });
        }
        for player in self.tournament.players() {
            // Whoever was reinstated is absent anew from then on.
            let was_withdrawn = self.rounds.last().is_some_and(|round| round.withdrawn.contains(&player));
            let is_absent = !was_withdrawn && self.tournament.absences(player) >= ABSENCES;
            if is_absent || is_removed(self.user(player)) {
                self.tournament.entrants[player as usize].withdrawn = true;
            }
        }
    }

    /// The tournament with one more round; `None` if it is over. Takes seconds with a thousand players.
    ///
    /// # Errors
    /// [`PairingError`]: the last round is not decided.
    pub fn with_next_round(&self, time: RoundTime) -> Result<Option<Self>, PairingError> {
        let Some(pairings) = self.tournament.pair_next()? else { return Ok(None) };
        let withdrawn = self.tournament.players().filter(|player| self.tournament.entrant(*player).withdrawn).collect();
        let games = pairings.matches.iter().map(|it| self.new_games(it)).collect();
        let mut next = self.clone();
        next.rounds.push(Round {
            paired_at: Some(time.now),
            starts_at: time.now + time.pause,
            fixed_for: time.fixed_for,
            fixed_begin: None,
            entrants: self.tournament.entrants.len(),
            withdrawn,
            games,
        });
        next.tournament.rounds.push(pairings);
        next.index();
        Ok(Some(next))
    }

    /// Ids for as many games as a match may have.
    fn new_games(&self, it: &Match) -> MatchGames {
        let most = usize::from(self.tournament.match_games) + usize::from(self.tournament.match_games == 2);
        let count = if it.outcome.is_some() { 0 } else { most };
        MatchGames { ids: (0..count).map(|_| GameId(Uuid::new_v4())).collect(), ..MatchGames::default() }
    }

    /// All rounds, also planned ones.
    pub fn views(&self) -> Vec<RoundView> {
        let paired = self.rounds.iter().map(Some).chain(std::iter::repeat(None));
        let rounds = self.tournament.plan().into_iter().zip(paired).map(|(pairings, round)| RoundView {
            starts_at: round.map(|round| round.starts_at),
            waits_for: round.and_then(Round::waits_for),
            matches: pairings
                .matches
                .into_iter()
                .enumerate()
                .map(|(index, pairing)| {
                    let games = round.and_then(|round| round.games.get(index)).map(|it| shown(&pairing, it));
                    MatchView { pairing, games: games.unwrap_or_default() }
                })
                .collect(),
        });
        rounds.collect()
    }
}

fn played(games: &MatchGames) -> Vec<PlayedGame> {
    games.over.iter().filter_map(|over| over.result.clone()).collect()
}

/// The side that won, where `first` has the first.
fn winner_of(game: &Game, first: UserId) -> Option<Side> {
    let winner = game.outcome().filter(|_| game.status() == Status::Completed)?.winner?;
    Some(if game.player(winner)?.user == first { Side::First } else { Side::Second })
}

/// What a game that is over says of its match; `board` is the one that it began on.
fn over(game: &Game, first: UserId, board: BoardSize) -> GameOver {
    let outcome = game.outcome();
    let reason = outcome.and_then(|outcome| outcome.reason);
    let nobody_came =
        reason == Some(EndReason::Void) && game.started_at().is_none() && outcome.is_some_and(|it| it.note.is_empty());
    let used = |side: Side| {
        let mark = Mark::BOTH
            .into_iter()
            .find(|mark| game.player(*mark).is_some_and(|player| (player.user == first) == (side == Side::First)));
        mark.zip(outcome).map_or(0, |(mark, outcome)| game.time_used(mark, outcome.at))
    };
    let boards = BoardSize::ALL.into_iter().filter(|size| (board..=game.board().size()).contains(size)).collect();
    let result = (game.status() == Status::Completed).then(|| PlayedGame {
        winner: winner_of(game, first),
        boards,
        used: Side::BOTH.map(used),
    });
    GameOver { id: game.id(), result, no_show: reason.is_some_and(EndReason::is_no_show) || nobody_came }
}

/// The games of a match that were opened and not void.
fn shown(pairing: &Match, games: &MatchGames) -> Vec<(GameId, Option<Player>)> {
    let over = games.over.iter().filter_map(|over| {
        let winner = over.result.as_ref()?.winner;
        Some((over.id, winner.and_then(|side| pairing.players[side.index()])))
    });
    let open = games.ids.get(games.over.len()).filter(|_| pairing.begun && pairing.outcome.is_none());
    over.chain(open.map(|id| (*id, None))).collect()
}

#[cfg(test)]
mod tests {
    use morpion_rules::{
        Command, EventId,
        clock::TimeControl,
        game::{Entrant as Seat, EventSetup, Player as Seated, Tiebreak},
    };

    use super::*;

    const NOW: Millis = Millis(1_000);

    fn user(number: u128) -> UserId {
        UserId(Uuid::from_u128(number))
    }

    /// The first round of two players who play two games.
    fn stage() -> Stage {
        let stages = Stages { format: Format::RoundRobin { double: false }, match_games: 2, board: BoardSize::MIN };
        let stage = Stage::begin(stages, vec![(user(1), 1_600), (user(2), 1_500)], Side::First);
        let time = RoundTime { now: NOW, pause: 0, fixed_for: None };
        let mut stage = stage.with_next_round(time).unwrap().unwrap();
        stage.opened(0);
        stage
    }

    /// A round of two players that was paired at 0 and is fixed for this calendar time.
    fn fixed_for(at: i64) -> Stage {
        let stages = Stages { format: Format::RoundRobin { double: false }, match_games: 2, board: BoardSize::MIN };
        let stage = Stage::begin(stages, vec![(user(1), 1_600), (user(2), 1_500)], Side::First);
        let time = RoundTime { now: Millis(0), pause: 20_000, fixed_for: Some(Millis(at)) };
        stage.with_next_round(time).unwrap().unwrap()
    }

    fn times(calendar: i64, steady: i64) -> Times {
        Times { calendar: Millis(calendar), steady: Millis(steady) }
    }

    fn due(stage: &Stage) -> DueGame {
        stage.due_games(NOW, |_, _| false)[0]
    }

    /// The game that is due, to which nobody has come yet.
    fn waiting(stage: &Stage) -> Game {
        let DueGame { id, players, board, .. } = due(stage);
        let entrants = players.map(|user| Seat {
            player: Seated { user, username: user.to_string() },
            tiebreak: Tiebreak { losses: 0, joined_event_at: NOW },
        });
        let event = EventId(Uuid::from_u128(9));
        let setup = EventSetup {
            id,
            event,
            entrants,
            level: 1,
            size: board,
            starter: Mark::X,
            seed: 1,
            control: TimeControl::PerTurn,
            no_show: MATCH_NO_SHOW,
            rated: false,
        };
        Game::event(setup, NOW).unwrap()
    }

    /// The game that is due, ended by a command after both have come.
    fn ended(stage: &Stage, command: &Command) -> Game {
        let mut game = waiting(stage);
        for number in [1, 2] {
            game.apply(&Command::Join { user: user(number) }, NOW).unwrap();
        }
        game.apply(command, NOW).unwrap();
        game
    }

    #[test]
    fn a_game_that_ends_while_a_change_is_stored_is_not_lost() {
        let mut in_memory = stage();
        let mut stored = in_memory.clone();
        stored.pause(true, NOW);
        let first = ended(&in_memory, &Command::Forfeit { user: user(2) });
        assert!(in_memory.game_over(&first) && !in_memory.game_over(&first), "it counts once");
        stored.learn_from(&in_memory);
        assert!(stored.is_paused());
        assert_ne!(due(&stored).id, first.id());
        assert_eq!(due(&stored), due(&in_memory));
        // The one that decides the match.
        let second = ended(&in_memory, &Command::Forfeit { user: user(2) });
        in_memory.game_over(&second);
        stored.learn_from(&in_memory);
        assert!(stored.is_decided());
        assert_eq!(stored.winners(|_| false), [user(1)]);
    }

    #[test]
    fn a_tournament_comes_back_from_its_text_and_its_games() {
        let mut before = stage();
        let text = before.encode(1).unwrap();
        let first = ended(&before, &Command::Forfeit { user: user(1) });
        before.game_over(&first);
        let text = TournamentText { state: text.0, rounds: text.1.into_iter().map(|(_, round)| round).collect() };
        let mut after = Stage::decode(&text).unwrap();
        assert_eq!(after.games_of_last_round().len(), 3);
        after.game_over(&first);
        assert_eq!(due(&after), due(&before), "what was stored before the game is completed by it");
        assert!(Stage::decode(&TournamentText { state: "{}".to_owned(), rounds: vec![] }).is_err());
    }

    #[test]
    fn a_round_begins_at_its_fixed_time_by_the_calendar_and_not_before_the_pause() {
        let mut stage = fixed_for(90_000);
        let due = |stage: &Stage, steady| stage.due_games(Millis(steady), |_, _| false).len();
        assert!(!stage.is_due(times(89_999, 89_999)));
        assert_eq!(due(&stage, 500_000), 0, "only the calendar counts");
        assert!(!stage.is_due(times(90_000, 19_999)), "the clock was set forward while the pause lasts");
        stage.pause(true, Millis(0));
        assert!(!stage.is_due(times(90_000, 90_000)));
        stage.pause(false, Millis(0));
        // The clock was set, or the server was down: it is late, and everybody has the same minute to come.
        let late = times(900_000, 30_000);
        assert!(stage.is_due(late));
        stage.begin_round(late);
        assert!(!stage.is_due(late), "it begins once");
        let game = stage.due_games(late.steady, |_, _| false)[0];
        let absence = |now: i64| stage.outcome_of_absence(&game, |_| false, Millis(now));
        assert!(absence(30_000 + MATCH_NO_SHOW - 1).is_none() && absence(30_000 + MATCH_NO_SHOW).is_some());
        // The clock is set back.
        assert_eq!(due(&stage, 30_001), 1);
    }

    #[test]
    fn players_of_the_last_round_are_told_of_it_unless_they_are_out_or_it_is_decided() {
        let stages = Stages { format: Format::RoundRobin { double: false }, match_games: 1, board: BoardSize::MIN };
        let entrants = (1..=3).map(|number| (user(number.into()), 1_600 - number)).collect();
        let before = Stage::begin(stages, entrants, Side::First);
        assert_eq!((before.last_round(), before.own_match(user(1))), (None, None));
        let time = RoundTime { now: NOW, pause: 20_000, fixed_for: Some(Millis(90_000)) };
        let mut stage = before.with_next_round(time).unwrap().unwrap();
        let waits_for = Some(Millis(90_000));
        let round = LastRound { number: 1, paired_at: NOW, starts_at: NOW + 20_000, waits_for };
        assert_eq!(stage.last_round(), Some(round));
        let own = [1, 2, 3].map(|number| stage.own_match(user(number)).unwrap());
        let bye = own.iter().position(|own| own.opponent.is_none()).unwrap();
        let playing: Vec<usize> = (0..3).filter(|index| *index != bye).collect();
        assert_eq!(own[playing[0]].opponent, Some(user(playing[1] as u128 + 1)));
        assert_eq!(own[playing[0]].board, own[playing[1]].board);
        assert_eq!(stage.own_match(user(4)), None);
        stage.remove(user(playing[0] as u128 + 1));
        assert_eq!([0, 1].map(|at| stage.own_match(user(playing[at] as u128 + 1))), [None, None]);
        assert!(stage.own_match(user(bye as u128 + 1)).is_some());
    }

    #[test]
    fn a_fixed_time_is_stored_with_its_round() {
        let stored = |stage: &Stage| {
            let (state, rounds) = stage.encode(1).unwrap();
            let rounds = rounds.into_iter().map(|(_, round)| round).collect();
            Stage::decode(&TournamentText { state, rounds }).unwrap()
        };
        let mut stage = stored(&fixed_for(90_000));
        assert_eq!(stage.views()[0].waits_for, Some(Millis(90_000)));
        stage.begin_round(times(90_001, 90_001));
        let stage = stored(&stage);
        assert_eq!(stage.views()[0].waits_for, None);
        assert_eq!(stage.views()[0].starts_at, Some(Millis(90_001)));
        assert!(!fixed_for(1).encode(1).unwrap().1[0].1.contains("fixed_begin"));
    }

    #[test]
    fn a_void_game_is_played_again_and_a_later_no_show_loses_that_game_alone() {
        let mut stage = stage();
        for _ in 0..5 {
            if stage.lacks_games() {
                stage.reserve_games();
            }
            let void = ended(&stage, &Command::Void);
            assert!(stage.game_over(&void));
            assert!(!stage.is_decided());
        }
        stage.reserve_games();
        stage.game_over(&ended(&stage, &Command::Forfeit { user: user(2) }));
        stage.reserve_games();
        let mut game = waiting(&stage);
        game.apply(&Command::Join { user: user(2) }, NOW).unwrap();
        game.apply(&Command::Tick, NOW + MATCH_NO_SHOW).unwrap();
        assert_eq!(game.outcome().and_then(|outcome| outcome.reason), Some(EndReason::NoShow));
        stage.game_over(&game);
        assert!(!stage.is_decided(), "one all: a third game decides");
    }
}
