import { answer, tableOf } from '../game.mjs'

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request, server) {
    if (!server.upgrade(request, { data: tableOf(request.url) })) return new Response(null, { status: 426 })
  },
  websocket: {
    perMessageDeflate: false,
    open(socket) {
      const { table, seat } = socket.data
      table.seats[seat] = socket
    },
    message(socket, text) {
      const { table, seat } = socket.data
      const asked = JSON.parse(text)
      const [event, data] = answer(table, seat, asked.event, asked.data)
      const message = JSON.stringify({ event, data })
      if (event === 'moveRejected') socket.send(message)
      else for (const player of table.seats) player.send(message)
    },
  },
})
console.log(`http://127.0.0.1:${server.port}`)
