// test/peer/acquirer-host-ascii/server.ts — an acquirer's host in ASCII that misbehaves on demand. Imports nothing of src: its
// codec is iso_8583. Its first line on stdout is the port at which tests give orders.
import { once } from 'node:events'
import { createServer as createHttp } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { otherCodec, otherFormats } from '../../support/iso-8583-codec.ts'
import { createBook, type Fields } from './book.ts'

/**
 * What happens to the next request: no answer; the answer kept until `release`; two answers; the connection closed before or
 * after it is booked, or in the middle of the answer; other fields in the answer; an answer without the terminal.
 */
export type Deed =
  | { readonly deed: 'silent' | 'late' | 'twice' | 'cutBefore' | 'cutAfter' | 'cutMiddle' | 'noTerminal' }
  /** `isBooked`: whether it is booked first. */
  | { readonly deed: 'fields'; readonly fields: Fields; readonly isBooked: boolean }
  /** Sends this one first, then the answer. */
  | { readonly deed: 'interim'; readonly code: string }

export interface HostOrder {
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca?: string }
  readonly signOnCode?: string
  readonly isForgetful?: boolean
}

/** Fields that an answer repeats. */
const REPEATED = ['3', '4', '7', '11', '12', '13', '32', '37', '41', '42', '49', '70']

const host: {
  server: Server | null
  order: HostOrder
  book: ReturnType<typeof createBook>
  sockets: Set<Socket>
  /** Deeds by message type, in their order. */
  deeds: Map<string, Deed[]>
  seen: Fields[]
  held: (() => void)[]
  connections: number
} = {
  ...{ server: null, order: {}, book: createBook(false), sockets: new Set(), deeds: new Map() },
  ...{ seen: [], held: [], connections: 0 },
}

function packed(fields: Fields): Buffer {
  // A script takes a field out of an answer by an empty text.
  const present = Object.entries(fields).filter(([, value]) => value !== '')
  const bytes = otherCodec(Object.fromEntries(present), otherFormats).getBufferMessage()
  if (!Buffer.isBuffer(bytes)) throw new Error(bytes.error)
  return bytes
}

function serve(socket: Socket): void {
  host.connections += 1
  host.sockets.add(socket)
  let rest = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('close', () => host.sockets.delete(socket))
  socket.on('data', chunk => {
    rest = Buffer.concat([rest, chunk as Buffer])
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const size = 2 + rest.readUInt16BE(0)
      take(socket, otherCodec({}, otherFormats).getIsoJSON(rest.subarray(2, size), { lenHeader: false }))
      rest = rest.subarray(size)
    }
  })
}

function take(socket: Socket, fields: Fields): void {
  host.seen.push(fields)
  const mti = fields['0'] ?? ''
  if (mti.charAt(2) === '1' || mti.charAt(2) === '3') return
  const deed = host.deeds.get(mti)?.shift()
  if (deed === undefined) send(socket, fields, booked(fields))
  else act(socket, fields, deed)
}

function act(socket: Socket, fields: Fields, deed: Deed): void {
  switch (deed.deed) {
    case 'silent':
      booked(fields)
      break
    case 'late': {
      const answer = booked(fields)
      host.held.push(() => send([...host.sockets].at(-1) ?? socket, fields, answer))
      break
    }
    case 'twice': {
      const answer = booked(fields)
      send(socket, fields, answer)
      send(socket, fields, answer)
      break
    }
    case 'cutBefore':
      socket.destroy()
      break
    case 'cutAfter':
      booked(fields)
      socket.destroy()
      break
    case 'cutMiddle': {
      const bytes = packed(answerOf(fields, booked(fields)))
      socket.write(bytes.subarray(0, bytes.length / 2), () => socket.destroy())
      break
    }
    case 'noTerminal': {
      const { '41': _, ...answer } = answerOf(fields, booked(fields))
      socket.write(packed(answer))
      break
    }
    case 'fields':
      send(socket, fields, { ...(deed.isBooked ? booked(fields) : {}), ...deed.fields })
      break
    case 'interim':
      send(socket, fields, { '39': deed.code })
      send(socket, fields, booked(fields))
      break
  }
}

function booked(fields: Fields): Fields {
  const mti = fields['0'] ?? ''
  if (mti.startsWith('08')) return { '39': fields['70'] === '001' ? (host.order.signOnCode ?? '00') : '00' }
  return mti.startsWith('04') ? host.book.reverse(fields) : host.book.request(fields)
}

function answerOf(fields: Fields, answer: Fields): Fields {
  const mti = fields['0'] ?? ''
  const repeated = Object.fromEntries(Object.entries(fields).filter(([number]) => REPEATED.includes(number)))
  return { ...repeated, ...answer, '0': `${mti.slice(0, 2)}${Number(mti.charAt(2)) + 1}0` }
}

function send(socket: Socket, fields: Fields, answer: Fields): void {
  if (socket.writable) socket.write(packed(answerOf(fields, answer)))
}

async function listen(): Promise<{ readonly port: number }> {
  const { tls } = host.order
  host.server =
    tls === undefined
      ? createServer(serve)
      : createTls({ ...tls, requestCert: tls.ca !== undefined, rejectUnauthorized: tls.ca !== undefined }, serve)
  host.server.on('tlsClientError', () => {})
  host.server.listen(0, '127.0.0.1')
  await once(host.server, 'listening')
  return { port: (host.server.address() as AddressInfo).port }
}

const ORDERS: Readonly<Record<string, (body: never) => unknown>> = {
  async open(order: HostOrder) {
    ORDERS['close']?.({} as never)
    host.order = order
    host.book = createBook(order.isForgetful === true)
    host.deeds = new Map()
    host.seen = []
    host.held = []
    host.connections = 0
    return listen()
  },
  close() {
    host.server?.close()
    for (const socket of host.sockets) socket.destroy()
    return {}
  },
  deeds({ mti, deeds }: { readonly mti: string; readonly deeds: readonly Deed[] }) {
    host.deeds.set(mti, [...deeds])
    return {}
  },
  change(order: HostOrder) {
    host.order = { ...host.order, ...order }
    return {}
  },
  cut() {
    for (const socket of host.sockets) socket.destroy()
    return {}
  },
  /** Sends the answers that are held, in the order given: of three, [2, 0, 1] sends the last one first. */
  release({ order }: { readonly order?: readonly number[] }) {
    const held = host.held.splice(0)
    for (const index of order ?? held.keys()) held[index]?.()
    return {}
  },
  ask(fields: Fields) {
    for (const socket of host.sockets) socket.write(packed(fields))
    return {}
  },
  seen: () => ({ seen: host.seen, connections: host.connections, held: host.held.length }),
  money: ({ key }: { readonly key: string }) => ({ minor: host.book.moneyOf(key) }),
  book: () => ({ total: host.book.total(), repeats: host.book.repeats() }),
}

const control = createHttp(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  try {
    const result = await ORDERS[(request.url ?? '').slice(1)]?.(JSON.parse(text) as never)
    response.end(JSON.stringify(result ?? { error: 'no such order' }))
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
})
control.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(control.address() as AddressInfo).port}\n`)
})
// Ends with the test that started it.
process.stdin.on('end', () => process.exit(0)).resume()
