import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { tableOf } from './game.mjs'

const http = createServer()
const server = new Server(http, { transports: ['websocket'], perMessageDeflate: false })
server.on('connection', (socket) => {
  const { table, seat } = tableOf(socket.request.url)
  table.seats[seat] = socket
  socket.on('makeMove', (data) => {
    const update = table.game.play(seat, data)
    if (update === undefined) {
      socket.emit('moveRejected', {})
      return
    }
    for (const player of table.seats) player.emit('moveUpdate', update)
  })
})
http.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${http.address().port}`)
})
