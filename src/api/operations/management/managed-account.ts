// src/api/operations/management/managed-account.ts — management API: the account of a key, and its terminals.

import { type Static, Type } from 'typebox'
import type { Terminal } from '../../../domain/accounts/terminal.ts'
import { decodeRecord } from '../../../engine/decoding.ts'
import { TERMINAL, TERMINAL_TRANSACTION } from '../../../engine/machines.ts'
import { utcTimeOf } from '../../local-time.ts'
import { accountOperation } from '../../operation.ts'
import type { ApiParts } from '../../parts.ts'
import { CURRENCY, nullable, oneOf, TERMINAL_SETTINGS, TIME } from '../../schemas.ts'

/** Terminals listed: as many as in the connect interface. */
const MOST_TERMINALS = 1_000

export const getAccount = accountOperation({
  name: 'getAccount',
  summary: 'Read the account that the key belongs to',
  tag: 'Account',
  area: 'management',
  method: 'GET',
  path: '/api/account',
  responses: {
    200: {
      description: 'The account.',
      schema: Type.Object({
        id: Type.String(),
        name: Type.String(),
        address: Type.String(),
        currency: CURRENCY,
        timeZone: Type.String(),
        public: Type.Boolean({
          description: 'Whether the account is shared: its key is public and may be revoked at any time.',
        }),
        merchantHosts: Type.Array(Type.String(), { description: 'Hosts of its web shops, for `merchantUrl`.' }),
        createdAt: TIME,
        mode: Type.String(),
      }),
    },
  },
  run({ api, account }) {
    const { id, name, address, currency, timeZone, createdAt } = account
    const body = { id, name, address, currency, timeZone, public: account.public, createdAt: utcTimeOf(createdAt) }
    const merchantHosts = [...(account.merchantHosts ?? [])]
    return { status: 200, body: { ...body, merchantHosts, mode: api.settings.mode } }
  },
})

const MANAGED_TERMINAL = Type.Object(
  {
    tid: Type.String(),
    driver: Type.String(),
    connected: Type.Boolean(),
    line: oneOf(['up', 'down'], {
      description: 'Whether the gateway reaches the terminal: `up` when it is connected.',
    }),
    paper: oneOf(['in', 'out', 'unknown'], { description: 'Paper in its printer; `unknown` while the line is down.' }),
    transaction: nullable(Type.String({ description: 'requestId of the running transaction.' })),
    settings: TERMINAL_SETTINGS,
    createdAt: TIME,
  },
  { $id: 'TerminalRecord' },
)

/** @param transaction the running one */
function managedTerminal(
  { transactions }: Pick<ApiParts, 'transactions'>,
  terminal: Terminal,
  transaction: string | null,
): Static<typeof MANAGED_TERMINAL> {
  const { tid, driver, settings, createdAt } = terminal
  const presence = transactions.presence(terminal)
  return {
    ...{ tid, driver, connected: presence !== null, line: presence === null ? 'down' : 'up' },
    paper: presence === null ? 'unknown' : presence.paperOut ? 'out' : 'in',
    ...{ transaction, settings, createdAt: utcTimeOf(createdAt) },
  }
}

export const listOwnTerminals = accountOperation({
  name: 'listOwnTerminals',
  summary: 'List the terminals of the account, connected or not',
  description: 'Includes the state of connection and paper, which `/pac/terminals` does not.',
  tag: 'Account',
  area: 'management',
  method: 'GET',
  path: '/api/terminals',
  responses: {
    200: {
      description: 'The terminals, in the order in which they were installed.',
      schema: Type.Object({ terminals: Type.Array(MANAGED_TERMINAL) }),
    },
  },
  async run({ api, account }) {
    const { store } = api
    const [installed, live] = await Promise.all([
      store.list(account.id, { kind: TERMINAL.kind, live: true, limit: MOST_TERMINALS }),
      store.list(account.id, { kind: TERMINAL_TRANSACTION.kind, live: true, limit: MOST_TERMINALS }),
    ])
    const running = new Map(
      live.map(({ body }) => {
        const { tid, requestId } = decodeRecord(TERMINAL_TRANSACTION, body)
        return [tid, requestId]
      }),
    )
    const terminals = installed.toReversed().map(({ body }) => {
      const terminal = decodeRecord(TERMINAL, body)
      return managedTerminal(api, terminal, running.get(terminal.tid) ?? null)
    })
    return { status: 200, body: { terminals } }
  },
})
