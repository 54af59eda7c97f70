// test/cli/iso8583.test.ts — dialects and messages on the command line.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'vitest'
import { runProgram } from '../../src/cli/program.ts'
import type { Shell } from '../../src/cli/shell.ts'
import { begin, emptyDirectory } from './tollgate.ts'

/** An authorisation with a test card; its text begins with digits only. */
const WITH_CARD = '01007000000000000000164761739001010119003000000000002599'

interface Shown {
  readonly mti: string
  readonly answer?: string
  readonly fields: readonly { readonly field: number; readonly value: string; readonly bytes: number }[]
}

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command in this process. */
async function run(args: readonly string[], input: Uint8Array = new Uint8Array(0)): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const stdin = Readable.from([input])
  const code = await runProgram(args, { env: {}, stdin, stdout, stderr } as unknown as Shell)
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') }
}

async function runJson<Value>(args: readonly string[]): Promise<Value> {
  const { code, stdout, stderr } = await run([...args, '--json'])
  deepEqual([code, stderr], [0, ''])
  return JSON.parse(stdout) as Value
}

test('the dialects of the program are listed, printed and valid', async () => {
  const { dialects } = await runJson<{ dialects: { name: string }[] }>(['iso8583', 'dialects'])
  const names = dialects.map(({ name }) => name)
  deepEqual(names, ['plain-87-ascii', 'pos-87-bcd', 'host-93'])
  const { stdout } = await run(['iso8583', 'dialects'])
  match(stdout, /^DIALECT +STANDARD +WHAT IT IS\nplain-87-ascii +1987 /)
  const checked = await run(['iso8583', 'check', ...names])
  deepEqual([checked.code, checked.stderr], [0, ''])
  match(
    checked.stdout,
    /^pos-87-bcd: .*\nMEMBER +VALUE\nstandard +ISO 8583:1987\nversion +1\nframing +binary2, 4096 bytes at most, header of 5 bytes$/m,
  )
  match(checked.stdout, /^reverse +0420, answered by 0430, repeated as 0421$/m)
})

test('a document of your own is checked with all its problems, and used', async () => {
  const file = join(emptyDirectory(), 'mine.json')
  const { stdout } = await run(['iso8583', 'print', 'plain-87-ascii'])
  const document = JSON.parse(stdout) as Record<string, object>
  writeFileSync(file, JSON.stringify({ ...document, name: 'mine', fields: { '39': { name: 'result' } } }))
  match((await run(['iso8583', 'check', file])).stdout, /^mine: [\s\S]*^fields +126, changed: 39$/m)
  match(
    (await run(['iso8583', 'show', file, '08100000000002000000 00'.replace(' ', '')])).stdout,
    /^39 +result +an 2 +2 +00 \(approved\)$/m,
  )

  writeFileSync(file, JSON.stringify({ ...document, settings: [41], codes: { wait: ['00', '00'] } }))
  const refused = await run(['iso8583', 'check', file, 'pos-87-bcd'])
  deepEqual([refused.code, refused.stdout], [1, ''])
  match(refused.stderr, /mine\.json: messages\.charge\.fields needs field 18, for which there is no value/)
  match(refused.stderr, /mine\.json: codes\.wait holds 00, which codes\.wait holds too\./)

  writeFileSync(file, '{')
  match((await run(['iso8583', 'check', file])).stderr, /mine\.json: is not valid JSON/)
  match(
    (await run(['iso8583', 'check', 'nope'])).stderr,
    /There is no file and no dialect nope; the dialects are plain-87-ascii,/,
  )
})

test('a message is shown field by field, as digits, text, bytes, file and input, without its card number', async () => {
  const hex = Buffer.from(WITH_CARD, 'latin1').toString('hex')
  const file = join(emptyDirectory(), 'message')
  writeFileSync(file, `${hex}\n`)
  const ways = [
    await run(['iso8583', 'show', 'plain-87-ascii', hex]),
    await run(['iso8583', 'show', 'plain-87-ascii', WITH_CARD]),
    await run(['iso8583', 'show', 'plain-87-ascii', file]),
    await run(['iso8583', 'show', 'plain-87-ascii'], Buffer.from(hex)),
    await run(['iso8583', 'show', 'plain-87-ascii', '-'], Buffer.from(`${WITH_CARD}\n`)),
    await run(['iso8583', 'show', 'plain-87-ascii', '--framed'], Buffer.from(`0056${WITH_CARD}`)),
  ]
  for (const { code, stdout, stderr } of ways) {
    deepEqual([code, stderr, stdout], [0, '', ways[0]?.stdout])
    match(
      stdout,
      /^0100: authorisation request \(acquirer\), 1987\nBitmap 7000000000000000\nFIELD +NAME +FORMAT +BYTES +VALUE\n2 +card number +n\.\.19 +18 +476173\*{6}0119\n/,
    )
  }
})

test('an answer says what its code means, also in JSON', async () => {
  const hex = '0810822000000200000004000000000000000501130427000005 3535 0001'.replaceAll(' ', '')
  const shown = await runJson<Shown>(['iso8583', 'show', 'pos-87-bcd', hex])
  deepEqual([shown.mti, shown.answer], ['0810', 'declined: incorrect_pin'])
  deepEqual(
    shown.fields.map(({ field, value, bytes }) => [field, value, bytes]),
    [
      ...[
        [7, '0501130427', 5],
        [11, '000005', 3],
        [39, '55', 2],
        [70, '001', 2],
      ],
    ],
  )
})

test('a message that the dialect cannot read is refused at its place, without its data', async () => {
  const refused = await run(['iso8583', 'show', 'plain-87-ascii', `${WITH_CARD}00`])
  deepEqual([refused.code, refused.stdout], [1, ''])
  equal(
    refused.stderr,
    'tollgate: plain-87-ascii cannot read the message. The frame at byte 56: has 2 bytes after the last field.\n',
  )
  const short = await run(['iso8583', 'show', 'plain-87-ascii', '--framed'], Buffer.from(`0060${WITH_CARD}`))
  match(short.stderr, /The frame at byte 60: is shorter than its length says\./)
  const twice = await run(['iso8583', 'show', 'plain-87-ascii', '--framed'], Buffer.from(`0056${WITH_CARD}`.repeat(2)))
  match(twice.stderr, /followed by more; show one message at a time/)
  ok(![refused, short, twice].some(({ stderr }) => stderr.includes('0119')))
  match(
    (await run(['iso8583', 'show', 'plain-87-ascii', 'nowhere.bin'])).stderr,
    /neither hexadecimal, nor text that begins with digits, nor a file/,
  )
})

test('the built program reads a message from its input', async () => {
  const { child, ended } = begin(['iso8583', 'show', 'plain-87-ascii', '--framed'])
  child.stdin.end(`0056${WITH_CARD}`)
  const { code, stdout, stderr } = await ended
  deepEqual([code, stderr], [0, ''])
  match(stdout, /^2 +card number +n\.\.19 +18 +476173\*{6}0119$/m)
})
