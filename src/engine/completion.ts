// src/engine/completion.ts — completes records and events that version 0.1 stored without their initial values.

/**
 * Members that 0.1 left out while they had these values; a nested object lists the members of a member. It describes stored
 * data, so it never changes, even when the domain's initial values do.
 */
interface InitialValues {
  readonly [member: string]: unknown
}

const REQUEST: InitialValues = {
  cashbackMinor: 0,
  cardholderNotPresent: false,
  authCode: null,
  preAuthorisedTotalMinor: null,
}
const PARTNER: InitialValues = { softwareHouseId: null, installerId: null }
const ORDER: InitialValues = {
  merchantTransactionId: null,
  moto: false,
  payer: { userAgent: '', emailAddress: '', phoneNumber: '', ipAddress: '' },
  billingAddress: null,
  shippingDetails: null,
  newTransaction: false,
  crossReference: null,
  webHook: null,
  metaData: null,
  waitPreExecute: false,
  customerId: null,
  paymentMethodId: null,
  previousTransactionId: null,
  cofSetup: null,
}

/** Keyed by kind of record. */
const RECORDS: Readonly<Record<string, InitialValues>> = {
  'terminal-transaction': {
    request: REQUEST,
    partner: PARTNER,
    progress: 'accepted',
    cancel: 'none',
    authorisation: 'none',
    finishedAt: null,
    notifications: ['TRANSACTION_STARTED'],
    lastReport: 0,
    signature: null,
    authorisationId: null,
    acquirerReference: '',
    declineReason: null,
    card: {
      paymentMethod: 'UNKNOWN',
      cardholderVerificationMethod: 'UNKNOWN',
      primaryAccountNumber: '',
      primaryAccountNumberSequence: '',
      applicationId: '',
      applicationLabel: '',
      cardSchemeName: '',
      dateOfExpiry: '',
      dateOfStart: '',
    },
    amounts: { cashbackMinor: 0, gratuityMinor: 0 },
    authCode: '',
    transactionId: '',
    transactionNumber: '',
    receipts: { MERCHANT: [], CUSTOMER: [] },
    result: null,
    messages: [],
    repeated: null,
  },
  'online-payment': {
    order: ORDER,
    token: 'issued',
    progress: 'none',
    authentication: 'none',
    reservation: 'none',
    money: 'none',
    submission: null,
    submittedAt: null,
    challenge: null,
    mustChallenge: false,
    proof: null,
    authenticationFailure: null,
    authorisationId: null,
    authCode: '',
    acquirerReference: '',
    declineReason: null,
    statusCode: null,
    message: '',
    finishedAt: null,
    crossReference: '',
    paymentMethodId: null,
    entries: [],
  },
}

/** Events with the value of an authentication or of a wallet, which 0.1 stored in clear. ADR 95. */
const WITH_VALUE: Readonly<Record<string, readonly string[]>> = { 'online-payment': ['authenticated', 'submitted'] }

/** Keyed by kind of record, then by type of event. */
const EVENTS: Readonly<Record<string, Readonly<Record<string, InitialValues>>>> = {
  'terminal-transaction': { started: { request: REQUEST, partner: PARTNER, paperOut: false } },
  'online-payment': { issued: { order: ORDER } },
}

/** Kinds of records that 0.1 stored without their initial values. */
export const SHORTENED_KINDS: readonly string[] = Object.keys(RECORDS)

/** Types of the events that 0.1 stored otherwise. */
export const SHORTENED_EVENTS: readonly string[] = [
  ...Object.values(EVENTS).flatMap(Object.keys),
  ...Object.values(WITH_VALUE).flat(),
]

/**
 * Adds the missing members to a record, and takes the values of authentications and wallets out of a payment that is over: others
 * lose them when they end. Returns the same object when it is right. Pure.
 */
export function completedRecord(kind: string, stored: object): object {
  const initial = RECORDS[kind]
  const whole = initial === undefined ? stored : completed(stored, initial)
  return kind in WITH_VALUE && isOver(whole) ? withoutValue(whole) : whole
}

/** Adds the missing members to an event; returns the same object when none is missing. Pure. */
export function completedEvent(kind: string, event: { readonly type: string }): { readonly type: string } {
  const initial = EVENTS[kind]?.[event.type]
  return initial === undefined ? event : (completed(event, initial) as { readonly type: string })
}

/** Completes a stored record (JSON); returns the same text when nothing is missing. */
export function completeRecordBody(kind: string, body: string): string {
  const stored = JSON.parse(body) as object
  const whole = completedRecord(kind, stored)
  return whole === stored ? body : JSON.stringify(whole)
}

/** Completes a stored event envelope (JSON), and takes the value of an authentication or a wallet out; returns the same text when it is right. */
export function completeEventBody(kind: string, body: string): string {
  const stored = JSON.parse(body) as { readonly event: { readonly type: string } }
  const whole = completedEvent(kind, stored.event)
  const event = WITH_VALUE[kind]?.includes(whole.type) === true ? withoutValue(whole) : whole
  return event === stored.event ? body : JSON.stringify({ ...stored, event })
}

function isOver({ progress }: { readonly progress?: unknown }): boolean {
  return progress === 'final' || progress === 'revoked'
}

/** Without the values in clear of the proofs in it, if there are any. */
function withoutValue<Stored extends object & { readonly proof?: unknown; readonly submission?: unknown }>(
  stored: Stored,
): Stored {
  const proof = withoutItsValue(stored.proof)
  const submission = withoutWalletValue(stored.submission)
  if (proof === stored.proof && submission === stored.submission) return stored
  return { ...stored, ...(proof !== undefined && { proof }), ...(submission !== undefined && { submission }) }
}

function withoutWalletValue(submission: unknown): unknown {
  if (!isObject(submission)) return submission
  const walletProof = withoutItsValue(submission['walletProof'])
  return walletProof === submission['walletProof'] ? submission : { ...submission, walletProof }
}

function withoutItsValue(proof: unknown): unknown {
  const isInClear = isObject(proof) && typeof proof['value'] === 'string' && proof['value'] !== ''
  return isInClear ? { ...proof, value: '' } : proof
}

function completed(stored: object, initial: InitialValues): object {
  const members = stored as Readonly<Record<string, unknown>>
  let added: Record<string, unknown> | null = null
  for (const [name, value] of Object.entries(initial)) {
    const own = members[name]
    const whole = own === undefined ? value : isObject(own) && isObject(value) ? completed(own, value) : own
    if (whole === own) continue
    added ??= { ...members }
    added[name] = whole
  }
  return added ?? stored
}

function isObject(value: unknown): value is InitialValues {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
