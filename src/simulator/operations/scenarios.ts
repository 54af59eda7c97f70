// src/simulator/operations/scenarios.ts — operations on scenarios: the library, the account's own, and the queues of
// terminals.

import { Type } from 'typebox'
import { accountOperation, openOperation } from '../../api/operation.ts'
import { oneOf } from '../../api/schemas.ts'
import { TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { SCENARIO_DOCUMENT, SCENARIO_QUEUE } from '../scenarios/document.ts'
import { ONLINE_SCENARIOS } from '../scenarios/online-scenarios.ts'
import { installed, unavailable, unplayable } from './terminals.ts'

const SCHEMA_TYPE = 'application/schema+json; charset=utf-8'
const NAMED = Type.Object({ name: Type.String() })

const EXAMPLE_SCENARIO = {
  name: 'slow_decline',
  title: 'Declined for insufficient funds after ten seconds.',
  like: 'contactless_approved',
  acquirer: { answer: 'declined', reason: 'insufficient_funds', slowMs: 10_000 },
}

export const listScenarios = accountOperation({
  name: 'listScenarios',
  summary: 'List the scenarios that terminals can play',
  description: 'Built-in ones, those in files of the installation, and those of the account.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/scenarios',
  responses: {
    200: {
      description: 'The scenarios.',
      schema: Type.Object({
        scenarios: Type.Array(
          Type.Object(
            {
              name: Type.String(),
              title: Type.String(),
              from: oneOf(['library', 'files', 'account']),
              rows: Type.String({ description: 'Rows of the published table of sequences.' }),
            },
            { $id: 'ScenarioListing' },
          ),
        ),
        online: Type.Array(Type.Object({ name: Type.String(), title: Type.String() }), {
          description: 'Scenarios of online payments. Acquirer faults can be added.',
        }),
      }),
    },
  },
  run: ({ api, account }) => ({
    status: 200,
    body: { scenarios: sandboxOf(api).scenarios.list(account.id), online: ONLINE_SCENARIOS },
  }),
})

export const getScenario = accountOperation({
  name: 'getScenario',
  summary: 'Read a scenario as a document',
  description: 'Change it and post it under another name, or keep it as a file.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/scenarios/{name}',
  responses: { 200: { description: 'The document.', schema: SCENARIO_DOCUMENT } },
  refusals: ['path_unknown'],
  run({ api, account }, { params: { name } }) {
    const document = sandboxOf(api).scenarios.documentOf(account.id, name)
    return document === null ? { refused: { code: 'path_unknown' } } : { status: 200, body: { ...document } }
  },
})

export const defineScenario = accountOperation({
  name: 'defineScenario',
  summary: 'Add or replace a scenario of the account',
  description: 'Replaces one of the same name, but none that is built in or comes from a file.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/scenarios',
  right: 'configure',
  body: { schema: SCENARIO_DOCUMENT, examples: { 'a slow decline': EXAMPLE_SCENARIO } },
  responses: { 201: { description: 'The scenario is stored.', schema: NAMED, example: { name: 'slow_decline' } } },
  refusals: ['scenario_unplayable'],
  async run({ api, account }, { json }) {
    const sent = await json()
    if ('refused' in sent) return sent
    const defined = sandboxOf(api).scenarios.define(account.id, sent.value)
    return 'refusal' in defined ? unplayable(defined) : { status: 201, body: defined }
  },
})

export const forgetScenario = accountOperation({
  name: 'forgetScenario',
  summary: 'Delete a scenario of the account',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'DELETE',
  path: '/sandbox/scenarios/{name}',
  right: 'configure',
  responses: { 204: { description: 'The scenario is deleted.' } },
  refusals: ['path_unknown', 'scenario_unplayable'],
  run({ api, account }, { params: { name } }) {
    const forgotten = sandboxOf(api).scenarios.forget(account.id, name)
    if (typeof forgotten === 'object') return unplayable(forgotten)
    return forgotten ? { status: 204 } : { refused: { code: 'path_unknown' } }
  },
})

export const getScenarioQueue = accountOperation({
  name: 'getScenarioQueue',
  summary: 'List the next scenarios of a terminal',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/terminals/{tid}/scenarios',
  responses: { 200: { description: 'The scenarios that are still to be played.', schema: SCENARIO_QUEUE } },
  refusals: ['terminal_unavailable'],
  async run(context, { params: { tid } }) {
    const terminal = await installed(context, tid)
    if (terminal === null) return unavailable(tid)
    return { status: 200, body: { ...sandboxOf(context.api).scenarios.queueOf(terminal) } }
  },
})

export const setScenarioQueue = accountOperation({
  name: 'setScenarioQueue',
  summary: 'Set the next scenarios of a terminal',
  description: 'Replaces earlier ones. After these, without `afterwards`, the terminal id decides again.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/terminals/{tid}/scenarios',
  right: 'configure',
  body: {
    schema: SCENARIO_QUEUE,
    examples: {
      'the next one': { next: ['declined'] },
      'a sequence': { next: ['declined', 'declined', 'approved'] },
      'the next hundred': { next: [{ scenario: 'signature', times: 100 }] },
      'all of them': { next: [], afterwards: 'declined' },
    },
  },
  responses: { 200: { description: 'The new list.', schema: SCENARIO_QUEUE } },
  refusals: ['terminal_unavailable', 'scenario_unplayable'],
  async run(context, { params: { tid }, json }) {
    const terminal = await installed(context, tid)
    if (terminal === null) return unavailable(tid)
    const sent = await json()
    if ('refused' in sent) return sent
    const queue = sandboxOf(context.api).scenarios.setQueue(terminal, sent.value)
    return 'refusal' in queue ? unplayable(queue) : { status: 200, body: { ...queue } }
  },
})

export const exportScenario = accountOperation({
  name: 'exportScenario',
  summary: 'Export a transaction as a scenario',
  description:
    'What terminal and acquirer did, in the same order and at the same pace, without the requests of the till. Post it, or ' +
    'keep it as a file. `uncaptured` lists what a replay does not repeat.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/transactions/{requestId}/scenario',
  responses: { 200: { description: 'The document.', schema: SCENARIO_DOCUMENT } },
  refusals: ['transaction_unknown'],
  async run({ api, account }, { params: { requestId } }) {
    const events = await api.store.eventsOf({ account: account.id, kind: TERMINAL_TRANSACTION.kind, id: requestId })
    if (events.length === 0) return { refused: { code: 'transaction_unknown' } }
    return { status: 200, body: { ...sandboxOf(api).scenarios.replayOf(requestId, events) } }
  },
})

export const getScenarioSchema = openOperation({
  name: 'getScenarioSchema',
  summary: 'The JSON schema of scenarios',
  description: 'For editors, and to validate files.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/schemas/scenario.json',
  responses: { 200: { description: 'JSON Schema, draft 2020-12.', mediaType: 'application/schema+json' } },
  run: () => ({
    status: 200,
    bytes: Buffer.from(JSON.stringify(withoutNames(SCENARIO_DOCUMENT), null, 2)),
    mediaType: SCHEMA_TYPE,
  }),
})

/** Strips each `$id`: our schema names are not URIs, which JSON Schema expects there. */
function withoutNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNames)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => (name === '$id' ? [] : [[name, withoutNames(value)]])),
  )
}
