//! The cases in `vectors/`, which the web app's tests read too. This file is where they come from:
//! `MORPION_WRITE_VECTORS=1 cargo test -p morpion-rules --test vectors` regenerates them, and
//! without that variable any difference fails. `vectors/README.md` says how to read them.

#[path = "support/positions.rs"]
mod positions;
mod support;

use morpion_rules::board::Misplaced;
use morpion_rules::clock::{
    BASE_TIME, EVENT_DISCONNECT, EVENT_END_GRACE, INCREMENT, INVITE_DISCONNECT, INVITE_LIFETIME, LATE_MOVE_GRACE,
    NO_SHOW, RESTART_GRACE, TURN_TIME,
};
use morpion_rules::event::EventRefusal;
use morpion_rules::game::{DRAWN_ROUNDS_TO_GROW, LEVEL_OUTSIDE_EVENTS, MAX_DRAWN_ROUNDS};
use morpion_rules::matchmaking::{GAP_WIDENS_EVERY, LEVEL_GAP, REMATCH_AVOIDED};
use morpion_rules::notation::{Notation, NotedRound};
use morpion_rules::solver::Solver;
use morpion_rules::standings::{FIRST_LEVEL, Standing, Standings, WINNERS, board_size};
use morpion_rules::{Board, BoardSize, Cell, Command, Effect, Game, Line, Mark, Refusal, UserId};
use positions::random_position;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use support::*;

/// Fails unless the file matches the rules; one case per line, for small diffs.
/// Compared by value: the order of keys depends on how serde_json was built.
fn verify(name: &str, cases: &[Value]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name);
    if std::env::var_os("MORPION_WRITE_VECTORS").is_some() {
        let lines: Vec<String> = cases.iter().map(Value::to_string).collect();
        fs::write(&path, format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
    }
    let stored: Vec<Value> = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(stored, cases, "{name} is stale: write it again as tests/vectors.rs says");
}

fn pair(cell: Cell) -> Value {
    json!([cell.row(), cell.col()])
}

fn line(line: Line) -> Value {
    line.cells().map(pair).collect()
}

fn rows(board: &Board) -> Value {
    let name = |mark: &Option<Mark>| mark.map_or("", Mark::as_str);
    board.rows().iter().map(|row| row.iter().map(name).collect::<Value>()).collect()
}

#[test]
fn lines() {
    let cases: Vec<Value> = BoardSize::ALL
        .into_iter()
        .map(|size| {
            json!({
                "size": size.get(),
                "winLength": size.win_length(),
                "lines": size.lines().map(line).collect::<Value>(),
            })
        })
        .collect();
    verify("lines.json", &cases);
}

/// The result of these moves on one device; stops at the first refused move.
fn local_game(name: String, side: u8, starter: Mark, moves: &[(u8, u8)]) -> Value {
    let mut board = Board::empty(size(side));
    let mut to_move = starter;
    let mut refused = None;
    for (index, &(row, col)) in moves.iter().enumerate() {
        let over = board.winning_line().is_some() || board.is_full();
        let placed = match Cell::new(row, col) {
            _ if over => Err(Refusal::GameOver),
            None => Err(Refusal::OffBoard),
            Some(cell) => board.place(cell, to_move).map_err(|why| match why {
                Misplaced::OffBoard => Refusal::OffBoard,
                Misplaced::Taken => Refusal::CellTaken,
            }),
        };
        match placed {
            Ok(next) => board = next,
            Err(refusal) => {
                refused = Some((index, refusal));
                break;
            }
        }
        to_move = to_move.other();
    }
    let won = board.winning_line();
    let is_draw = won.is_none() && board.is_full();
    let over = won.is_some() || is_draw;
    json!({
        "name": name,
        "size": side,
        "starter": starter.as_str(),
        "moves": moves.iter().map(|&(row, col)| json!([row, col])).collect::<Value>(),
        "expect": {
            "board": rows(&board),
            "winner": won.map(|(mark, _)| mark.as_str()),
            "winningLine": won.map(|(_, won)| line(won)),
            "isDraw": is_draw,
            "nextTurn": if over { None } else { Some(to_move.as_str()) },
            "refusedAt": refused.map(|(index, _)| index),
            "refusal": refused.map(|(_, refusal)| refusal.code()),
        },
    })
}

