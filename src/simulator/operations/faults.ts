// src/simulator/operations/faults.ts — operations on faults: list the catalogue, arm and disarm faults for requests.

import { Type } from 'typebox'
import { accountOperation } from '../../api/operation.ts'
import { nullable, oneOf } from '../../api/schemas.ts'
import { FAULT_NAMES, FAULT_ORDER, FAULTS, type FaultKind } from '../faults/catalogue.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { unplayable } from './terminals.ts'

const ARMED = Type.Object(
  {
    fault: Type.String(),
    method: nullable(Type.String()),
    path: Type.String(),
    times: Type.Integer({ description: 'Requests that it will still hit.' }),
  },
  { $id: 'ArmedFault' },
)

const KIND = Type.Object(
  {
    name: Type.String(),
    at: oneOf(['terminal', 'acquirer', 'request']),
    title: Type.String(),
    number: nullable(
      Type.Object({
        of: oneOf(['ms', 'minor units', 'notifications']),
        usual: Type.Integer({ description: 'Default.' }),
      }),
    ),
  },
  { $id: 'FaultKind' },
)

export const listFaults = accountOperation({
  name: 'listFaults',
  summary: 'List all faults, and the armed ones',
  description:
    'A fault is added to a scenario (`Tollgate-Scenario: declined+answer_twice`, or `faults` of a document), or armed for the ' +
    'next requests to a path.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/faults',
  responses: {
    200: {
      description: 'The faults.',
      schema: Type.Object({ faults: Type.Array(KIND), armed: Type.Array(ARMED) }),
    },
  },
  run: ({ api, account }) => ({
    status: 200,
    body: {
      faults: FAULT_NAMES.map(name => ({ name, ...(FAULTS[name] satisfies FaultKind) })),
      armed: sandboxOf(api).faults.armed(account.id),
    },
  }),
})

export const armFault = accountOperation({
  name: 'armFault',
  summary: 'Arm a fault for the next requests to a path',
  description:
    'Hits requests of this account, and those of payers’ browsers with its access tokens, but not the sandbox operations. ' +
    'A fault of the terminal or the acquirer hits the transaction or payment that the request starts; if the request starts ' +
    'nothing, the fault stays armed. Refused when it can hit no request to the path.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/faults',
  right: 'configure',
  body: {
    schema: FAULT_ORDER,
    examples: {
      'the next answer to a start is lost': {
        fault: 'answer_lost',
        method: 'POST',
        path: '/pac/terminals/*/transactions',
      },
      'the answer to a payment is lost': {
        fault: 'answer_lost',
        method: 'POST',
        path: '/api/payments/*',
      },
      'three polls fail': { fault: 'http_500', method: 'GET', path: '/pac/**', times: 3 },
    },
  },
  responses: { 201: { description: 'The armed fault.', schema: ARMED } },
  refusals: ['scenario_unplayable'],
  async run({ api, account }, { json }) {
    const sent = await json()
    if ('refused' in sent) return sent
    const armed = sandboxOf(api).faults.arm(account.id, sent.value)
    return 'refusal' in armed ? unplayable(armed) : { status: 201, body: { ...armed } }
  },
})

export const disarmFaults = accountOperation({
  name: 'disarmFaults',
  summary: 'Disarm all faults',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'DELETE',
  path: '/sandbox/faults',
  right: 'configure',
  responses: { 204: { description: 'No fault is armed.' } },
  run({ api, account }) {
    sandboxOf(api).faults.disarm(account.id)
    return { status: 204 }
  },
})
