// The game that every peer plays: 3×3, in memory, every move checked, the next game begun when one is over.

const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
]

export class Game {
  starter = 0

  constructor() {
    this.clear()
  }

  clear() {
    this.board = Array.from({ length: 3 }, () => ['', '', ''])
    this.turn = this.starter
    this.moves = 0
  }

  /** What to tell both players; undefined for a move that is not allowed. */
  play(seat, { row, col }) {
    if (seat !== this.turn || this.board[row]?.[col] !== '') return undefined
    const symbol = seat === 0 ? 'X' : 'O'
    this.board[row][col] = symbol
    this.moves += 1
    this.turn = 1 - seat
    const cells = this.board.flat()
    const winner = LINES.some((line) => line.every((cell) => cells[cell] === symbol)) ? symbol : null
    const isDraw = winner === null && this.moves === 9
    const update = {
      board: this.board.map((cells) => [...cells]),
      nextTurn: this.turn,
      winner,
      isDraw,
      gameStatus: winner !== null || isDraw ? 'completed' : 'active',
    }
    if (update.gameStatus === 'completed') {
      this.starter = 1 - this.starter
      this.clear()
    }
    return update
  }
}

/** Tables by their number. */
export const tables = new Map()

export function tableOf(url) {
  const query = new URL(url, 'http://localhost').searchParams
  const number = query.get('table')
  if (!tables.has(number)) tables.set(number, { game: new Game(), seats: [] })
  return { table: tables.get(number), seat: Number(query.get('seat')) }
}
