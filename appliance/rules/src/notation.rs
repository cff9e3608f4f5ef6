//! Games as text with tags, in the manner of PGN: `docs/behaviour/notation.md` has the grammar.
//!
//! [`Notation`] is what such a text says. Displaying it writes the text, and [`Notation::parse`] and
//! [`Notation::parse_all`] read it: only moves that the rules allow, and no result that the board contradicts.

use crate::board::{Board, BoardSize, Cell, Mark};
use crate::game::{Game, MAX_DRAWN_ROUNDS, Ply, Status, size_after};
use crate::text::is_invisible;
use std::fmt;

/// The longest text of one game, in bytes. The longest that is written has some 4 KiB.
pub const MAX_GAME: usize = 16 * 1024;
/// The longest text of several games, in bytes.
pub const MAX_FILE: usize = 4 * 1024 * 1024;
/// Tags of a game.
pub const MAX_TAGS: usize = 32;
/// Characters of a tag's name.
const MAX_NAME: usize = 32;
/// Characters of a tag's value; a longer one is cut when it is made.
pub const MAX_VALUE: usize = 256;

/// The result of a game as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    Won(Mark),
    Drawn,
    /// It has none: it was called off or declared void, or goes on.
    None,
}

impl Score {
    pub const ALL: [Score; 4] = [Score::Won(Mark::X), Score::Won(Mark::O), Score::Drawn, Score::None];

    /// As PGN writes it, with X in the place of White.
    pub const fn as_str(self) -> &'static str {
        match self {
            Score::Won(Mark::X) => "1-0",
            Score::Won(Mark::O) => "0-1",
            Score::Drawn => "1/2-1/2",
            Score::None => "*",
        }
    }

    fn of(game: &Game) -> Score {
        match game.winner() {
            Some(mark) => Score::Won(mark),
            None if game.status() == Status::Completed => Score::Drawn,
            None => Score::None,
        }
    }
}

/// A name with a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    name: String,
    value: String,
}

impl Tag {
    /// A tag. Of the name what cannot stand there is left out; in the value an invisible character becomes a space, and what
    /// is too long is cut.
    pub fn new(name: &str, value: &str) -> Tag {
        let name = name.chars().filter(|char| is_of_name(*char)).take(MAX_NAME).collect();
        let shown = |char| if is_invisible(char) { ' ' } else { char };
        Tag { name, value: value.chars().take(MAX_VALUE).map(shown).collect() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn value(&self) -> &str {
        &self.value
    }
}

fn is_of_name(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

/// One board of a game: the marks take turns from the starter on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotedRound {
    pub size: BoardSize,
    pub starter: Mark,
    pub cells: Vec<Cell>,
}

/// What the text of a game says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notation {
    /// In their order, each name once.
    pub tags: Vec<Tag>,
    /// Those in which a move was made.
    pub rounds: Vec<NotedRound>,
    pub score: Score,
}

impl Notation {
    /// A game with the tags `about` it, and after them those that follow from it.
    pub fn of(game: &Game, about: Vec<Tag>) -> Notation {
        let noted = |(size, plies): (BoardSize, &[Ply])| {
            let cells = plies.iter().map(|ply| ply.cell).collect();
            NotedRound { size, starter: plies[0].mark, cells }
        };
        let rounds: Vec<_> = game.rounds().map(noted).collect();
        let score = Score::of(game);
        let first = rounds.first().map_or(game.board().size(), |round| round.size);
        let mut notation = Notation { tags: about, rounds, score };
        notation.tag("Result", score.as_str());
        if let Some(reason) = game.outcome().and_then(|outcome| outcome.reason) {
            notation.tag("Reason", reason.as_str());
        }
        notation.tag("BoardSize", &first.get().to_string());
        notation.tag("LineLength", &first.win_length().to_string());
        if notation.rounds.len() > 1 {
            let count = notation.rounds.len().to_string();
            notation.tag("Rounds", &count);
        }
        notation.tag("TimeControl", game.time_control().as_str());
        notation
    }

    fn tag(&mut self, name: &str, value: &str) {
        self.tags.push(Tag::new(name, value));
    }

    /// The value of a tag.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name).map(Tag::value)
    }

