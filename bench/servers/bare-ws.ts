// bench/servers/bare-ws.ts — reference server for sockets: `ws` and nothing else. It echoes messages.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

process.once('message', () => {
  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', socket => socket.on('message', data => socket.send(data, { binary: false })))
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
})
