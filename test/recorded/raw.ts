// test/recorded/raw.ts — sends raw bytes to a real port, for input that no client library sends.
import { once } from 'node:events'
import { connect } from 'node:net'
import { type Play, recorded } from './play.ts'

/** Sends text unchanged on its own connection, and records the answer until the gateway closes. */
export async function sendRaw(play: Play, what: string, text: string): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: await play.gateway.port() })
  let came = ''
  socket.on('data', bytes => {
    came += bytes.toString('latin1')
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  await once(socket, 'close')
  const shown = text.length > 400 ? `${text.slice(0, 80)}… ${text.length} characters` : text
  play.note({
    exchange: `RAW ${what}`,
    sent: shown.split('\r\n'),
    answer: came === '' ? 'cut' : recorded(answerIn(came), 'GET', undefined),
  })
}

function answerIn(text: string) {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map(line => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), text: rest.join('\r\n\r\n') }
}
