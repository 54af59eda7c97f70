// src/api/operations/terminals.ts — the terminals of the connect interface: those that can be reached now.
import { Type } from 'typebox'
import { TERMINAL_CURRENCIES } from '../../domain/money.ts'
import type { Terminal } from '../../domain/terminal.ts'
import { terminalAddress } from '../addresses.ts'
import { connectedTerminalsOf } from '../connected-terminals.ts'
import { accountOperation } from '../operation.ts'
import { connectedTerminals, terminalDetails } from '../rpc/methods/terminals.ts'
import { CONNECT_TERMINAL, type ConnectTerminal, EXAMPLE, oneOf } from '../schemas.ts'

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
  rpc: [connectedTerminals],
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
  async run({ api, account, base }, { query }) {
    const connected = await connectedTerminalsOf(api, account.id)
    const terminals = connected
      .map(({ terminal, busy }) => terminalBody(terminal, busy, base))
      .filter(
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
  rpc: [terminalDetails],
  responses: { 200: { description: 'The terminal.', schema: CONNECT_TERMINAL, example: EXAMPLE_TERMINAL } },
  refusals: ['terminal_unavailable'],
  async run({ api, account, base }, { params: { tid } }) {
    const found = await api.transactions.stateAtCounter(account.id, tid)
    return found === null
      ? { refused: { code: 'terminal_unavailable', tid } }
      : { status: 200, body: terminalBody(found.terminal, found.busy, base) }
  },
})

function terminalBody({ tid, settings }: Terminal, busy: boolean, base: string): ConnectTerminal {
  return {
    tid,
    status: busy ? 'BUSY' : 'AVAILABLE',
    currency: settings.currency,
    location: terminalAddress(base, tid),
  }
}
