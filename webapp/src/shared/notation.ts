/** A game as text with tags: docs/behaviour/notation.md. The rules crate reads and writes the same. */

import {
  type BoardSize,
  type Game,
  gameAfter,
  isBoardSize,
  type Mark,
  opposite,
  type RowCol,
  winLength,
} from './rules';

export type Result = '1-0' | '0-1' | '1/2-1/2' | '*';
export type Tag = readonly [name: string, value: string];

export interface NotedRound {
  readonly boardSize: BoardSize;
  readonly starter: Mark;
  readonly moves: readonly RowCol[];
}

export interface NotedGame {
  readonly tags: readonly Tag[];
  /** Those in which a move was made. */
  readonly rounds: readonly NotedRound[];
  readonly result: Result;
}

/** Bytes of a game. */
const MAX_GAME = 16 * 1024;
const MAX_TAGS = 32;
const MAX_NAME = 32;
const MAX_VALUE = 256;
const MAX_ROUNDS = 5;
/** The board grows after every so many drawn rounds. */
const ROUNDS_TO_GROW = 2;
const RESULTS: readonly Result[] = ['1-0', '0-1', '1/2-1/2', '*'];

/** Control characters, and those that hide or reverse text. */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex -- these are what it finds
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

/** Why a text is no game, and where. */
class Fault extends Error {}

const FAULTS = {
  tooLong: 'the text is too long',
  moreThanOne: 'there is more than one game',
  tag: 'a tag is a line such as [X "ada"]',
  tagTwice: 'this tag is already there',
  tooManyTags: 'there are too many tags',
  round: 'a round begins with its number, its board and who starts, such as: 1. 3x3 X',
  tooManyRounds: 'a game has at most five rounds',
  roundNotDrawn: 'the round before this one was not drawn',
  size: 'this round has the wrong board',
  starter: 'this round is started by the wrong player',
  move: 'a move is a free cell of the board, such as b2',
  afterLine: 'there is a move after the winning line',
  noResult: 'the result is missing',
  result: 'the result does not match the board',
} as const;

export function resultOf(winner: Mark | null, isDraw: boolean): Result {
  if (winner !== null) return winner === 'X' ? '1-0' : '0-1';
  return isDraw ? '1/2-1/2' : '*';
}

/** The tags of a game that follow from its moves; `size` is its board where nothing was played. */
export function tagsOf(rounds: readonly NotedRound[], result: Result, size?: BoardSize): Tag[] {
  const first = rounds[0]?.boardSize ?? size;
  return [
    ['Result', result],
    ...(first === undefined
      ? []
      : ([
          ['BoardSize', String(first)],
          ['LineLength', String(winLength(first))],
        ] as const)),
    ...(rounds.length > 1 ? ([['Rounds', String(rounds.length)]] as const) : []),
  ];
}

export function writeNotation({ tags, rounds, result }: NotedGame): string {
  const lines = [
    ...tags.map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, '\\$&')}"]`),
    '',
    ...rounds.map(({ boardSize, starter, moves }, index) => {
      const cells = moves.map(([row, col]) => `${'abcdef'.charAt(col)}${row + 1}`);
      return [`${index + 1}.`, `${boardSize}x${boardSize}`, starter, ...cells].join(' ');
    }),
    result,
  ];
  return `${lines.join('\n')}\n`;
}

/** The one game of a text, or in a sentence why it is none. */
export function readNotation(text: string): NotedGame | string {
  const reader = new Reader(text);
  try {
    if (new TextEncoder().encode(text).length > MAX_GAME) throw new Fault(FAULTS.tooLong);
    const game = reader.game();
    if (!reader.isAtEnd()) throw new Fault(FAULTS.moreThanOne);
    return game;
  } catch (error) {
    if (error instanceof Fault) return `Line ${reader.line}: ${error.message}.`;
    throw error;
  }
}

class Reader {
  line = 1;
  #rest: string;

  constructor(text: string) {
    this.#rest = text.replace(/^\ufeff/, '');
  }

  isAtEnd(): boolean {
    this.#skipSpace();
    return this.#rest === '';
  }

