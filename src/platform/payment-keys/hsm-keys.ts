// src/platform/payment-keys/hsm-keys.ts — payment keys in a security module, over the protocol of docs/hsm-interface.md. ADR 90.
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { KeyRefusal, KeyRefused, PaymentKey, PaymentKeys } from '../../engine/ports/payment-keys.ts'
import type { HostAddress, HostSocket, HostTls, SocketOpener } from '../../engine/ports/socket-opener.ts'

export interface HsmParts {
  readonly address: HostAddress
  /** Null for plain TCP. */
  readonly tls: HostTls | null
  readonly opener: SocketOpener
  readonly clock: Clock
  readonly log: Log
}

export interface HsmKeys extends PaymentKeys {
  close(): void
}

type Answer = Readonly<Record<string, unknown>>

const CONNECT_MS = 3_000
/** A module in the same network answers within milliseconds. */
const ANSWER_MS = 3_000
/** Longest answer, in characters. A list of a thousand keys is shorter. */
const LONGEST_LINE = 131_072
const UNREACHABLE: KeyRefused = { refused: 'unreachable' }
const REFUSALS: readonly KeyRefusal[] = ['unknown_key', 'wrong_use', 'not_supported', 'wrong_pin_block']

/** Connects at the first request, and again at the next one after a connection was lost. */
export function createHsmKeys(parts: HsmParts): HsmKeys {
  const { address, clock, log } = parts
  const waiting = new Map<number, { readonly give: (answer: Answer | null) => void; readonly limit: Alarm }>()
  let connecting: Promise<HostSocket | null> | null = null
  let lastId = 0

  function lost(why: string): void {
    connecting = null
    log.warn({ address: `${address.host}:${address.port}`, why }, 'connection to the security module was lost')
    for (const { give } of waiting.values()) give(null)
  }

  async function connect(): Promise<HostSocket | null> {
    let rest = ''
    let isLost = false
    let isTooLong = false
    // Data may come before the connection is handed over.
    let socket: HostSocket | null = null
    const opened = await parts.opener.open({
      ...{ address, tls: parts.tls, limitMs: CONNECT_MS },
      events: {
        onData(bytes) {
          const lines = (rest + Buffer.from(bytes).toString('latin1')).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) take(line)
          isTooLong ||= rest.length > LONGEST_LINE
          if (isTooLong) socket?.destroy()
        },
        onClosed(why) {
          isLost = true
          lost(why)
        },
      },
    })
    if ('failed' in opened) {
      lost(`${opened.failed}: ${opened.detail}`)
      return null
    }
    socket = opened.socket
    if (isTooLong) socket.destroy()
    return isLost || isTooLong ? null : socket
  }

  function take(line: string): void {
    const answer = parsed(line)
    const id = answer?.['id']
    if (answer !== null && typeof id === 'number') waiting.get(id)?.give(answer)
  }

  async function ask(request: object): Promise<Answer | null> {
    connecting ??= connect()
    const socket = await connecting
    if (socket === null) return null
    lastId += 1
    const id = lastId
    return new Promise(resolve => {
      const give = (answer: Answer | null) => {
        waiting.get(id)?.limit.cancel()
        waiting.delete(id)
        resolve(answer)
      }
      const limit = clock.alarm(clock.now() + ANSWER_MS, () => {
        log.warn({ address: `${address.host}:${address.port}` }, 'security module does not answer')
        give(null)
      })
      waiting.set(id, { give, limit })
      socket.write(Buffer.from(`${JSON.stringify({ id, ...request })}\n`))
    })
  }

  /** The member of an answer, if it has the right form. */
  async function asked<Value>(request: object, read: (answer: Answer) => Value | null): Promise<Value | KeyRefused> {
    const answer = await ask(request)
    if (answer === null) return UNREACHABLE
    const refused = REFUSALS.find(each => each === answer['refused'])
    if (refused !== undefined) return { refused }
    const value = read(answer)
    if (value === null) log.error({ do: 'do' in request ? request.do : '' }, 'security module answers in a wrong form')
    return value ?? UNREACHABLE
  }

  const codeRequest = ({ message, ...rest }: Parameters<PaymentKeys['mac']>[0]) => ({
    ...rest,
    message: hexOf(message),
  })
  return {
    list: () => asked({ do: 'keys' }, ({ keys }) => (Array.isArray(keys) && keys.every(isKey) ? keys : null)),
    mac: request =>
      asked({ do: 'mac', ...codeRequest(request) }, ({ mac }) =>
        isHex(mac, request.bytes) ? { mac: Buffer.from(mac, 'hex') } : null,
      ),
    verifyMac: ({ mac, ...request }) =>
      asked({ do: 'verify', ...codeRequest(request), mac: hexOf(mac) }, ({ right }) =>
        typeof right === 'boolean' ? { isRight: right } : null,
      ),
    translatePin({ pin, cardNumber, ...rest }) {
      const { block, keySerialNumber } = pin.reveal()
      const bytes = rest.format === 'iso4' ? 16 : 8
      return asked({ do: 'pin', ...rest, block, serial: keySerialNumber, card: cardNumber }, answer =>
        isHex(answer['block'], bytes) ? { block: Buffer.from(answer['block'], 'hex') } : null,
      )
    },
    close() {
      void connecting?.then(socket => socket?.end())
    },
  }
}

function isKey(value: unknown): value is PaymentKey {
  const key = value as Partial<PaymentKey> | null
  return ['name', 'use', 'algorithm', 'checkValue'].every(name => typeof key?.[name as keyof PaymentKey] === 'string')
}

function isHex(value: unknown, bytes: number): value is string {
  return typeof value === 'string' && new RegExp(`^[0-9A-Fa-f]{${2 * bytes}}$`).test(value)
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase()
}

function parsed(line: string): Answer | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Answer) : null
  } catch {
    return null
  }
}
