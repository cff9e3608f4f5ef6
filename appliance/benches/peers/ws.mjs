import { WebSocketServer } from 'ws'
import { tableOf } from './game.mjs'

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket, request) => {
  const { table, seat } = tableOf(request.url)
  table.seats[seat] = socket
  socket.on('message', (text) => {
    const { event, data } = JSON.parse(text)
    const update = event === 'makeMove' ? table.game.play(seat, data) : undefined
    if (update === undefined) {
      socket.send(JSON.stringify({ event: 'moveRejected', data: {} }))
      return
    }
    const message = JSON.stringify({ event: 'moveUpdate', data: update })
    for (const player of table.seats) player.send(message)
  })
})
server.on('listening', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})