/// Moves that fill the board without a line.
fn drawn_moves(side: u8) -> Vec<(u8, u8)> {
    let [first, second] = drawn_cells(side);
    let coordinates = |cell: &Cell| (cell.row(), cell.col());
    let turn = |ply: usize| coordinates(if ply.is_multiple_of(2) { &first } else { &second }.get(ply / 2).unwrap());
    (0..usize::from(side) * usize::from(side)).map(turn).collect()
}

/// All cells in an order that depends only on the seed, with some refused ones.
fn shuffled_moves(side: u8, seed: u64) -> Vec<(u8, u8)> {
    let mut state = seed;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut moves: Vec<(u8, u8)> = (0..side).flat_map(|row| (0..side).map(move |col| (row, col))).collect();
    for last in (1..moves.len()).rev() {
        moves.swap(last, random(last + 1));
    }
    if seed % 4 == 3 {
        let twice = moves[0];
        moves.insert(2 + random(4), twice);
    }
    moves
}

#[test]
fn games() {
    let mut cases = vec![
        local_game("nothing played".into(), 3, Mark::X, &[]),
        local_game("O starts".into(), 3, Mark::O, &[(1, 1)]),
        local_game("a row".into(), 3, Mark::X, &[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]),
        local_game(
            "a column for who moves second".into(),
            3,
            Mark::X,
            &[(0, 0), (0, 1), (2, 2), (1, 1), (1, 0), (2, 1)],
        ),
        local_game("falling diagonal".into(), 3, Mark::O, &[(0, 0), (0, 1), (1, 1), (0, 2), (2, 2)]),
        local_game("rising diagonal".into(), 3, Mark::X, &[(0, 2), (0, 1), (1, 1), (0, 0), (2, 0)]),
        local_game(
            "two lines with the last cell: the row is shown".into(),
            3,
            Mark::X,
            &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 1), (2, 0), (2, 2)],
        ),
        local_game(
            "a row and a column at once: the row is shown".into(),
            3,
            Mark::X,
            &[(0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (1, 2), (2, 2), (0, 2), (2, 0)],
        ),
        local_game("three are not enough on 4x4".into(), 4, Mark::X, &[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]),
        local_game(
            "five in a row: the leftmost four are shown".into(),
            5,
            Mark::X,
            &[(2, 0), (0, 0), (2, 1), (0, 1), (2, 3), (0, 2), (2, 4), (4, 4), (2, 2)],
        ),
        local_game(
            "six in a column: the topmost four are shown".into(),
            6,
            Mark::X,
            &[(0, 1), (0, 0), (1, 1), (0, 2), (2, 1), (0, 4), (4, 1), (0, 5), (5, 1), (5, 5), (3, 1)],
        ),
        local_game("a taken cell".into(), 3, Mark::X, &[(1, 1), (1, 1), (0, 0)]),
        local_game("a row off the board".into(), 3, Mark::X, &[(1, 1), (3, 0)]),
        local_game("a column off the board".into(), 5, Mark::O, &[(0, 5)]),
        local_game("a row off every board".into(), 6, Mark::X, &[(0, 0), (6, 0)]),
        local_game("a move after the win".into(), 3, Mark::X, &[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (2, 2)]),
    ];
    for side in 3..=6 {
        for starter in Mark::BOTH {
            let name = format!("{side}x{side} drawn, {starter} starts");
            cases.push(local_game(name, side, starter, &drawn_moves(side)));
        }
        let mut after = drawn_moves(side);
        after.push((0, 0));
        cases.push(local_game(format!("{side}x{side}, a move after the draw"), side, Mark::X, &after));
        for seed in 0..12 {
            let starter = Mark::BOTH[(seed % 2) as usize];
            let moves = shuffled_moves(side, seed + u64::from(side) * 1_000);
            cases.push(local_game(format!("{side}x{side} shuffled {seed}"), side, starter, &moves));
        }
    }
    let won = |mark: &str| cases.iter().filter(|case| case["expect"]["winner"] == mark).count();
    assert!(won("X") > 10 && won("O") > 10, "both win often enough to be a test");
    verify("games.json", &cases);
}

/// A run of commands on a live game, with the effect of each.
struct Run {
    game: Game,
    first: Value,
    steps: Vec<Value>,
}

impl Run {
    fn new(name: &str, kind: &str, game: Game) -> Run {
        let first = json!({
            "name": name,
            "kind": kind,
            "size": game.board().size().get(),
            "starter": game.starter().as_str(),
        });
        Run { game, first, steps: Vec::new() }
    }

