// src/domain/counter/notifications.ts — table of all notifications of counter transactions.

/** A notification: its meaning, the versions that have it, and the terminal report that causes it. */
interface NotificationRow {
  /** For the cashier, one sentence. */
  readonly meaning: string
  /** The REST version that introduced it; older versions leave it out. Absent when all have it. See docs/versions.md. */
  readonly since?: 'v2'
  /** The terminal report that this was shown. Absent when the gateway derives the notification from other events. */
  readonly report?: { readonly type: string; readonly [field: string]: string }
  /** About a cancel or the paper roll; does not replace the current prompt. */
  readonly passing?: true
}

/** In the order of the published lists. A new notification is a new row. */
export const NOTIFICATIONS = {
  TRANSACTION_STARTED: { meaning: 'The terminal has accepted the request.' },
  PRESENT_CARD: {
    meaning: 'The customer is asked for a card.',
    report: { type: 'prompted', prompt: 'PRESENT_CARD' },
  },
  INSERT_CARD: { meaning: 'The card must be inserted.', report: { type: 'prompted', prompt: 'INSERT_CARD' } },
  RE_PRESENT_CARD: {
    meaning: 'The card must be presented again.',
    report: { type: 'prompted', prompt: 'RE_PRESENT_CARD' },
  },
  PRESENT_ONLY_ONE_CARD: {
    meaning: 'Two cards were presented at once.',
    report: { type: 'prompted', prompt: 'PRESENT_ONLY_ONE_CARD' },
  },
  REMOVE_CARD: { meaning: 'The card must be removed.', report: { type: 'card_removal_prompted' } },
  BAD_SWIPE: { meaning: 'The magnetic stripe could not be read.', report: { type: 'prompted', prompt: 'BAD_SWIPE' } },
  ENTER_CASHBACK: {
    meaning: 'The terminal prompts for cashback.',
    since: 'v2',
    report: { type: 'prompted', prompt: 'ENTER_CASHBACK' },
  },
  PIN_ENTRY: { meaning: 'The customer enters the PIN.', report: { type: 'pin_requested' } },
  PLEASE_WAIT: { meaning: 'The terminal is processing.' },
  CONNECTING: {
    meaning: 'The terminal is connecting to the acquirer.',
    report: { type: 'linking', stage: 'CONNECTING' },
  },
  CONNECTION_MADE: {
    meaning: 'The terminal is connected to the acquirer.',
    report: { type: 'linking', stage: 'CONNECTION_MADE' },
  },
  REQUEST_SENT: {
    meaning: 'The request was sent to the acquirer.',
    report: { type: 'linking', stage: 'REQUEST_SENT' },
  },
  RETRYING: {
    meaning: 'The terminal is connecting to the acquirer again.',
    report: { type: 'linking', stage: 'RETRYING' },
  },
  APPROVED: {
    meaning: 'Authorised, but not final.',
    report: { type: 'outcome_shown', outcome: 'APPROVED' },
  },
  DECLINED: {
    meaning: 'Declined by the issuer, but not final.',
    report: { type: 'outcome_shown', outcome: 'DECLINED' },
  },
  DECLINED_BY_CARD: {
    meaning: 'Declined by the card itself.',
    report: { type: 'outcome_shown', outcome: 'DECLINED_BY_CARD' },
  },
  CARD_ERROR: { meaning: 'The card does not work.', report: { type: 'outcome_shown', outcome: 'CARD_ERROR' } },
  CARD_EXPIRED: { meaning: 'The card has expired.', report: { type: 'outcome_shown', outcome: 'CARD_EXPIRED' } },
  CARD_NOT_SUPPORTED: {
    meaning: 'This kind of card is not accepted.',
    report: { type: 'outcome_shown', outcome: 'CARD_NOT_SUPPORTED' },
  },
  PROCESSING_ERROR: {
    meaning: 'The transaction could not be processed.',
    report: { type: 'outcome_shown', outcome: 'PROCESSING_ERROR' },
  },
  SIGNATURE_VERIFICATION: { meaning: 'The signature must be checked.' },
  SIGNATURE_VERIFICATION_IN_PROGRESS: { meaning: 'The till has been asked for its decision.' },
  SIGNATURE_VERIFICATION_PROCESS_COMPLETED: {
    meaning: 'The decision was applied.',
    report: { type: 'signature_applied' },
  },
  SIGNATURE_VERIFICATION_PROCESS_COULD_NOT_BE_COMPLETED: {
    meaning: 'The decision could not be applied.',
    report: { type: 'signature_not_applied' },
  },
  SIGNATURE_VERIFICATION_TIMEOUT: { meaning: 'No decision came in time; the signature counts as accepted.' },
  ATTEMPTING_CANCEL: { meaning: 'The cancel is on its way to the terminal.', since: 'v2', passing: true },
  CANCELLING: { meaning: 'The terminal has accepted the cancel.', since: 'v2', passing: true },
  UNABLE_TO_CANCEL: { meaning: 'The terminal has refused the cancel.', since: 'v2', passing: true },
  UNABLE_TO_CANCEL_TRANSACTION: {
    meaning: 'The cancel came too late; the transaction continues.',
    since: 'v2',
    passing: true,
  },
  CANCELLED_TRANSACTION: { meaning: 'The transaction was cancelled.', since: 'v2', passing: true },
  REPLACE_PAPER: {
    meaning: 'The printer needs paper.',
    since: 'v2',
    report: { type: 'paper_ran_out' },
    passing: true,
  },
  TRANSACTION_FINISHED: { meaning: 'The last notification; the result follows.' },
} as const satisfies Readonly<Record<string, NotificationRow>>

export type Notification = keyof typeof NOTIFICATIONS

/** Terminal reports of the rows that have one. */
type Reported = Extract<(typeof NOTIFICATIONS)[Notification], { readonly report: object }>['report']

export type Prompt = Extract<Reported, { readonly type: 'prompted' }>['prompt']
export type LinkStage = Extract<Reported, { readonly type: 'linking' }>['stage']
export type ShownOutcome = Extract<Reported, { readonly type: 'outcome_shown' }>['outcome']

/** Notifications that a terminal reports. */
export type ReportedNotification = {
  [Name in Notification]: (typeof NOTIFICATIONS)[Name] extends { readonly report: object } ? Name : never
}[Notification]

const ROWS: Readonly<Record<Notification, NotificationRow>> = NOTIFICATIONS
const NAMES = Object.keys(NOTIFICATIONS) as readonly Notification[]

/** The notifications that a terminal reports, in the order of the published lists. */
export const REPORTED_NOTIFICATIONS = NAMES.filter(
  name => ROWS[name].report !== undefined,
) as readonly ReportedNotification[]

/** Notifications that only the newest version has. */
export const NEWEST_NOTIFICATIONS: ReadonlySet<unknown> = new Set(NAMES.filter(name => ROWS[name].since !== undefined))

/** Whether a notification leaves the current prompt in force. */
export function isPassing(notification: Notification): boolean {
  return ROWS[notification].passing === true
}
