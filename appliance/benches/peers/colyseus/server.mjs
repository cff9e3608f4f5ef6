import { createServer } from 'node:http'
import { Room, Server } from '@colyseus/core'
import { schema, t } from '@colyseus/schema'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { Game } from '../game.mjs'

const State = schema(
  {
    board: t.array('string'),
    nextTurn: t.number(),
    winner: t.string(),
    isDraw: t.boolean(),
    gameStatus: t.string(),
  },
  'State',
)

/** A table. Both players get what changed of its state with the room's next patch, every 50 ms as by default. */
class Table extends Room {
  maxClients = 2

  onCreate() {
    this.game = new Game()
    this.seats = []
    this.state = new State()
    for (let cell = 0; cell < 9; cell += 1) this.state.board.push('')
    this.show()
    // While nobody is there; else whoever sits down within 50 ms is told of the beginning as of a move.
    this.broadcastPatch()
    this.onMessage('makeMove', (client, data) => {
      if (this.game.play(this.seats.indexOf(client.sessionId), data)) this.show()
      else client.send('moveRejected', {})
    })
    this.onMessage('playAgain', (client) => {
      if (this.game.playAgain()) this.show()
      else client.send('moveRejected', {})
    })
  }

  onJoin(client) {
    this.seats.push(client.sessionId)
  }

  show() {
    const { board, nextTurn, winner, isDraw, gameStatus } = this.game.state()
    for (const [cell, symbol] of board.flat().entries()) {
      if (this.state.board[cell] !== symbol) this.state.board[cell] = symbol
    }
    Object.assign(this.state, { nextTurn, winner: winner ?? '', isDraw, gameStatus })
  }
}

const http = createServer()
const server = new Server({ transport: new WebSocketTransport({ server: http }), greet: false })
server.define('table', Table)
await server.listen(0, '127.0.0.1')
console.log(`http://127.0.0.1:${http.address().port}`)