    /// `command` as written in the vectors: what is done, by whom, and with what.
    fn describe(command: &Command) -> Value {
        let by = |user: &UserId| Mark::BOTH.into_iter().find(|&mark| self::user(mark) == *user);
        let plain = |name: &str, user: &UserId| json!({"do": name, "by": by(user).map(Mark::as_str)});
        match command {
            Command::Join { user } => plain("join", user),
            Command::Leave { user } => plain("leave", user),
            Command::Connect { user } => plain("connect", user),
            Command::Disconnect { user } => plain("disconnect", user),
            Command::Forfeit { user } => plain("forfeit", user),
            Command::ClaimWin { user } => plain("claimWin", user),
            Command::Cancel { user } => plain("cancel", user),
            Command::Move { user, cell, at_version } => {
                let mut described = plain("move", user);
                described["cell"] = pair(*cell);
                if let Some(version) = at_version {
                    described["atVersion"] = json!(version);
                }
                described
            }
            Command::Tick => json!({"do": "tick", "by": null}),
            other => panic!("{other:?} is not part of the shared runs"),
        }
    }

    fn effect(effect: &Effect) -> &'static str {
        match effect {
            Effect::Joined { .. } => "joined",
            Effect::Left { .. } => "left",
            Effect::SeatClaimed { .. } => "seatClaimed",
            Effect::PlayerReplaced { .. } => "playerReplaced",
            Effect::GameStarted { .. } => "gameStarted",
            Effect::MoveMade { .. } => "moveMade",
            Effect::RoundDrawn { .. } => "roundDrawn",
            Effect::Drawn => "drawn",
            Effect::Ended { .. } => "ended",
            Effect::OpponentDisconnected { .. } => "opponentDisconnected",
            Effect::OpponentReconnected { .. } => "opponentReconnected",
            Effect::Cancelled { .. } => "cancelled",
            Effect::Resumed { .. } => "resumed",
        }
    }

    fn at(mut self, ms: i64, command: Command) -> Run {
        let answer = self.game.apply(&command, START + ms);
        let mut step = json!({ "at": ms });
        let described = Run::describe(&command);
        step.as_object_mut().unwrap().extend(described.as_object().unwrap().clone());
        let outcome = self.game.outcome();
        step["expect"] = json!({
            "refusal": answer.as_ref().err().map(|refusal| refusal.code()),
            "effects": answer.iter().flatten().map(Run::effect).collect::<Value>(),
            "status": self.game.status().as_str(),
            "version": self.game.version(),
            "nextTurn": self.game.to_move().map(Mark::as_str),
            "winner": self.game.winner().map(Mark::as_str),
            "isDraw": self.game.is_draw(),
            "reason": outcome.and_then(|o| o.reason).map(|reason| reason.as_str()),
            "board": rows(self.game.board()),
            "drawCount": self.game.draw_count(),
            "turnDeadline": self.game.turn_deadline().map(|at| at - START),
        });
        self.steps.push(step);
        self
    }

    fn both_join(self) -> Run {
        self.at(0, join(Mark::X)).at(0, join(Mark::O))
    }

    fn moves(mut self, moves: &[(u8, u8)]) -> Run {
        for (index, &(row, col)) in (1..).zip(moves) {
            let mark = self.game.to_move().unwrap_or(Mark::X);
            self = self.at(index * 1_000, play(mark, cell(row, col)));
        }
        self
    }

    fn finish(mut self) -> Value {
        self.first["steps"] = self.steps.into();
        self.first
    }
}

fn invited(name: &str, side: u8, starter: Mark) -> Run {
    Run::new(name, "invite", Game::invite(invite_setup(side, starter), START).unwrap())
}

fn paired(name: &str, side: u8, starter: Mark) -> Run {
    Run::new(name, "event", Game::event(event_setup(side, starter), START).unwrap())
}

fn sent(mark: Mark, row: u8, col: u8, seen: u64) -> Command {
    Command::Move { user: user(mark), cell: cell(row, col), at_version: Some(seen) }
}

