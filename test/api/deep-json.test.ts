// test/api/deep-json.test.ts — JSON that is nested thousands of levels deep is refused.
import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { ALL_OPERATIONS } from '../support/operations.ts'
import { fieldsOf } from './garbage-bodies.ts'
import { openTown } from './garbage-town.ts'

const DEPTH = 10_000
const DEEP_LIST = '['.repeat(DEPTH) + ']'.repeat(DEPTH)
const DEEP_OBJECT = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`
const FORM = 'application/x-www-form-urlencoded'

/** Its sender has no credentials here. test/contract/nexo-notifications.test.ts sends it deep JSON with them. */
const NOT_HERE = 'takeTerminalNotification'
const WITH_JSON = ALL_OPERATIONS.filter(
  ({ name, body }) => body !== undefined && body.mediaType !== FORM && name !== NOT_HERE,
)

test.each(WITH_JSON.map(operation => [operation.name, operation] as const))('%s', async (_, operation) => {
  const town = await openTown(operation)
  const fields = [...fieldsOf(operation), 'unknown']
  for (const body of [
    ...[DEEP_LIST, DEEP_OBJECT],
    ...fields.flatMap(field => [DEEP_LIST, DEEP_OBJECT].map(deep => `{${JSON.stringify(field)}:${deep}}`)),
  ]) {
    const { reply } = await town.call(body, 'application/json')
    // 404 would mean that the body was not read.
    const refused = reply.status === 400 || reply.status === 422 || 'error' in reply.json
    ok(refused, `${body.slice(0, 30)} ${reply.status} ${reply.text.slice(0, 200)}`)
  }
  deepEqual(
    town.shop.log.lines.filter(({ level }) => level === 'error'),
    [],
  )
})
