// src/cli/doctor/card-data/card-data-check.ts — sends canary card numbers through every input of a temporary sandbox,
// and searches all of its output for them.
import { randomUUID } from 'node:crypto'
import type { Operation } from '../../../api/operation.ts'
import { OPERATIONS } from '../../../api/operations/index.ts'
import type { Config } from '../../../config.ts'
import { CONSOLE_OPERATIONS } from '../../../console/operations.ts'
import { DEMO_OPERATIONS } from '../../../demo-shop/operations.ts'
import { SIMULATOR_OPERATIONS } from '../../../simulator/operations/index.ts'
import { type Finding, fine, problem } from '../finding.ts'
import { type Canaries, createCanaries } from './canaries.ts'
import { commandInputs } from './command-inputs.ts'
import { acceptOf, httpInputs, type ProbeRequest } from './http-inputs.ts'
import { openProbeSandbox, type ProbeSandbox } from './probe-sandbox.ts'
import { authorization, socketInputs } from './socket-inputs.ts'

/** Most inputs listed for one place. */
const MOST_NAMED = 20
/** A card that its sandbox approves without 3-D Secure. */
const CARD = { cardName: 'John Watson', cardNumber: '5200000000000056', expiryDate: '12 / 30', cV2: '341' }
const TERMINAL = 'VCMDEMOSIP0'
/** Read at the end: each list, and the timeline of each record. */
const LISTS = ['transactions', 'reports', 'payments', 'tables', 'webhooks'] as const
const MORE_READS = ['terminals', 'scenarios', 'snapshots', 'faults', 'online/scenarios', 'waiters'] as const

/** Returns a finding for each searched place. */
export async function checkCardData(settings: Config): Promise<readonly Finding[]> {
  const sandbox = await openProbeSandbox(settings)
  try {
    const canaries = createCanaries()
    const control = canaries.next('control')
    const refusals = await throughAllInputs(sandbox, canaries)
    const places = await placesOf(sandbox, refusals)
    const searched = [...places].map(([place, text]) => ({
      place,
      inputs: canaries.foundIn(text),
      // Proves that the search would find a canary in this text.
      works: canaries.foundIn(`${text} ${control}`).includes('control') && text.length > 0,
    }))
    const sent = fine('card data', `${canaries.sent} card numbers were sent, each through an input of its own.`)
    return [sent, ...searched.map(findingOf)]
  } finally {
    await sandbox.close()
  }
}

interface Searched {
  readonly place: string
  readonly inputs: readonly string[]
  readonly works: boolean
}

function findingOf({ place, inputs, works }: Searched): Finding {
  const check = `card data in ${place}`
  if (!works)
    return problem(check, 'There was nothing to search, so the check proves nothing; report this with the version.')
  if (inputs.length === 0) return fine(check, 'There is none.')
  const named = inputs.slice(0, MOST_NAMED).join('; ')
  const more = inputs.length > MOST_NAMED ? ` and ${inputs.length - MOST_NAMED} more` : ''
  return problem(
    check,
    `Card numbers are in clear that were sent through: ${named}${more}. Report it as SECURITY.md says.`,
  )
}

/** Sends a canary through each input. Returns the answers to refused requests. */
async function throughAllInputs(sandbox: ProbeSandbox, canaries: Canaries): Promise<string> {
  const refusals = [await commandInputs(sandbox, canaries)]
  const operations = [...OPERATIONS, ...SIMULATOR_OPERATIONS, ...DEMO_OPERATIONS, ...CONSOLE_OPERATIONS]
  const inPaths = createPathValues(sandbox)
  let turn = 0
  for await (const request of httpInputs(operations, canaries, inPaths.of)) {
    turn += 1
    const { json, text, status } = await send(sandbox, request, turn)
    // An accepted request is answered with its content, so only refusals are searched.
    if (status < 400) inPaths.used()
    else refusals.push(text)
    // Paying carries the order's texts on to webhooks and timelines.
    if (request.operation.name === 'createAccessToken' && typeof json['id'] === 'string') await pay(sandbox, json['id'])
  }
  refusals.push(await socketInputs(sandbox, canaries))
  await atRest(sandbox)
  return refusals.join('\n')
}