#[test]
fn runs() {
    let of = |make: fn(UserId) -> Command, mark| make(user(mark));
    let leave = |mark| of(|user| Command::Leave { user }, mark);
    let disconnect = |mark| of(|user| Command::Disconnect { user }, mark);
    let connect = |mark| of(|user| Command::Connect { user }, mark);
    let forfeit = |mark| of(|user| Command::Forfeit { user }, mark);
    let claim = |mark| of(|user| Command::ClaimWin { user }, mark);
    let cancel = |mark| of(|user| Command::Cancel { user }, mark);
    let win = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)];
    let cases = [
        invited("an invite game to a win", 3, Mark::X).both_join().moves(&win),
        invited("an invite game O starts", 4, Mark::O).both_join().moves(&[(0, 0), (1, 0)]),
        invited("an invite game to a draw", 3, Mark::X).both_join().moves(&drawn_moves(3)),
        invited("a forfeit", 3, Mark::X).both_join().moves(&win[..2]).at(5_000, forfeit(Mark::O)),
        invited("what is refused", 3, Mark::X)
            .at(0, play(Mark::X, cell(0, 0)))
            .at(0, forfeit(Mark::X))
            .both_join()
            .at(1, play(Mark::O, cell(0, 0)))
            .at(2, play(Mark::X, cell(4, 0)))
            .at(3, play(Mark::X, cell(0, 0)))
            .at(4, play(Mark::X, cell(1, 1)))
            .at(5, play(Mark::O, cell(0, 0)))
            .at(6, cancel(Mark::X))
            .at(7, claim(Mark::X)),
        invited("a move sent again", 3, Mark::X)
            .both_join()
            .at(1, sent(Mark::X, 0, 0, 4))
            .at(2, sent(Mark::X, 0, 0, 4))
            .at(3, sent(Mark::O, 1, 1, 5))
            .at(4, sent(Mark::X, 0, 0, 4))
            .at(5, sent(Mark::X, 2, 2, 6)),
        invited("called off by the invited", 3, Mark::X).at(0, join(Mark::X)).at(9, cancel(Mark::O)),
        invited("nobody came", 3, Mark::X)
            .at(0, join(Mark::X))
            .at(INVITE_LIFETIME - 1, Command::Tick)
            .at(INVITE_LIFETIME, Command::Tick),
        invited("an opponent who comes back", 3, Mark::X)
            .both_join()
            .at(1_000, disconnect(Mark::O))
            .at(2_000, claim(Mark::X))
            .at(30_000, connect(Mark::O))
            .at(70_000, claim(Mark::X)),
        invited("an opponent who does not", 3, Mark::X)
            .both_join()
            .at(1_000, leave(Mark::O))
            .at(61_000, claim(Mark::X)),
        paired("an event game to a win", 3, Mark::O).both_join().moves(&win),
        paired("a drawn round, then a win", 3, Mark::X)
            .both_join()
            .moves(&drawn_moves(3))
            .at(10_000, play(Mark::O, cell(0, 0)))
            .at(11_000, play(Mark::X, cell(1, 0)))
            .at(12_000, play(Mark::O, cell(0, 1)))
            .at(13_000, play(Mark::X, cell(1, 1)))
            .at(14_000, play(Mark::O, cell(0, 2))),
        paired("the clock runs out", 3, Mark::X)
            .both_join()
            .at(15_500, Command::Tick)
            .at(15_501, play(Mark::X, cell(0, 0)))
            .at(15_501, Command::Tick),
        paired("a late move that counts", 3, Mark::X).both_join().at(15_500, play(Mark::X, cell(0, 0))),
        paired("one did not come", 3, Mark::X).at(5, join(Mark::O)).at(NO_SHOW, Command::Tick),
        paired("neither came", 3, Mark::X).at(NO_SHOW, Command::Tick),
        paired("gone for too long", 3, Mark::X)
            .both_join()
            .at(1_000, play(Mark::X, cell(0, 0)))
            .at(1_000, disconnect(Mark::X))
            .at(16_000, play(Mark::O, cell(1, 1)))
            .at(31_000, Command::Tick),
    ];
    verify("runs.json", &cases.map(Run::finish));
}

#[test]
fn positions() {
    let mut cases = Vec::new();
    for (side, stones) in [(3, 0..=7), (4, 1..=12), (5, 3..=18), (6, 3..=22)] {
        let mut solver = Solver::new(size(side));
        for (count, seed) in stones.flat_map(|count| [(count, 1), (count, 2)]) {
            let (board, to_move) = random_position(size(side), count, seed);
            let solution = solver.solve(&board, to_move, 1_000_000).unwrap();
            cases.push(json!({
                "size": side,
                "board": rows(&board),
                "turn": to_move.as_str(),
                "value": solution.value.as_str(),
                "keeping": solution.keeping.iter().copied().map(pair).collect::<Value>(),
            }));
        }
    }
    verify("positions.json", &cases);
}

