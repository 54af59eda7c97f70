// src/terminals/nexo/posted.ts — takes notifications that terminals, or their provider, post to the gateway. ADR 92.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { PostedNotification } from '../../engine/ports/terminal.ts'
import { type Decoded, decode, UnreadableMessage } from './codec.ts'
import type { Deliveries } from './deliveries.ts'
import type { Exchange, Journal } from './journal.ts'
import type { Links } from './links.ts'
import type { Payments } from './payments.ts'
import type { NexoSettings } from './settings.ts'
import { eventsIn, type Shown, shownBy } from './wire/displays.ts'
import { memberAt, textOf } from './wire/lenient.ts'

export interface PostedParts {
  readonly exchanges: Journal<Exchange>
  readonly deliveries: Pick<Deliveries, 'shown'>
  readonly links: Pick<Links, 'to'>
  readonly payments: Pick<Payments, 'find'>
  readonly log: Log
}

/**
 * Takes one notification. What it shows of the payment that runs is delivered. For a result the terminal is asked: what is posted proves
 * nothing. Anything else is passed over.
 * @returns `refused` when its sender is not known
 * @throws Error when the gateway has not taken it: the sender repeats it
 */
export async function takePosted(
  { exchanges, deliveries, links, payments, log }: PostedParts,
  terminal: Terminal,
  posted: PostedNotification,
): Promise<'taken' | 'refused'> {
  const { merchantAccount: account, tid } = terminal
  const settings = await links.to(terminal).then(
    link => link.settings,
    () => null,
  )
  const message = settings === null ? null : authenticIn(settings, posted)
  if (message === null) {
    log.warn({ tid }, 'notification of a terminal was refused')
    return 'refused'
  }
  const { note } = (await exchanges.latest(account, tid)).find(each => isAbout(each.note, message)) ?? { note: null }
  const asked = note?.asked ?? null
  if (note === null || asked === null) return 'taken'
  // Not awaited: the sender waits for an answer no longer than 10 s.
  if (isResult(message)) void payments.find(account, note.requestId)?.question()
  const asksTip = terminal.settings.gratuity && asked.request.table === undefined
  const shown = eventsIn(message.body)
    .map(event => shownBy(event, asked.request, asksTip))
    .filter((each): each is Shown => each !== null)
    .toSorted((one, other) => one.place - other.place)
  for (const each of shown) await deliveries.shown(note, each)
  return 'taken'
}

/** Whether it says that a payment has ended, or that the cloud has given it up. */
function isResult({ body }: Decoded): boolean {
  return memberAt(body, 'PaymentResponse') !== undefined || memberAt(body, 'EventNotification') !== undefined
}

/** Only of a payment that was sent and whose outcome is open. */
function isAbout({ phase, asked }: Exchange, { header }: Decoded): boolean {
  return phase === 'sent' && asked?.names.serviceId === textOf(header['ServiceID'])
}

/** The message, if its sender has proved who it is: by name and password, and by the shared key if the terminal has one. */
function authenticIn(settings: NexoSettings, { authorization, text }: PostedNotification): Decoded | null {
  const { notifications, keys, poiId } = settings
  if (notifications === null || !isSame(authorization ?? '', basicOf(notifications))) return null
  try {
    const message = decode(text, keys)
    const isTrusted = message.authentic || keys.length === 0
    return isTrusted && textOf(message.header['POIID']) === poiId ? message : null
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error
    return null
  }
}

function basicOf({ user, password }: NonNullable<NexoSettings['notifications']>): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
}

/** Takes the same time whatever differs. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map(text => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
