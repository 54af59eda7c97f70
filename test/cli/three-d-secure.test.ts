// test/cli/three-d-secure.test.ts — messages of EMV 3-D Secure on the command line.
import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { ENCODED, sample } from '../support/emv/samples.ts'
import { begin, emptyDirectory, run, runJson } from './tollgate.ts'

function fileWith(text: string): string {
  const file = join(emptyDirectory(), 'message.json')
  writeFileSync(file, text)
  return file
}

const saved = (id: string, changes = {}) => fileWith(JSON.stringify(sample(id, changes)))

describe('tollgate 3ds show', () => {
  test.concurrent('explains a message and masks its card number', async () => {
    const { code, stdout, stderr } = await run(['3ds', 'show', saved('S4')])
    deepEqual({ code, stderr }, { code: 0, stderr: '' })
    match(stdout, /^acctNumber +900010\*{6}1111$/m)
    match(stdout, /^deviceChannel +02 +browser$/m)
    match(stdout, /\nThe specification has no objection\.\n$/)
    doesNotMatch(stdout, /9000100511111111/)
  })

  test.concurrent('reads base64url from stdin', async () => {
    const running = begin(['3ds', 'show', '-'])
    running.child.stdin.end(`cres=${ENCODED.S24}`)
    const { code, stdout } = await running.ended
    equal(code, 0)
    match(stdout, /^messageType +CRes +end of the challenge in the browser$/m)
    match(stdout, /decides nothing/)
  })

  test.concurrent('says what the specification objects to, and fails', async () => {
    const { code, stdout } = await run(['3ds', 'show', saved('S6', { acsURL: 'http://acs.example/' })])
    equal(code, 1)
    match(stdout, /\nErro 203: Format of an element is invalid: acsURL\n$/)
    const json = await run(['3ds', 'show', saved('S5', { dsTransID: undefined }), '--json'])
    equal(json.code, 1)
    deepEqual((JSON.parse(json.stdout) as { objection: unknown }).objection, {
      errorCode: '201',
      errorDescription: 'Required element is missing',
      errorDetail: 'dsTransID',
    })
  })

  test.concurrent('judges an ARes by the category of its request', async () => {
    const file = saved('S5', { authenticationValue: undefined })
    equal((await run(['3ds', 'show', file, '--category', 'other'])).code, 0)
    match((await run(['3ds', 'show', file, '--category', 'payment'])).stdout, /Erro 201: .*authenticationValue/)
  })

  test.concurrent('moves no cursor, and names a file that cannot be read', async () => {
    const { stdout } = await run(['3ds', 'show', saved('S4', { merchantName: '\u001b[2Jshop' })])
    equal(stdout.includes('\u001b'), false)
    const missing = await run(['3ds', 'show', '/nowhere/message.json'])
    deepEqual([missing.code, missing.stderr], [1, 'tollgate: /nowhere/message.json cannot be read (ENOENT).\n'])
  })
})

describe('tollgate 3ds ranges', () => {
  test.concurrent('lists who authenticates cards by their first digits', async () => {
    const file = saved('S14')
    const { stdout } = await run(['3ds', 'ranges', file, '--card-prefix', '900010'])
    match(stdout, /^9000100100000000 +9000100199999999 +2\.2\.0 +01 02 84 85 +https:\/\/acs\.example\/tds2\/method$/m)
    match(
      stdout,
      /\n1 of 1 ranges have cards that begin with 900010\. Versions of the directory server: 2\.2\.0, 2\.3\.1\.\n$/,
    )
    const { total, ranges } = await runJson<{ total: number; ranges: object[] }>([
      ...['3ds', 'ranges', file, '--card-prefix', '4'],
    ])
    deepEqual({ total, ranges }, { total: 1, ranges: [] })
  })

  test.concurrent('refuses what is no complete list, and a whole card number', async () => {
    const other = await run(['3ds', 'ranges', saved('S5'), '--card-prefix', '4'])
    match(other.stderr, /is no valid PRes\. Erro 101: .*messageType\.\n$/)
    const [range] = sample('S2')['cardRangeData'] as readonly object[]
    const delta = saved('S2', { cardRangeData: [{ ...range, actionInd: 'D' }] })
    match((await run(['3ds', 'ranges', delta, '--card-prefix', '4'])).stderr, /no complete list .* Erro 206: /)
    const number = await run(['3ds', 'ranges', delta, '--card-prefix', '4111111111111111'])
    equal(number.code, 2)
    doesNotMatch(number.stderr, /4111111111111111/)
  })
})