#[test]
fn boards_by_level() {
    let cases: Vec<Value> =
        (1..=10).map(|level| json!({"lowerLevel": level, "size": board_size(level).get()})).collect();
    verify("board-sizes.json", &cases);
}

#[test]
fn leaderboards() {
    let board = |name: &str, rows: &[[u32; 4]]| {
        let standing = |(n, &[level, wins, losses, reached]): (u128, &[u32; 4])| Standing {
            user: id(n),
            level,
            wins,
            losses,
            starts: 0,
            joined_at: START,
            reached_at: START + i64::from(reached),
            removed: false,
        };
        let standings = Standings::restore(3, (1..).zip(rows).map(standing), []);
        let name_of = |standing: &Standing| format!("p{}", standing.user.0.as_u128());
        let players: Value = (1..)
            .zip(rows)
            .map(|(n, [level, wins, losses, reached]): (u32, _)| {
                json!({
                    "player": format!("p{n}"), "level": level, "wins": wins, "losses": losses,
                    "reachedAt": reached,
                })
            })
            .collect();
        json!({
            "name": name,
            "players": players,
            "order": standings.leaderboard().map(name_of).collect::<Value>(),
            "winners": standings.winners().iter().map(name_of).collect::<Value>(),
        })
    };
    let cases = [
        board("nobody", &[]),
        board("nobody has played", &[[1, 0, 0, 3], [1, 0, 0, 1]]),
        board("level before wins", &[[2, 9, 0, 1], [3, 1, 0, 1]]),
        board("wins before losses", &[[3, 2, 0, 1], [3, 3, 2, 1]]),
        board("fewer losses first", &[[2, 1, 2, 1], [2, 1, 0, 9]]),
        board("then who got there first", &[[2, 1, 1, 9], [2, 1, 1, 5]]),
        board("who has not played comes last", &[[1, 0, 0, 0], [1, 0, 2, 9]]),
        board("three of five win", &[[2, 1, 0, 5], [4, 3, 1, 9], [1, 0, 3, 9], [2, 1, 1, 2], [3, 2, 2, 7]]),
        board("winners need a win", &[[2, 1, 0, 1], [1, 0, 1, 1], [1, 0, 0, 0]]),
    ];
    verify("leaderboards.json", &cases);
}

#[test]
fn constants() {
    let durations = [
        ("turnTimeMs", TURN_TIME),
        ("baseTimeMs", BASE_TIME),
        ("incrementMs", INCREMENT),
        ("lateMoveGraceMs", LATE_MOVE_GRACE),
        ("noShowMs", NO_SHOW),
        ("eventDisconnectMs", EVENT_DISCONNECT),
        ("inviteDisconnectMs", INVITE_DISCONNECT),
        ("inviteLifetimeMs", INVITE_LIFETIME),
        ("restartGraceMs", RESTART_GRACE),
        ("eventEndGraceMs", EVENT_END_GRACE),
        ("gapWidensEveryMs", GAP_WIDENS_EVERY),
        ("rematchAvoidedMs", REMATCH_AVOIDED),
        ("levelGap", LEVEL_GAP.into()),
        ("firstLevel", FIRST_LEVEL.into()),
        ("levelOutsideEvents", LEVEL_OUTSIDE_EVENTS.into()),
        ("maxDrawnRounds", MAX_DRAWN_ROUNDS.into()),
        ("drawnRoundsToGrow", DRAWN_ROUNDS_TO_GROW.into()),
        ("winners", WINNERS as i64),
    ];
    let cases = durations.map(|(name, value)| json!({"name": name, "value": value}));
    verify("constants.json", &cases);
}

#[test]
fn refusals() {
    let publishing = [
        EventRefusal::TitleRequired,
        EventRefusal::TitleRequiredToPublish,
        EventRefusal::StartRequiredToPublish,
        EventRefusal::EndRequiredToPublish,
        EventRefusal::EndNotAfterStart,
    ];
    let of_games = Refusal::ALL.map(|r| json!({"of": "game", "code": r.code(), "text": r.text()}));
    let of_events = publishing.map(|r| json!({"of": "event", "code": r.code(), "text": r.text()}));
    verify("refusals.json", &[&of_games[..], &of_events[..]].concat());
}

