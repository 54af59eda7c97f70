// src/three-d-secure/emv/message-view.ts — a message of a log for people: members, meanings, objection; card data hidden.
import { maskCardNumbers } from '../../domain/card-numbers.ts'
import { fromBase64url } from './base64url.ts'
import { meaningOfCode } from './code-meanings.ts'
import { type Decoded, decode, MESSAGE_TYPES } from './codec.ts'
import { isObject } from './members.ts'
import { decodeMethodData } from './method-data.ts'
import type { Objection } from './objection.ts'
import { type Asked, actionOf, outcomeOfResult } from './outcome.ts'
import { parseStrictly } from './strict-json.ts'

/** A member that holds no other. */
export interface MemberView {
  /** Its name behind those that hold it: `acctInfo.chAccAgeInd`, `cardRangeData[0].startRange`. */
  readonly name: string
  readonly value: string
  readonly meaning: string | null
}

export interface MessageView {
  /** Null when the text is no message. */
  readonly messageType: string | null
  readonly members: readonly MemberView[]
  /** Members that were left out of a long message. */
  readonly omitted: number
  /** What the specification objects to. */
  readonly objection: Objection | null
  /** What the gateway would take from an ARes, RReq or CRes. */
  readonly result: string | null
}

/** Card ranges have up to 200,000 entries. */
const LONGEST = 400 * 1_048_576
/** Members that are shown; `ranges` looks into longer messages. */
const MOST_MEMBERS = 500

/**
 * Reads a message as logs have it: JSON, base64url, or a field of a form such as `cres=…`.
 * @param messageCategory category of the request, for an ARes
 */
export function viewOf(logged: string, messageCategory?: string): MessageView {
  const text = messageText(logged)
  const method = decodeMethodData(fieldValue(logged))
  const json = parseStrictly(text)
  const value = 'problem' in json ? null : json.value
  const members = membersOf(value)
  const isMessage = isObject(value) && 'messageType' in value
  if (method !== null && !isMessage)
    return { messageType: 'threeDSMethodData', ...members, objection: null, result: null }
  const decoded = decode(text, {
    expected: MESSAGE_TYPES,
    longest: LONGEST,
    ...(messageCategory !== undefined && { messageCategory }),
  })
  const type = isObject(value) ? MESSAGE_TYPES.find(each => each === value['messageType']) : undefined
  return {
    messageType: type ?? null,
    ...members,
    objection: 'refused' in decoded ? decoded.refused : null,
    result: 'refused' in decoded ? null : resultOf(decoded),
  }
}

/** JSON as it is; anything else as base64url, also in the plain alphabet. Text that is neither stays and is refused. */
export function messageText(logged: string): string {
  const text = logged.trim()
  return text.startsWith('{') ? text : (fromBase64url(fieldValue(text), { lenient: true }) ?? text)
}

/** The value of a form field, its encoding undone. */
function fieldValue(text: string): string {
  const [, value = text] = /^\s*(?:creq|cres|erro|threeDSMethodData)=([^&]*)/.exec(text) ?? []
  return value.trim().replaceAll('%3D', '=').replaceAll('%3d', '=')
}

/** Values that nobody needs to read: proofs, credentials, security codes, encrypted parts. */
const HIDDEN = new Set([
  ...['authenticationValue', 'cardSecurityCode', 'threeDSReqAuthData', 'threeDSReqPriorAuthData'],
  ...['sdkEncData', 'acsSignedContent', 'deviceInfo'],
])
const NUMBER = 'acctNumber'
/** Ends of card ranges, which are no card's. */
const RANGE_ENDS = new Set(['startRange', 'endRange'])

interface Leaf {
  readonly path: string
  readonly value: unknown
}

/** The members that hold no other, one after the other: card ranges have a million. */
function* leavesOf(path: string, value: unknown): Generator<Leaf> {
  const name = nameIn(path)
  if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* leavesOf(`${path}[${index}]`, each)
  else if (isObject(value) && !HIDDEN.has(name) && name !== NUMBER)
    for (const [inner, each] of Object.entries(value)) yield* leavesOf(path === '' ? inner : `${path}.${inner}`, each)
  else if (path !== '') yield { path, value }
}

/** The first members for people, and how many more there are. */
function membersOf(message: unknown): Pick<MessageView, 'members' | 'omitted'> {
  const members: MemberView[] = []
  let omitted = 0
  for (const { path, value } of leavesOf('', message)) {
    if (members.length >= MOST_MEMBERS) omitted += 1
    else members.push(memberOf(path, value))
  }
  return { members, omitted }
}

function memberOf(path: string, value: unknown): MemberView {
  const name = nameIn(path)
  return { name: maskCardNumbers(path), value: shownValue(name, value), meaning: meaningOfCode(name, value) }
}

/** The name of a member without those that hold it. */
function nameIn(path: string): string {
  return (path.split('.').at(-1) ?? '').replace(/(\[\d+\])+$/, '')
}

function shownValue(name: string, value: unknown): string {
  if (name === NUMBER) return maskedNumber(value)
  if (HIDDEN.has(name)) return '[hidden]'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return RANGE_ENDS.has(name) ? text : maskCardNumbers(text)
}

/** First six and last four digits of what has the form of a number. */
function maskedNumber(value: unknown): string {
  if (typeof value !== 'string' || !/^\d{13,19}$/.test(value)) return '[hidden]'
  return `${value.slice(0, 6)}${'*'.repeat(value.length - 10)}${value.slice(-4)}`
}

const RESULTS = {
  authenticated: 'The payer is authenticated, or the attempt is proven; the payment can be authorised with the proof.',
  challenge: 'The payer has to pass a challenge of the issuer.',
  decoupled: 'The issuer authenticates the payer outside of the browser; the result comes later in an RReq.',
  informational: 'The issuer takes note; there is no proof, and the merchant is liable.',
  not_authenticated: 'The payer is not authenticated; the payment ends.',
  rejected: 'The issuer rejects the authentication; the payment must not be authorised.',
  unavailable: 'Authentication is not possible; a payment that needs one ends.',
  invalid: 'The answer has no status that goes with a request.',
  cancelled: 'The payer cancelled the challenge; the payment ends.',
  timed_out: 'The challenge timed out; the payment ends.',
} as const

/** Asked from a browser, without demanding a challenge; a decoupled authentication is explained and not refused. */
const ASKED: Asked = {
  deviceChannel: '02',
  messageCategory: '01',
  mustChallenge: false,
  decoupled: true,
  scheme: 'VISA',
  md: '',
}

function resultOf({ message, version }: Decoded): string | null {
  switch (message.messageType) {
    case 'ARes':
      return RESULTS[actionOf(message, ASKED)]
    case 'RReq':
      return resultOfChallenge(outcomeOfResult(message, version, ASKED).report)
    case 'CRes':
      return 'It ends the wait of the browser and decides nothing: the result of the challenge comes in an RReq.'
    case 'PReq':
    case 'PRes':
    case 'AReq':
    case 'CReq':
    case 'RRes':
    case 'Erro':
      return null
  }
}

function resultOfChallenge(report: ReturnType<typeof outcomeOfResult>['report']): string {
  if (report.type !== 'authentication_failed') return RESULTS.authenticated
  const { reason } = report
  return reason === 'closed' || reason === 'page_failed' ? RESULTS.not_authenticated : RESULTS[reason]
}
