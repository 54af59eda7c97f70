// src/simulator/operations/fleet.ts — operations that add, remove and reset the simulated terminals of an account.

import { Type } from 'typebox'
import { accountOperation } from '../../api/operation.ts'
import { TERMINAL_SETTINGS_CHANGES } from '../../api/schemas.ts'
import { MOST_TERMINALS } from '../../domain/accounts/terminal.ts'
import { idHoldsCardNumber } from '../../domain/card-numbers.ts'
import { TERMINAL } from '../../engine/machines.ts'
import { freshSettings } from '../../services/provisioning/provisioning.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { SIMULATED } from '../makes.ts'
import { SCREEN } from './schemas.ts'
import { installed, screenBody, unavailable } from './terminals.ts'

export const addTerminal = accountOperation({
  name: 'addTerminal',
  summary: 'Add a simulated terminal',
  description:
    'The id decides the outcome of payments: `VCM`, a tag, and a code such as `SIP0`. Other terminals are operated with keys.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/terminals',
  right: 'configure',
  body: {
    schema: Type.Object({
      tid: Type.String({ pattern: '^[A-Za-z0-9]{1,20}$', description: '1 to 20 letters and digits.' }),
      settings: Type.Optional(TERMINAL_SETTINGS_CHANGES),
    }),
    examples: {
      'one that declines': { tid: 'VCMBARDIP0' },
      'one that asks for tips': { tid: '22160009', settings: { gratuity: true } },
    },
  },
  responses: { 201: { description: 'The terminal, connected.', schema: SCREEN } },
  refusals: ['card_number_misplaced', 'already_exists', 'too_many_terminals'],
  async run(context, { body }) {
    const { api, account } = context
    const read = await body()
    if ('refused' in read) return read
    const { tid, settings: changes = {} } = read.value
    if (idHoldsCardNumber(tid)) return { refused: { code: 'card_number_misplaced', field: 'tid' } }
    const known = await api.store.list(account.id, { kind: TERMINAL.kind, live: true, limit: MOST_TERMINALS })
    if (known.length === MOST_TERMINALS) return { refused: { code: 'too_many_terminals' } }
    const settings = { ...freshSettings(account.currency), ...changes }
    const executed = await api.engine.execute(
      TERMINAL,
      { account: account.id, id: tid },
      { type: 'add', tid, merchantAccount: account.id, driver: SIMULATED, settings },
    )
    if ('refused' in executed) return executed
    if ('repeated' in executed) throw new Error('terminals bear no idempotency key')
    sandboxOf(api).reset(executed.record)
    return { status: 201, body: screenBody(api, executed.record) }
  },
})

export const removeTerminal = accountOperation({
  name: 'removeTerminal',
  summary: 'Remove a simulated terminal',
  description: 'A running transaction or report is lost, and ends accordingly. Links to the terminal end.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'DELETE',
  path: '/sandbox/terminals/{tid}',
  right: 'configure',
  responses: { 204: { description: 'The terminal is removed.' } },
  refusals: ['terminal_unavailable'],
  async run(context, { params: { tid } }) {
    const { api, account } = context
    const terminal = await installed(context, tid)
    if (terminal === null) return unavailable(tid)
    // Reset the device first, while the gateway still accepts its report of the loss.
    sandboxOf(api).reset(terminal)
    sandboxOf(api).links.end(terminal)
    const executed = await api.engine.execute(TERMINAL, { account: account.id, id: tid }, { type: 'remove' })
    return 'refused' in executed ? executed : { status: 204 }
  },
})

export const resetTerminal = accountOperation({
  name: 'resetTerminal',
  summary: 'Reset a simulated terminal',
  description: 'It loses its running transaction, totals, last transaction and next scenarios.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/terminals/{tid}/reset',
  right: 'operate',
  responses: { 200: { description: 'The terminal.', schema: SCREEN } },
  refusals: ['terminal_unavailable'],
  async run(context, { params: { tid } }) {
    const terminal = await installed(context, tid)
    if (terminal === null) return unavailable(tid)
    sandboxOf(context.api).reset(terminal)
    return { status: 200, body: screenBody(context.api, terminal) }
  },
})
