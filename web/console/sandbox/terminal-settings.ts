// web/console/sandbox/terminal-settings.ts — simulated terminals and their settings: as listed, in words, and as a form sends them.

/** As `/sandbox/terminals` shows them. */
export interface TerminalSettings {
  readonly currency: string
  readonly gratuity: boolean
  readonly cashbackAllowed: boolean
  readonly printing: boolean
  readonly contactlessCustomerCopy: boolean
  readonly waiterIds: boolean
  readonly mode: 'counter' | 'table' | 'both'
  readonly split: 'never' | 'always' | 'ask'
  /** Milliseconds per step; null: as the gateway is set. */
  readonly paceMs: number | null
}

/** A terminal as `/sandbox/terminals` lists it. */
export interface ListedTerminal {
  readonly tid: string
  readonly connected: boolean
  /** Of the running transaction; null when it is free. */
  readonly requestId: string | null
  readonly settings: TerminalSettings
}

export const pathOf = (tid: string) => `/sandbox/terminals/${encodeURIComponent(tid)}`

/** Switches, with the words beside them. */
export const SWITCHES = {
  gratuity: 'Asks for a tip',
  cashbackAllowed: 'Allows cashback',
  printing: 'Prints the receipts itself',
  contactlessCustomerCopy: 'Customer copy after contactless',
  waiterIds: 'Asks waiters for their id',
} as const satisfies Partial<Record<keyof TerminalSettings, string>>

export const MODES = { both: 'at the counter and at tables', counter: 'at the counter', table: 'at tables' } as const
export const SPLITS = { ask: 'as the waiter chooses', never: 'never', always: 'always' } as const

/** What differs from an ordinary terminal, in words. */
export function settingsInWords({
  mode,
  gratuity,
  cashbackAllowed,
  printing,
  split,
  paceMs,
}: TerminalSettings): string {
  const words = [
    `used ${MODES[mode]}`,
    gratuity ? 'asks for tips' : '',
    cashbackAllowed ? '' : 'no cashback',
    printing ? '' : 'the till prints',
    split === 'ask' || mode === 'counter' ? '' : `${split} splits bills`,
    paceMs === null ? '' : `${paceMs} ms per step`,
  ]
  return words.filter(Boolean).join(', ')
}

/** The changes that a form asks for; only what differs from now. A pace that is no number stays text, and is refused. */
export function changesIn(form: FormData, now: TerminalSettings): Partial<Record<keyof TerminalSettings, unknown>> {
  const pace = String(form.get('paceMs') ?? '').trim()
  const wanted = {
    ...Object.fromEntries(Object.keys(SWITCHES).map(name => [name, form.has(name)])),
    mode: form.get('mode'),
    split: form.get('split'),
    paceMs: pace === '' ? null : Number.isNaN(Number(pace)) ? pace : Number(pace),
  }
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => now[name as keyof TerminalSettings] !== value),
  )
}
