// src/terminals/nexo/link.ts — the link to one terminal: asks it, and knows whether it is there.
import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { TerminalPresence } from '../../engine/ports/terminal.ts'
import { encode } from './codec.ts'
import { type Address, type Carrier, type Line, LineError } from './line.ts'
import { freshServiceId } from './service-ids.ts'
import type { NexoSettings } from './settings.ts'
import { type Answer, answerTo } from './wire/answers.ts'
import { type Health, healthOf } from './wire/diagnosis.ts'
import type { Members } from './wire/lenient.ts'
import { type Category, type Names, requestOf } from './wire/messages.ts'

export interface Link {
  readonly terminal: Terminal
  readonly settings: NexoSettings
  /** Null when the terminal is not there, or cannot take payments. */
  readonly presence: TerminalPresence | null
  /** Names of a new exchange. */
  newNames(): Names
  /** Opens a connection for a payment, to be sent by `send`. @throws LineError; nothing was sent then */
  open(): Promise<Line>
  /** Sends a request, and waits for its answer as long as it takes. Never rejects. */
  send(line: Line, category: Category, names: Names, body: Members): Promise<Answer>
  /** Asks on a connection of its own. @throws LineError when the terminal cannot be reached */
  ask(category: Category, names: Names, body: Members): Promise<Answer>
  /** Asks for its health now. @throws LineError */
  diagnose(): Promise<Health | null>
  /** Begins to look at the terminal now and then. Resolves after the first look. */
  watch(): Promise<void>
  close(): void
}

export interface LinkParts {
  readonly carrier: Carrier
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

export interface LinkEvents {
  /** Whether a request of ours runs on the terminal. It is not looked at meanwhile. */
  readonly isRunning: () => boolean
  /** The terminal was away and is there again. */
  readonly onBack: () => void
  /** Whether the cloud is connected to the terminal; null when that cannot be told, as of one in the network. */
  readonly isListed: () => Promise<boolean | null>
}

const OPEN_LIMIT_MS = 5_000
/** How long a question may take: the terminal answers it without a person. */
const ASK_LIMIT_MS = 15_000
const LOOK_EVERY_MS = 60_000
/** While it is not there. Each look through the cloud is a request to the provider. */
const LOOK_AGAIN_MS = { local: 5_000, cloud: 30_000 } as const
/** What the list of the cloud does not say, such as that paper is out, and also that the list is wrong. */
const DIAGNOSE_EVERY_MS = 300_000
const NONCE_BYTES = 16

type State = 'unknown' | 'here' | 'away'

/** Creates the link. Nothing is connected before the first call. */
export function createLink(parts: LinkParts, terminal: Terminal, settings: NexoSettings, events: LinkEvents): Link {
  const { carrier, clock, random, log } = parts
  const { tid } = terminal
  const [key] = settings.keys
  let state: State = 'unknown'
  let health: Health | null = null
  let diagnosedAt: number | null = null
  let alarm: Alarm | null = null
  let isClosed = false

  function becomes(next: 'here' | 'away', why: string): void {
    const before = state
    state = next
    if (before === next) return
    if (next === 'here') log.info({ tid }, 'terminal is connected')
    else log.warn({ tid, why }, 'terminal is not connected')
    if (before === 'away' && next === 'here') events.onBack()
  }

  async function open(address: Address): Promise<Line> {
    try {
      return await carrier.open(address, OPEN_LIMIT_MS)
    } catch (error) {
      if (error instanceof LineError && error.fault === 'certificate')
        log.error({ tid, why: error.message }, 'certificate of terminal refused')
      becomes('away', error instanceof LineError ? error.message : String(error))
      throw error
    }
  }

  async function send(line: Line, category: Category, names: Names, body: Members): Promise<Answer> {
    const text = encode(requestOf(category, names, body), key, random.bytes(NONCE_BYTES))
    let answer: Answer
    try {
      answer = answerTo(category, names, await line.post(text), settings)
    } catch (error) {
      if (!(error instanceof LineError)) throw error
      answer = { answer: 'none', because: error.message }
    }
    if (answer.answer === 'refused') {
      log.error({ tid, category, because: answer.because, detail: answer.detail }, 'terminal refuses our messages')
      becomes('away', 'it refuses our messages')
    } else if (answer.answer === 'undelivered') becomes('away', 'its provider cannot reach it')
    else if (answer.answer !== 'none') becomes('here', '')
    return answer
  }

  const newNames = (): Names => {
    const { saleId, poiId } = settings
    return { saleId, poiId, serviceId: freshServiceId(random) }
  }

  const ask: Link['ask'] = async (category, names, body) => {
    const line = await open(settings.address)
    const limit = clock.alarm(clock.now() + ASK_LIMIT_MS, line.close)
    try {
      return await send(line, category, names, body)
    } finally {
      limit.cancel()
      line.close()
    }
  }

  async function diagnose(): Promise<Health | null> {
    diagnosedAt = clock.now()
    const answer = await ask('Diagnosis', newNames(), { HostDiagnosisFlag: false })
    health = answer.answer === 'response' ? healthOf(answer.response) : null
    if (answer.answer === 'none') becomes('away', answer.because)
    return health
  }

  const isIdle = () => state === 'here' && health?.usable === true && !health.busy

  /** A terminal that was on the list or away, and still is, need not be asked each time. */
  function isKnown(isListed: boolean | null): boolean {
    if (isListed === null || diagnosedAt === null || clock.now() - diagnosedAt >= DIAGNOSE_EVERY_MS) return false
    return isListed ? isIdle() : state === 'away'
  }

  async function look(): Promise<void> {
    const isListed = events.isRunning() ? null : await events.isListed()
    if (!events.isRunning() && !isKnown(isListed)) await diagnose().catch(ignoreLineError)
    if (isClosed) return
    alarm?.cancel()
    const pauseMs = isListed === null && isIdle() ? LOOK_EVERY_MS : LOOK_AGAIN_MS[settings.transport]
    alarm = clock.alarm(clock.now() + pauseMs, () => void look())
  }

  return {
    ...{ terminal, settings, newNames, send, ask, diagnose, watch: look },
    open: () => open(settings.paymentAddress),
    get presence() {
      if (state !== 'here' || health?.usable === false) return null
      const inUse = health?.busy === true && !events.isRunning()
      return { paperOut: health?.paperOut === true, ...(inUse ? { inUse } : {}) }
    },
    close() {
      isClosed = true
      alarm?.cancel()
    },
  }
}

function ignoreLineError(error: unknown): null {
  if (!(error instanceof LineError)) throw error
  return null
}
