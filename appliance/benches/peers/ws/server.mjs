import { WebSocketServer } from 'ws'
import { answer, tableOf } from '../game.mjs'

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket, request) => {
  const { table, seat } = tableOf(request.url)
  table.seats[seat] = socket
  socket.on('message', (text) => {
    const asked = JSON.parse(text)
    const [event, data] = answer(table, seat, asked.event, asked.data)
    const message = JSON.stringify({ event, data })
    if (event === 'moveRejected') socket.send(message)
    else for (const player of table.seats) player.send(message)
  })
})
server.on('listening', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})
