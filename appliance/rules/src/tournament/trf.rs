//! Reports of a Swiss for other programs: TRF16, the format of FIDE (Handbook C.04.A, annex 2).

use super::{Entrant, Format, Match, Outcome, Player, Reason, Side, StageRound, Tournament, Verdict};
use crate::UserId;
use std::fmt;
use std::fmt::Write;
use uuid::Uuid;

/// A tournament with the names of its entrants, in their order.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    pub title: String,
    pub names: Vec<String>,
    pub tournament: Tournament,
}

/// Why a report cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// From 1; 0 for the report as a whole.
    pub line: usize,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} is not TRF16", self.line)
    }
}

impl std::error::Error for Unreadable {}

/// Columns before those of the rounds, and those of each round.
const HEAD: usize = 89;
const ROUND: usize = 10;
const NAME: usize = 33;

/// The report as text. Line breaks in names and the title become spaces.
pub fn write(report: &Report) -> String {
    let Report { title, names, tournament } = report;
    let clean = |text: &str| text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect::<String>();
    let mut text = String::new();
    let count = tournament.entrants.len();
    let colour = if tournament.lot == Side::First { "white1" } else { "black1" };
    let rounds = tournament.expected_rounds();
    let _ = writeln!(text, "012 {}\n062 {count}\n072 {count}\n092 Individual: Swiss-System", clean(title));
    let _ = writeln!(text, "XXR {rounds}\nXXC {colour}");
    let mut standings = tournament.standings();
    standings.sort_by_key(|standing| standing.player);
    for (standing, entrant) in standings.iter().zip(&tournament.entrants) {
        let number = standing.player + 1;
        let name: String = clean(names.get(standing.player as usize).map_or("", String::as_str));
        let name: String = name.chars().take(NAME).collect();
        let (rating, points, rank) = (entrant.rating.min(9_999), standing.points, standing.rank);
        let _ = write!(text, "001 {number:>4}      {name:<NAME$} {rating:>4} {:27}{points:>4.1} {rank:>4}", "");
        for round in &tournament.rounds {
            let (opponent, colour, result) = cell(round, standing.player);
            let _ = write!(text, "  {opponent:>4} {colour} {result}");
        }
        text.push('\n');
    }
    text
}

fn cell(round: &StageRound, player: Player) -> (String, char, char) {
    let none = |result| ("0000".to_owned(), '-', result);
    let Some((it, side)) = round.match_of(player).and_then(|it| Some((it, it.side_of(player)?))) else {
        return none('Z');
    };
    let Some(opponent) = it.players[side.other().index()] else {
        return none(match it.halves(side) {
            2 => 'U',
            1 => 'H',
            _ => 'Z',
        });
    };
    let is_played = it.outcome.is_none_or(Outcome::is_played);
    let result = match it.outcome.map(|outcome| outcome.verdict) {
        None => ' ',
        Some(Verdict::Drawn) => '=',
        Some(Verdict::Won(winner)) if winner == side => {
            if is_played {
                '1'
            } else {
                '+'
            }
        }
        Some(Verdict::Won(_)) if is_played => '0',
        Some(_) => '-',
    };
    ((opponent + 1).to_string(), if side == Side::First { 'w' } else { 'b' }, result)
}

