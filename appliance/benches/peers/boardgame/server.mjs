import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { INVALID_MOVE } = require('boardgame.io/core')
const { Server } = require('boardgame.io/server')

const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
]

const noBoard = () => Array.from({ length: 3 }, () => ['', '', ''])

/** The library checks whose turn it is, and changes turns. Another game goes on in the same match. */
const table = {
  name: 'table',
  setup: () => ({ board: noBoard(), starter: '0', moves: 0, winner: null, isDraw: false, gameStatus: 'active' }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    makeMove({ G, playerID }, row, col) {
      if (G.gameStatus !== 'active' || G.board[row]?.[col] !== '') return INVALID_MOVE
      const symbol = playerID === '0' ? 'X' : 'O'
      G.board[row][col] = symbol
      G.moves += 1
      const cells = G.board.flat()
      if (LINES.some((line) => line.every((cell) => cells[cell] === symbol))) G.winner = symbol
      G.isDraw = G.winner === null && G.moves === 9
      if (G.winner !== null || G.isDraw) G.gameStatus = 'completed'
    },
    playAgain: {
      noLimit: true,
      move({ G, ctx, events }) {
        if (G.gameStatus === 'active') return INVALID_MOVE
        const starter = G.starter === '0' ? '1' : '0'
        Object.assign(G, { board: noBoard(), starter, moves: 0, winner: null, isDraw: false, gameStatus: 'active' })
        if (ctx.currentPlayer !== starter) events.endTurn()
      },
    },
  },
}

// It tells of every request on the output.
const print = console.log
console.log = () => {}
console.error = () => {}
const server = Server({ games: [table], origins: [] })
// By itself it would listen on every address.
const listen = server.app.listen
server.app.listen = (port, listening) => listen.call(server.app, port, '127.0.0.1', listening)
const { appServer } = await server.run({ port: 0 })
print(`http://127.0.0.1:${appServer.address().port}`)