  game(): NotedGame {
    const tags: Tag[] = [];
    for (let tag = this.#tag(); tag !== null; tag = this.#tag()) {
      const [name] = tag;
      if (tags.some(([other]) => other === name)) throw new Fault(FAULTS.tagTwice);
      if (tags.length === MAX_TAGS) throw new Fault(FAULTS.tooManyTags);
      tags.push(tag);
    }
    const rounds: { boardSize: BoardSize; starter: Mark; moves: RowCol[] }[] = [];
    let result: Result | undefined;
    while (result === undefined) {
      const word = this.#word();
      const round = rounds.at(-1);
      result = RESULTS.find((each) => each === word);
      if (result !== undefined) break;
      if (word === '') throw new Fault(FAULTS.noResult);
      if (round !== undefined && !word.endsWith('.')) {
        round.moves.push(cellOf(word));
        played(round);
      } else {
        rounds.push({ ...this.#round(word, rounds.length + 1), moves: [] });
      }
      if (rounds.length > MAX_ROUNDS) throw new Fault(FAULTS.tooManyRounds);
    }
    if (rounds.some(({ moves }) => moves.length === 0)) throw new Fault(FAULTS.move);
    const game = { tags, rounds, result };
    check(game);
    return game;
  }

  #skipSpace() {
    const space = /^[ \t\n\f\r]*/.exec(this.#rest)?.[0] ?? '';
    this.line += space.split('\n').length - 1;
    this.#rest = this.#rest.slice(space.length);
  }

  /** The next word; empty at the end and before a tag. */
  #word(): string {
    this.#skipSpace();
    const word = /^[^ \t\n\f\r[]*/.exec(this.#rest)?.[0] ?? '';
    this.#rest = this.#rest.slice(word.length);
    return word;
  }

  #round(number: string, expected: number): { boardSize: BoardSize; starter: Mark } {
    const [size, starter] = number === `${expected}.` ? [this.#word(), this.#word()] : ['', ''];
    const boardSize = Number(size.charAt(0));
    if (!isBoardSize(boardSize) || size !== `${boardSize}x${boardSize}` || (starter !== 'X' && starter !== 'O')) {
      throw new Fault(FAULTS.round);
    }
    return { boardSize, starter };
  }

  #tag(): Tag | null {
    this.#skipSpace();
    if (!this.#rest.startsWith('[')) return null;
    const found = /^\[[ \t]*([A-Za-z0-9_]+)[ \t]*"((?:[^"\\]|\\["\\])*)"[ \t]*\]/.exec(this.#rest);
    const [whole = '', name = '', escaped = ''] = found ?? [];
    const value = escaped.replace(/\\(["\\])/g, '$1');
    if (name === '' || name.length > MAX_NAME || [...value].length > MAX_VALUE || INVISIBLE.test(value)) {
      throw new Fault(FAULTS.tag);
    }
    this.#rest = this.#rest.slice(whole.length);
    return [name, value];
  }
}

function cellOf(word: string): RowCol {
  if (!/^[a-f][1-6]$/.test(word)) throw new Fault(FAULTS.move);
  return [Number(word.charAt(1)) - 1, word.charCodeAt(0) - 'a'.charCodeAt(0)];
}

/** A round at its end. */
function played({ boardSize, starter, moves }: NotedRound): Game {
  const game = gameAfter(boardSize, starter, moves);
  if (game === 'game-over') {
    // A move onto a full board is onto a taken cell, as on any other.
    const before = gameAfter(boardSize, starter, moves.slice(0, boardSize ** 2));
    throw new Fault(typeof before !== 'string' && before.isDraw ? FAULTS.move : FAULTS.afterLine);
  }
  if (typeof game === 'string') throw new Fault(FAULTS.move);
  return game;
}

/** Whether the rounds follow from each other, and the result and the tags from the rounds. */
function check({ tags, rounds, result }: NotedGame): void {
  let before: Game | undefined;
  for (const [drawn, round] of rounds.entries()) {
    if (before !== undefined) {
      if (!before.isDraw) throw new Fault(FAULTS.roundNotDrawn);
      if (round.starter !== opposite(before.starter)) throw new Fault(FAULTS.starter);
      const grown = drawn % ROUNDS_TO_GROW === 0 ? Math.min(before.size + 1, 6) : before.size;
      if (round.boardSize !== grown) throw new Fault(FAULTS.size);
    }
    before = played(round);
  }
  const isDrawn = rounds.length === 1 && before?.isDraw === true;
  const winner = before?.winner ?? null;
  if (winner === null ? result === '1/2-1/2' && !isDrawn : result !== resultOf(winner, false)) {
    throw new Fault(FAULTS.result);
  }
  const values = new Map(tags);
  for (const name of ['X', 'O', 'Result']) {
    if (!values.has(name)) throw new Fault(`the tag ${name} is missing`);
  }
  const wanted: Tag[] = [...tagsOf(rounds, result), ...(rounds.length === 1 ? ([['Rounds', '1']] as const) : [])];
  for (const [name, value] of wanted) {
    if ((values.get(name) ?? value) !== value) throw new Fault(`the tag ${name} contradicts the moves`);
  }
}