/// Reads a report of a Swiss whose numbers run from 1. Users are made of the numbers.
///
/// # Errors
/// A line is not as it has to be.
pub fn read(text: &str) -> Result<Report, Unreadable> {
    let (mut title, mut names, mut lot, mut expected) = (String::new(), Vec::new(), None, None);
    let mut entrants: Vec<Entrant> = Vec::new();
    let mut cells: Vec<Vec<String>> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let refused = Unreadable { line: number };
        let content = line.get(4..).unwrap_or("").trim();
        match line.get(..3).unwrap_or("") {
            "012" => title = content.to_owned(),
            "XXR" => expected = Some(content.parse().map_err(|_| refused)?),
            "XXC" => lot = Some(if content == "black1" { Side::Second } else { Side::First }),
            "001" => {
                let columns: Vec<char> = line.chars().collect();
                let field = |from: usize, to: usize| -> String {
                    let to = to.min(columns.len());
                    columns.get(from..to).unwrap_or_default().iter().collect::<String>().trim().to_owned()
                };
                let seed: u32 = field(4, 8).parse().map_err(|_| refused)?;
                if seed as usize != entrants.len() + 1 {
                    return Err(refused);
                }
                names.push(field(14, 47));
                let rating = field(48, 52).parse().unwrap_or(0);
                entrants.push(Entrant {
                    user: UserId(Uuid::from_u128(u128::from(seed))),
                    rating,
                    joined_round: 1,
                    withdrawn: false,
                });
                let rounds = columns.len().saturating_sub(HEAD).div_ceil(ROUND);
                cells.push((0..rounds).map(|it| field(HEAD + it * ROUND, HEAD + (it + 1) * ROUND)).collect());
            }
            _ => {}
        }
    }
    let played = cells.iter().map(Vec::len).max().unwrap_or(0);
    let mut rounds = Vec::new();
    for number in 0..played {
        let mut matches = Vec::new();
        for (player, row) in cells.iter().enumerate() {
            let cell = row.get(number).map_or("", String::as_str);
            let cell_of =
                |player: u32| cells.get(player as usize).and_then(|row| row.get(number)).map_or("", String::as_str);
            matches.extend(parsed(cell, player as Player, cell_of).ok_or(Unreadable { line: 0 })?);
        }
        for (board, it) in (1..).zip(&mut matches) {
            it.board = board;
        }
        rounds.push(StageRound { matches });
    }
    let format = Format::Swiss { rounds: expected.unwrap_or(played as u32) };
    let lot = lot.unwrap_or(Side::First);
    Ok(Report { title, names, tournament: Tournament { format, match_games: 1, lot, entrants, rounds } })
}

/// The match of a cell, seen from the first side, or of a player alone; `None` inside if the cell has none of these.
fn parsed<'a>(cell: &str, player: Player, cell_of: impl Fn(Player) -> &'a str) -> Option<Option<Match>> {
    let parts: Vec<&str> = cell.split_whitespace().collect();
    let (opponent, colour, result) = match parts.as_slice() {
        [] => return Some(None),
        // A match without a result is under way.
        [opponent, colour, result @ ..] if result.len() <= 1 => {
            (opponent.parse::<u32>().ok()?, *colour, result.first().copied().unwrap_or_default())
        }
        _ => return None,
    };
    let outcome = |verdict, reason| Some(Outcome { verdict, reason });
    if opponent == 0 {
        let verdict = match result {
            "U" | "F" | "+" => Verdict::Won(Side::First),
            "H" => Verdict::Drawn,
            _ => return Some(None),
        };
        let players = [Some(player), None];
        return Some(Some(Match { outcome: outcome(verdict, Reason::Bye), ..Match::new(0, players) }));
    }
    let theirs = cell_of(opponent - 1);
    if theirs.is_empty() || opponent == player + 1 {
        return None;
    }
    if colour != "w" {
        return Some(None);
    }
    let outcome = match result {
        "1" => outcome(Verdict::Won(Side::First), Reason::Played),
        "0" => outcome(Verdict::Won(Side::Second), Reason::Played),
        "=" => outcome(Verdict::Drawn, Reason::Played),
        "+" => outcome(Verdict::Won(Side::First), Reason::Absent),
        "-" if theirs.ends_with('+') => outcome(Verdict::Won(Side::Second), Reason::Absent),
        "-" => outcome(Verdict::Neither, Reason::Absent),
        "" => None,
        _ => return None,
    };
    Some(Some(Match { outcome, ..Match::new(0, [Some(player), Some(opponent - 1)]) }))
}