    /// The one game of a text.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Notation, NotationError> {
        if text.len() > MAX_GAME {
            return Err(NotationError { line: 1, fault: Fault::TooLong });
        }
        let mut reader = Reader::new(text);
        let game = reader.game()?;
        if reader.is_at_end() { Ok(game) } else { Err(reader.fault(Fault::MoreThanOne)) }
    }

    /// The games of a text; none of an empty one.
    ///
    /// # Errors
    /// What is wrong with the first game that is not right, and where.
    pub fn parse_all(text: &str) -> Result<Vec<Notation>, NotationError> {
        if text.len() > MAX_FILE {
            return Err(NotationError { line: 1, fault: Fault::TooLong });
        }
        let (mut reader, mut games) = (Reader::new(text), vec![]);
        while !reader.is_at_end() {
            games.push(reader.game()?);
        }
        Ok(games)
    }

    /// Whether the rounds follow from each other, and the result and the tags from the rounds.
    fn check(&self) -> Result<(), Fault> {
        let mut before: Option<(&NotedRound, Board)> = None;
        for (drawn, round) in (0..).zip(&self.rounds) {
            if let Some((last, board)) = before {
                if board.winning_line().is_some() || !board.is_full() {
                    return Err(Fault::RoundNotDrawn);
                }
                if round.starter == last.starter {
                    return Err(Fault::Starter);
                }
                if round.size != size_after(drawn, last.size) {
                    return Err(Fault::Size);
                }
            }
            before = Some((round, played(round)?));
        }
        if self.rounds.len() > usize::from(MAX_DRAWN_ROUNDS) {
            return Err(Fault::TooManyRounds);
        }
        let end = before.map(|(_, board)| board);
        let line = end.and_then(|board| board.winning_line()).map(|(mark, _)| mark);
        let is_drawn = self.rounds.len() == 1 && line.is_none() && end.is_some_and(|board| board.is_full());
        match (line, self.score) {
            (Some(mark), score) if score != Score::Won(mark) => return Err(Fault::Result),
            (None, Score::Drawn) if !is_drawn => return Err(Fault::Result),
            _ => {}
        }
        for name in ["X", "O", "Result"] {
            self.value(name).ok_or(Fault::NoTag(name))?;
        }
        let first = self.rounds.first().map(|round| round.size);
        let has = |name, wanted: Option<String>| match (self.value(name), wanted) {
            (Some(value), Some(wanted)) if value != wanted => Err(Fault::TagContradicts(name)),
            _ => Ok(()),
        };
        has("Result", Some(self.score.as_str().to_owned()))?;
        has("BoardSize", first.map(|size| size.get().to_string()))?;
        has("LineLength", first.map(|size| size.win_length().to_string()))?;
        has("Rounds", first.map(|_| self.rounds.len().to_string()))
    }
}

/// The board at the end of a round.
fn played(round: &NotedRound) -> Result<Board, Fault> {
    let (mut board, mut mark) = (Board::empty(round.size), round.starter);
    for cell in &round.cells {
        if board.winning_line().is_some() {
            return Err(Fault::AfterLine);
        }
        board = board.place(*cell, mark).map_err(|_| Fault::Move)?;
        mark = mark.other();
    }
    Ok(board)
}

/// A cell as it is written: the column as a letter from the left, the row as a number from the top.
fn write_cell(f: &mut fmt::Formatter<'_>, cell: Cell) -> fmt::Result {
    write!(f, "{}{}", char::from(b'a' + cell.col()), cell.row() + 1)
}

fn read_cell(word: &str) -> Option<Cell> {
    let [column @ b'a'..=b'f', row @ b'1'..=b'6'] = *word.as_bytes() else { return None };
    Cell::new(row - b'1', column - b'a')
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Tag { name, value } in &self.tags {
            writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))?;
        }
        writeln!(f)?;
        for (index, round) in self.rounds.iter().enumerate() {
            write!(f, "{}. {} {}", index + 1, round.size, round.starter)?;
            for cell in &round.cells {
                f.write_str(" ")?;
                write_cell(f, *cell)?;
            }
            writeln!(f)?;
        }
        writeln!(f, "{}", self.score.as_str())
    }
}

/// Why a text is no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotationError {
    /// From 1.
    pub line: usize,
    pub fault: Fault,
}

/// What is wrong with a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    TooLong,
    MoreThanOne,
    Tag,
    TagTwice,
    TooManyTags,
    NoTag(&'static str),
    TagContradicts(&'static str),
    Round,
    TooManyRounds,
    RoundNotDrawn,
    Size,
    Starter,
    Move,
    AfterLine,
    NoResult,
    Result,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::TooLong => "the text is too long",
            Fault::MoreThanOne => "there is more than one game",
            Fault::Tag => "a tag is a line such as [X \"ada\"]",
            Fault::TagTwice => "this tag is already there",
            Fault::TooManyTags => "there are too many tags",
            Fault::NoTag(name) => return write!(f, "the tag {name} is missing"),
            Fault::TagContradicts(name) => return write!(f, "the tag {name} contradicts the moves"),
            Fault::Round => "a round begins with its number, its board and who starts, such as: 1. 3x3 X",
            Fault::TooManyRounds => "a game has at most five rounds",
            Fault::RoundNotDrawn => "the round before this one was not drawn",
            Fault::Size => "this round has the wrong board",
            Fault::Starter => "this round is started by the wrong player",
            Fault::Move => "a move is a free cell of the board, such as b2",
            Fault::AfterLine => "there is a move after the winning line",
            Fault::NoResult => "the result is missing",
            Fault::Result => "the result does not match the board",
        })
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line {}: {}.", self.line, self.fault)
    }
}

