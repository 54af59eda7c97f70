// src/peers/nexo-terminal/answering.ts — reads requests, and writes the answers of scripted terminals, whole or damaged.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { encryptedByLibrary, type LibraryKey } from './encryption.ts'
import type { Header, Reply } from './terminal.ts'

/** Writes an answer. @param key null: in clear text */
export function answer(header: Header, reply: Reply, key: LibraryKey | null, response: ServerResponse): void {
  if (reply.reply === 'drop') return void response.socket?.destroy()
  if (reply.reply === 'empty') return void response.end()
  const ServiceID = reply.how === 'foreign' ? 'FOREIGN' : header.ServiceID
  const message = {
    SaleToPOIResponse: {
      MessageHeader: { ...header, ServiceID, MessageType: 'Response' },
      [`${header.MessageCategory}Response`]: reply.body,
    },
  }
  const text = key === null ? JSON.stringify(message) : encryptedByLibrary(message, key)
  switch (reply.how) {
    case 'drop_before':
    case 'drop_after':
      return void response.socket?.destroy()
    case 'half':
      response.setHeader('content-length', text.length)
      response.write(text.slice(0, text.length / 2), () => response.socket?.destroy())
      return
    case 'twice':
      return void response.end(text, () => response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`))
    case 'wrong_mac':
      return void response.end(
        encryptedByLibrary(message, { identifier: 'none', version: 0, ...key, passphrase: 'Some-Other-Key-99' }),
      )
    case 'in_clear':
      return void response.end(JSON.stringify(message))
    case 'http_500':
      response.statusCode = 500
      return void response.end('{"errors":["internal"]}')
    case 'foreign':
    case 'normal':
      return void response.end(text)
  }
}

/** The body of a request. */
export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