function send(sandbox: ProbeSandbox, { operation, path, headers, body }: ProbeRequest, turn: number) {
  const credentials = operation.auth === 'jwt' ? `Bearer ${sandbox.jwt}` : authorization()
  return sandbox.send(path, {
    method: operation.method,
    headers: {
      ...(operation.auth === 'none' ? {} : { authorization: credentials }),
      ...{ accept: acceptOf(operation, turn), 'software-house-id': 'maker', 'installer-id': 'fitter' },
      ...(body === undefined ? {} : { 'content-type': operation.body?.mediaType ?? 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
}

/** Path values of existing objects. They are recreated after a request that may have used them up. */
function createPathValues(sandbox: ProbeSandbox) {
  const made = new Map<string, string>()
  async function value(
    name: string,
    make: (sandbox: ProbeSandbox) => Promise<string>,
  ): Promise<Record<string, string>> {
    const found = made.get(name) ?? (await make(sandbox))
    made.set(name, found)
    return { [name]: found }
  }
  return {
    async of({ path }: Operation): Promise<Readonly<Record<string, string>>> {
      if (path.includes('{token}')) return value('token', freshToken)
      if (path.includes('{tableName}')) return value('tableName', freshTable)
      return { tid: path.startsWith('/pac') ? TERMINAL : '22160002', name: 'declined', version: 'v1', file: 'api.md' }
    },
    used: () => made.clear(),
  }
}

async function freshToken(sandbox: ProbeSandbox): Promise<string> {
  const order = { merchantUrl: 'shop.example', currencyCode: '826', amount: '1999', transactionType: 'SALE' }
  const { json } = await sandbox.send('/v1/access-tokens', {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.jwt}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...order, orderId: 'probe', customerId: 'probe', webHookUrl: sandbox.hookUrl }),
  })
  return String(json['id'])
}

async function freshTable(sandbox: ProbeSandbox): Promise<string> {
  const tableName = `Window ${randomUUID().slice(0, 8)}`
  await sandbox.send('/pat/tables', {
    method: 'PUT',
    headers: { authorization: authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ tableName, amount: 5400, currency: 'GBP', waiterIds: ['7'] }),
  })
  return tableName
}

function pay({ send }: ProbeSandbox, token: string) {
  const headers = { 'content-type': 'application/json' }
  return send(`/api/payments/${token}`, { method: 'POST', headers, body: JSON.stringify(CARD) })
}

/** Waits until no work is left, so that events, webhooks and files are complete. */
async function atRest({ gateway }: ProbeSandbox): Promise<void> {
  for (let quiet = 0; quiet < 10; quiet = gateway.idle ? quiet + 1 : 0)
    await new Promise(resolve => setTimeout(resolve, 50))
}

/** Returns the texts to search, by place. */
async function placesOf(sandbox: ProbeSandbox, refusals: string): Promise<ReadonlyMap<string, string>> {
  const read = async (path: string) =>
    (await sandbox.send(path, { headers: { authorization: authorization(), accept: 'application/json' } })).text
  const places = new Map<string, string>()
  places.set('refusals', refusals)
  places.set('events', await eventsOf(sandbox))
  places.set('metrics', await read('/metrics'))
  places.set('webhooks', sandbox.webhooks())
  const reads = MORE_READS.map(name => read(`/sandbox/${name}`))
  for (const list of LISTS) reads.push(recordsOf(sandbox, list))
  places.set('requests', await recordsOf(sandbox, 'requests'))
  places.set('records and timelines', (await Promise.all(reads)).join('\n'))
  places.set('log', sandbox.log())
  for (const [name, text] of sandbox.files()) if (text !== '') places.set(name, text)
  return places
}

async function eventsOf({ send }: ProbeSandbox): Promise<string> {
  const pages: string[] = []
  for (let after = 0; ; ) {
    const { text, json } = await send(`/api/events?after=${after}&limit=200`, {
      headers: { authorization: authorization(), accept: 'application/json' },
    })
    pages.push(text)
    const events = (json['events'] ?? []) as readonly { readonly position: number }[]
    const last = events.at(-1)
    if (last === undefined || last.position <= after) return pages.join('\n')
    after = last.position
  }
}

/** Reads each record of a list, with its timeline where it has one. */
async function recordsOf({ send }: ProbeSandbox, list: (typeof LISTS)[number] | 'requests'): Promise<string> {
  const headers = { authorization: authorization(), accept: 'application/json' }
  const pages: string[] = []
  for (let before = ''; ; ) {
    const { text, json } = await send(`/api/${list}?limit=200${before}`, { headers })
    pages.push(text)
    const records = (Object.values(json).find(Array.isArray) ?? []) as readonly Readonly<Record<string, unknown>>[]
    for (const { requestId, tableId, id } of records)
      if (list === 'transactions' || list === 'tables' || list === 'payments')
        pages.push((await send(`/api/${list}/${String(requestId ?? tableId ?? id)}/timeline`, { headers })).text)
    if (typeof json['next'] !== 'number') return pages.join('\n')
    before = `&before=${json['next']}`
  }
}