impl std::error::Error for NotationError {}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Reader<'a> {
    /// Editors put a byte order mark in front.
    fn new(text: &'a str) -> Self {
        Self { rest: text.strip_prefix('\u{FEFF}').unwrap_or(text), line: 1 }
    }

    fn fault(&self, fault: Fault) -> NotationError {
        NotationError { line: self.line, fault }
    }

    fn skip_space(&mut self) {
        let rest = self.rest.trim_start_matches(|char: char| char.is_ascii_whitespace());
        let skipped = &self.rest[..self.rest.len() - rest.len()];
        self.line += skipped.bytes().filter(|byte| *byte == b'\n').count();
        self.rest = rest;
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.rest.is_empty()
    }

    /// The next word; empty at the end and before a tag.
    fn word(&mut self) -> &'a str {
        self.skip_space();
        let end = self.rest.find(|char: char| char.is_ascii_whitespace() || char == '[').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn game(&mut self) -> Result<Notation, NotationError> {
        let start = self.rest.len();
        let mut tags: Vec<Tag> = vec![];
        while let Some(tag) = self.tag().map_err(|fault| self.fault(fault))? {
            if tags.iter().any(|other| other.name == tag.name) {
                return Err(self.fault(Fault::TagTwice));
            }
            if tags.len() == MAX_TAGS {
                return Err(self.fault(Fault::TooManyTags));
            }
            tags.push(tag);
        }
        let mut rounds: Vec<NotedRound> = vec![];
        let score = loop {
            let word = self.word();
            if start - self.rest.len() > MAX_GAME {
                return Err(self.fault(Fault::TooLong));
            }
            if let Some(score) = Score::ALL.into_iter().find(|score| score.as_str() == word) {
                break score;
            }
            match (word, rounds.last_mut()) {
                ("", _) => return Err(self.fault(Fault::NoResult)),
                (word, Some(round)) if !word.ends_with('.') => {
                    let cell = read_cell(word).ok_or(Fault::Move).map_err(|fault| self.fault(fault))?;
                    round.cells.push(cell);
                    played(round).map_err(|fault| self.fault(fault))?;
                }
                (number, _) => {
                    let round = self.round(number, rounds.len() + 1).ok_or_else(|| self.fault(Fault::Round))?;
                    rounds.push(round);
                }
            }
            if rounds.len() > usize::from(MAX_DRAWN_ROUNDS) {
                return Err(self.fault(Fault::TooManyRounds));
            }
        };
        if rounds.iter().any(|round| round.cells.is_empty()) {
            return Err(self.fault(Fault::Move));
        }
        let notation = Notation { tags, rounds, score };
        notation.check().map_err(|fault| self.fault(fault))?;
        Ok(notation)
    }

    fn round(&mut self, number: &str, expected: usize) -> Option<NotedRound> {
        if number.strip_suffix('.')? != expected.to_string() {
            return None;
        }
        let size = self.word();
        let size = BoardSize::ALL.into_iter().find(|each| each.to_string() == size)?;
        let starter = self.word();
        let starter = Mark::BOTH.into_iter().find(|mark| mark.as_str() == starter)?;
        Some(NotedRound { size, starter, cells: vec![] })
    }

    fn tag(&mut self) -> Result<Option<Tag>, Fault> {
        self.skip_space();
        let Some(rest) = self.rest.strip_prefix('[') else { return Ok(None) };
        let blank = |char: char| char == ' ' || char == '\t';
        let (name, rest) = rest.split_once('"').ok_or(Fault::Tag)?;
        let name = name.trim_matches(blank);
        if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(is_of_name) {
            return Err(Fault::Tag);
        }
        let (mut value, mut length, mut chars) = (String::new(), 0, rest.char_indices());
        let end = loop {
            let (at, char) = chars.next().ok_or(Fault::Tag)?;
            let char = match char {
                '"' => break at + 1,
                '\\' => chars.next().map(|(_, char)| char).filter(|char| "\\\"".contains(*char)).ok_or(Fault::Tag)?,
                char if is_invisible(char) => return Err(Fault::Tag),
                char => char,
            };
            length += 1;
            if length > MAX_VALUE {
                return Err(Fault::Tag);
            }
            value.push(char);
        };
        self.rest = rest[end..].trim_start_matches(blank).strip_prefix(']').ok_or(Fault::Tag)?;
        Ok(Some(Tag { name: name.to_owned(), value }))
    }
}
