// src/api/operations/till/terminal-operations.ts — lists and reads the connected terminals.
import { Type } from 'typebox'
import { reachesTerminal } from '../../../domain/accounts/key-limits.ts'
import { TERMINAL_CURRENCIES } from '../../../domain/money.ts'
import {
  type ConnectedTerminal,
  connectedTerminal,
  connectedTerminalsOf,
  TERMINAL_STATUSES,
} from '../../../services/counter/connected-terminals.ts'
import { terminalAddress } from '../../addresses.ts'
import { accountOperation } from '../../operation.ts'
import { CONNECT_TERMINAL, type ConnectTerminal, EXAMPLE, oneOf } from '../../schemas.ts'
import { connectedTerminals, terminalDetails } from '../../socket/methods/terminal-methods.ts'

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
  forTerminals: 'filtered',
  rpc: [connectedTerminals],
  query: Type.Object({
    status: Type.Optional(oneOf(TERMINAL_STATUSES)),
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
  async run({ api, account, base, key }, { query }) {
    const connected = await connectedTerminalsOf(api, account.id, query)
    const reached = connected.filter(({ terminal }) => reachesTerminal(key?.limits ?? {}, terminal.tid))
    const terminals = reached.map(each => terminalBody(each, base))
    return { status: 200, body: { terminals } }
  },
})

export const getTerminal = accountOperation({
  name: 'getTerminal',
  summary: 'Read a terminal',
  tag: 'Pay at counter',
  area: 'connect',
  method: 'GET',
  path: '/pac/terminals/{tid}',
  rpc: [terminalDetails],
  responses: { 200: { description: 'The terminal.', schema: CONNECT_TERMINAL, example: EXAMPLE_TERMINAL } },
  refusals: ['terminal_unavailable'],
  async run({ api, account, base }, { params: { tid } }) {
    const found = await connectedTerminal(api, account.id, tid)
    return found === null
      ? { refused: { code: 'terminal_unavailable', tid } }
      : { status: 200, body: terminalBody(found, base) }
  },
})

function terminalBody({ terminal, status }: ConnectedTerminal, base: string): ConnectTerminal {
  const { tid, settings } = terminal
  return { tid, status, currency: settings.currency, location: terminalAddress(base, tid) }
}