fn noted(game: &Notation) -> Value {
    let round = |round: &NotedRound| {
        let moves: Value = round.cells.iter().copied().map(pair).collect();
        json!({ "boardSize": round.size.get(), "starter": round.starter.as_str(), "moves": moves })
    };
    let tags = game.tags.iter().map(|tag| json!([tag.name(), tag.value()])).collect::<Value>();
    json!({ "tags": tags, "rounds": game.rounds.iter().map(round).collect::<Value>(), "result": game.score.as_str() })
}

/// A text of one game, and what it says or why it is none.
fn read_text(text: &str) -> Value {
    match Notation::parse(text) {
        Ok(game) => json!({ "text": text, "game": noted(&game), "written": game.to_string() }),
        Err(error) => json!({ "text": text, "error": error.to_string() }),
    }
}

#[test]
fn notation() {
    let with = |tags: &str, moves: &str, score: &str| {
        format!("{tags}[X \"ada\"]\n[O \"bob\"]\n[Result \"{score}\"]\n\n{moves}\n{score}\n")
    };
    let mut texts = vec![
        with("", "1. 3x3 X b2 a1 c1 c3 a3", "1-0"),
        with("[Event \"The \\\"Cup\\\" \\\\ 1\"]\n[BoardSize \"4\"]\n[LineLength \"4\"]\n", "1. 4x4 O d4 a1", "*"),
        with("", "", "0-1"),
        with("", "1. 3x3 O a1 b2 c3 b1 b3 a3 c1 c2 a2", "1/2-1/2"),
        with("", "1. 3x3 O a1 b2 c3 b1 b3 a3 c1 c2 a2\n2. 3x3 X a1", "1-0"),
        with(
            "[Rounds \"3\"]\n",
            "1. 3x3 O a1 b2 c3 b1 b3 a3 c1 c2 a2\n2. 3x3 X a1 b2 c3 b1 b3 a3 c1 c2 a2 3. 4x4 O f1",
            "1-0",
        ),
        with("", "1. 3x3 O a1 b2 c3 b1 b3 a3 c1 c2 a2\n2. 3x3 X a1 b2 c3 b1 b3 a3 c1 c2 a2 3. 4x4 O d1", "1-0"),
        format!("\u{FEFF}{}", with(" [ Own_1\t\"\"  ]\r\n", "1. 6x6 X f6", "*")),
        String::new(),
        "[X \"ada\"]\n*".to_owned(),
        "[X \"ada]\n*".to_owned(),
        "[X \"a\u{200B}da\"]\n*".to_owned(),
        with("[X \"eve\"]", "", "*"),
        with("[Rounds \"2\"]", "1. 3x3 X a1", "*"),
        with("[LineLength \"4\"]", "1. 3x3 X a1", "*"),
        [with("", "", "*"), with("", "", "*")].concat(),
        "x".repeat(17_000),
    ];
    for moves in
        ["1. 3x3 X", "1. 3x3 X a4", "1. 3x3 X b2 b2", "2. 3x3 X a1", "1. 7x7 X a1", "1. 3x3 X a1\n2. 3x3 O a1", "a1"]
    {
        texts.push(with("", moves, "*"));
    }
    texts.push(with("", "1. 3x3 X a1 a2 b1 b2 c1 c2", "1-0"));
    texts.push(with("", "1. 3x3 X a1 a2 b1 b2 c1", "0-1"));
    texts.push(with("", "1. 3x3 X a1", "1/2-1/2"));
    texts.push(with("", "1. 3x3 X a1", "*").replace("\n*", "\n2-0"));
    texts.push(with("", "1. 3x3 O a1 b2 c3 b1 b3 a3 c1 c2 a2\n2. 3x3 O a1", "1-0"));
    texts.push(with("", "1. 3x3 O a1 b2 c3 b1 b3 a3 c1 c2 a2\n2. 4x4 X a1", "1-0"));
    texts.push(with("", "1. 3x3 X a1", "*").replace("[Result \"*\"]", "[Result \"1-0\"]"));
    verify("notation.json", &texts.iter().map(|text| read_text(text)).collect::<Vec<_>>());
}
