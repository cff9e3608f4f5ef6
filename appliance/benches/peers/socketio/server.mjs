import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { answer, tableOf } from '../game.mjs'

const http = createServer()
const server = new Server(http, { transports: ['websocket'], perMessageDeflate: false })
server.on('connection', (socket) => {
  const { table, seat } = tableOf(socket.request.url)
  table.seats[seat] = socket
  for (const asked of ['makeMove', 'playAgain']) {
    socket.on(asked, (given) => {
      const [event, data] = answer(table, seat, asked, given)
      if (event === 'moveRejected') socket.emit(event, data)
      else for (const player of table.seats) player.emit(event, data)
    })
  }
})
http.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${http.address().port}`)
})
