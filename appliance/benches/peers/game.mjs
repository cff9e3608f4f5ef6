// The game that every peer plays: 3×3, in memory, every move checked, another game when a player asks for it.

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
    this.winner = null
    this.isDraw = false
    this.gameStatus = 'active'
  }

  /** Plays a move; false if it is not allowed. */
  play(seat, { row, col }) {
    if (this.gameStatus !== 'active' || seat !== this.turn || this.board[row]?.[col] !== '') return false
    const symbol = seat === 0 ? 'X' : 'O'
    this.board[row][col] = symbol
    this.moves += 1
    this.turn = 1 - seat
    const cells = this.board.flat()
    if (LINES.some((line) => line.every((cell) => cells[cell] === symbol))) this.winner = symbol
    this.isDraw = this.winner === null && this.moves === 9
    if (this.winner !== null || this.isDraw) this.gameStatus = 'completed'
    return true
  }

  /** The next game of the same two, begun by the other one; false while this one is not over. */
  playAgain() {
    if (this.gameStatus === 'active') return false
    this.starter = 1 - this.starter
    this.clear()
    return true
  }

  /** What both players are told. */
  state() {
    const { board, turn, winner, isDraw, gameStatus } = this
    return { board, nextTurn: turn, winner, isDraw, gameStatus }
  }
}

/** Tables by their number. */
const tables = new Map()

/** The table that this address names, and the seat at it. */
export function tableOf(url) {
  const query = new URL(url, 'http://localhost').searchParams
  const number = query.get('table')
  if (!tables.has(number)) tables.set(number, { game: new Game(), seats: [] })
  return { table: tables.get(number), seat: Number(query.get('seat')) }
}

/** The name of the message that tells of what this player did, and its content. */
export function answer(table, seat, event, data) {
  const { game } = table
  if (event === 'makeMove' && game.play(seat, data)) return ['moveUpdate', game.state()]
  if (event === 'playAgain' && game.playAgain()) return ['gameStarted', game.state()]
  return ['moveRejected', {}]
}
