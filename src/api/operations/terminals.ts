// src/api/operations/terminals.ts — the terminals of the connect interface: those that can be reached now.
import { Type } from 'typebox'
import { TERMINAL_CURRENCIES } from '../../domain/money.ts'
import type { Terminal } from '../../domain/terminal.ts'
import { TERMINAL, TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import { terminalAddress } from '../addresses.ts'
import { type AccountVisit, accountOperation } from '../operation.ts'
import { CONNECT_TERMINAL, type ConnectTerminal, EXAMPLE, oneOf } from '../schemas.ts'

/** Terminals of one account that are listed: a department store has a few hundred. */
const MOST_TERMINALS = 1_000

const EXAMPLE_TERMINAL = {
  tid: EXAMPLE.tid,
  status: 'AVAILABLE',
  currency: 'GBP',
  location: `${EXAMPLE.base}/pac/terminals/${EXAMPLE.tid}`,
}

export const listTerminals = accountOperation({
  name: 'listTerminals',
  summary: 'List the terminals that are connected',
  tag: 'Pay at counter',
  area: 'connect',
  method: 'GET',
  path: '/pac/terminals',
  query: Type.Object({
    status: Type.Optional(oneOf(['AVAILABLE', 'BUSY'])),
    currency: Type.Optional(oneOf(TERMINAL_CURRENCIES)),
  }),
  responses: {
    200: {
      description: 'The terminals, in the order in which they were installed.',
      schema: Type.Object({ terminals: Type.Array(CONNECT_TERMINAL) }),
      example: { terminals: [EXAMPLE_TERMINAL] },
    },
  },
  refusals: ['field_invalid'],
  async run(visit, { query }) {
    const terminals = (await connectedTerminals(visit)).filter(
      ({ status, currency }) => (query.status ?? status) === status && (query.currency ?? currency) === currency,
    )
    return { status: 200, body: { terminals } }
  },
})

export const getTerminal = accountOperation({
  name: 'getTerminal',
  summary: 'Look at one terminal',
  tag: 'Pay at counter',
  area: 'connect',
  method: 'GET',
  path: '/pac/terminals/{tid}',
  responses: { 200: { description: 'The terminal.', schema: CONNECT_TERMINAL, example: EXAMPLE_TERMINAL } },
  refusals: ['terminal_unavailable'],
  async run({ api, account, base }, { params: { tid } }) {
    const terminal = await api.transactions.connected(account.id, tid)
    if (terminal === null) return { refused: { code: 'terminal_unavailable', tid } }
    const busy = (await api.transactions.liveOn(account.id, tid)) !== null
    return { status: 200, body: terminalBody(terminal, busy, base) }
  },
})

async function connectedTerminals({ api, account, base }: AccountVisit): Promise<readonly ConnectTerminal[]> {
  const { store, transactions } = api
  const [installed, live] = await Promise.all([
    store.list(account.id, { kind: TERMINAL.kind, live: true, limit: MOST_TERMINALS }),
    store.list(account.id, { kind: TERMINAL_TRANSACTION.kind, live: true, limit: MOST_TERMINALS }),
  ])
  const busy = new Set(live.map(({ body }) => (JSON.parse(body) as { readonly tid: string }).tid))
  // Newest first from the store; the field expects the order of installation.
  const connected = await Promise.all(installed.toReversed().map(({ id }) => transactions.connected(account.id, id)))
  return connected.flatMap(terminal => (terminal === null ? [] : terminalBody(terminal, busy.has(terminal.tid), base)))
}

function terminalBody({ tid, settings }: Terminal, busy: boolean, base: string): ConnectTerminal {
  return {
    tid,
    status: busy ? 'BUSY' : 'AVAILABLE',
    currency: settings.currency,
    location: terminalAddress(base, tid),
  }
}
