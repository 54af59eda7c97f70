// src/api/operations/management/managed-account.ts — management API: the account of a key, and its terminals.

import { Type } from 'typebox'
import { decodeRecord } from '../../../engine/decoding.ts'
import { TERMINAL, TERMINAL_TRANSACTION } from '../../../engine/machines.ts'
import { utcTimeOf } from '../../local-time.ts'
import { accountOperation } from '../../operation.ts'
import { CURRENCY, nullable, TERMINAL_SETTINGS, TIME } from '../../schemas.ts'

/** Terminals listed: as many as in the connect interface. */
const MOST_TERMINALS = 1_000

export const getAccount = accountOperation({
  name: 'getAccount',
  summary: 'Read the account that the key belongs to',
  tag: 'Account',
  area: 'own',
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
        public: Type.Boolean({ description: 'A shared account whose key is public; it may be revoked at any time.' }),
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

export const listOwnTerminals = accountOperation({
  name: 'listOwnTerminals',
  summary: 'List the terminals of the account, connected or not',
  tag: 'Account',
  area: 'own',
  method: 'GET',
  path: '/api/terminals',
  responses: {
    200: {
      description: 'The terminals, in the order in which they were installed.',
      schema: Type.Object({
        terminals: Type.Array(
          Type.Object(
            {
              tid: Type.String(),
              driver: Type.String(),
              connected: Type.Boolean(),
              transaction: nullable(Type.String({ description: 'requestId of the one that runs.' })),
              settings: TERMINAL_SETTINGS,
              createdAt: TIME,
            },
            { $id: 'TerminalRecord' },
          ),
        ),
      }),
    },
  },
  async run({ api, account }) {
    const { store, transactions } = api
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
    const terminals = installed.toReversed().map(async ({ body }) => {
      const { tid, driver, settings, createdAt } = decodeRecord(TERMINAL, body)
      const connected = (await transactions.connected(account.id, tid)) !== null
      const transaction = running.get(tid) ?? null
      return { tid, driver, connected, transaction, settings, createdAt: utcTimeOf(createdAt) }
    })
    return { status: 200, body: { terminals: await Promise.all(terminals) } }
  },
})
