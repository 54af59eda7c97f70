// src/peers/nexo-terminal/answering.ts — writes the terminal's answers, whole or damaged.
import type { ServerResponse } from 'node:http'
import { encryptedByLibrary, type LibraryKey } from './encryption.ts'
import type { Header } from './messages.ts'
import type { Reply } from './terminal.ts'

/** A passphrase that no till has. */
const ANOTHER_PASSPHRASE = 'Some-Other-Key-99'

/** Writes an answer. @param key null: in clear text */
export function answer(header: Header, reply: Reply, key: LibraryKey | null, response: ServerResponse): void {
  if (reply.reply === 'drop') return void response.socket?.destroy()
  if (reply.reply === 'empty') return void response.end()
  const { faults } = reply.behaviour
  const ServiceID = faults.has('wrong_service_id') ? 'FOREIGN' : header.ServiceID
  const message = {
    SaleToPOIResponse: {
      MessageHeader: { ...header, ServiceID, MessageType: 'Response' },
      [`${header.MessageCategory}Response`]: reply.body,
    },
  }
  if (faults.has('answer_lost')) return void response.socket?.destroy()
  if (faults.has('server_error')) {
    response.statusCode = 500
    return void response.end('{"errors":["internal"]}')
  }
  const signedWith = faults.has('wrong_mac')
    ? { identifier: 'none', version: 0, ...key, passphrase: ANOTHER_PASSPHRASE }
    : key
  const isClear = signedWith === null || faults.has('answer_in_clear')
  const text = isClear ? JSON.stringify(message) : encryptedByLibrary(message, signedWith)
  if (faults.has('half_answer')) {
    response.setHeader('content-length', text.length)
    response.write(text.slice(0, text.length / 2), () => response.socket?.destroy())
  } else if (faults.has('answer_twice'))
    response.end(text, () => response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`))
  else response.end(text)
}
