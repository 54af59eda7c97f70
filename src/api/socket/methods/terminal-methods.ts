// src/api/socket/methods/terminal-methods.ts — the JSON-RPC methods that list and read terminals.
import { type Static, Type } from 'typebox'
import { reachesTerminal } from '../../../domain/accounts/key-limits.ts'
import { TERMINAL_CURRENCIES } from '../../../domain/money.ts'
import {
  type ConnectedTerminal,
  connectedTerminal,
  connectedTerminalsOf,
  TERMINAL_STATUSES,
} from '../../../services/counter/connected-terminals.ts'
import { oneOf } from '../../schemas.ts'
import { rpcMethod } from '../method.ts'
import { exactly, TERMINAL, TID_ONLY } from '../shapes.ts'

const EXAMPLE = { tid: '22160001', currency: 'GBP', status: 'AVAILABLE' }

export const connectedTerminals = rpcMethod({
  name: 'connectedTerminals',
  summary: 'List the terminals that are connected',
  description: 'Sorted by id; empty when there are none. `params` is optional.',
  params: exactly({
    status: Type.Optional(oneOf(TERMINAL_STATUSES)),
    currency: Type.Optional(oneOf(TERMINAL_CURRENCIES)),
  }),
  paramsOptional: true,
  result: Type.Array(TERMINAL),
  example: { params: {}, result: [EXAMPLE] },
  refusals: [],
  reads: true,
  forTerminals: 'filtered',
  async run({ api, account, key }, wanted) {
    const connected = await connectedTerminalsOf(api, account.id, wanted)
    const terminals = connected.map(stateOf).filter(({ tid }) => reachesTerminal(key.limits, tid))
    return { result: terminals.toSorted((one, other) => (one.tid < other.tid ? -1 : 1)) }
  },
})

export const terminalDetails = rpcMethod({
  name: 'terminalDetails',
  summary: 'Read a terminal',
  description: 'The first call of a till that does not know the outcome of a transaction.',
  params: TID_ONLY,
  result: TERMINAL,
  example: { params: { tid: EXAMPLE.tid }, result: EXAMPLE },
  refusals: ['terminal_unavailable'],
  reads: true,
  async run({ api, account }, { tid }) {
    const found = await connectedTerminal(api, account.id, tid)
    return found === null ? { refused: { code: 'terminal_unavailable', tid } } : { result: stateOf(found) }
  },
})

function stateOf({ terminal: { tid, settings }, status }: ConnectedTerminal): Static<typeof TERMINAL> {
  return { tid, currency: settings.currency, status }
}
