// src/cli/iso8583.ts — `tollgate iso8583`: lists, prints and checks dialects, shows messages, and tries hosts.
import type { Command } from 'commander'
import { BUILT_IN_DIALECTS } from '../acquirers/iso8583/built-in.ts'
import type { Dialect } from '../acquirers/iso8583/dialect.ts'
import { changedFields } from '../acquirers/iso8583/dialect-checks.ts'
import { createFrameReader } from '../acquirers/iso8583/framing.ts'
import { type UnpackedMessage, unpackMessage } from '../acquirers/iso8583/message-codec.ts'
import { messageTypeText } from '../acquirers/iso8583/message-type.ts'
import { type PrintedField, printable } from '../acquirers/iso8583/printable.ts'
import { Refused } from '../acquirers/iso8583/refused.ts'
import { meaningOfCode, meaningText } from '../acquirers/iso8583/response-codes.ts'
import { tableOf } from './columns.ts'
import { Failure } from './failure.ts'
import { dialectOf } from './iso8583-dialects.ts'
import { messageReadings } from './iso8583-input.ts'
import { defineKeys } from './iso8583-keys.ts'
import { definePing } from './iso8583-ping.ts'
import { defineReconcile } from './iso8583-reconcile.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate iso8583 dialects
  tollgate iso8583 print plain-87-ascii > my-host.json    a document to change
  tollgate iso8583 check my-host.json
  tollgate iso8583 show pos-87-bcd 080020200000008000000000000000013239313130303031
  tollgate iso8583 show my-host.json --framed < answer.bin
  tollgate iso8583 ping my-host.json --host host.example --port 7000 --tls --set 41=29110001
  tollgate iso8583 keys load host-mac --use mac --part first.txt --part second.txt --check-value 08D7B4
  tollgate iso8583 reconcile --data ./data
A message of real cards belongs into a file or on stdin, not on the command line, which other users of the machine can see.
What is shown is masked: card numbers, tracks, PIN blocks and private fields never appear.`

/** The field whose value has a meaning of its own. */
const RESPONSE_CODE = 39

interface Options {
  readonly json?: true
  readonly framed?: true
}

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  command
    .command('dialects')
    .description('List the dialects that come with the program.')
    .option('--json', 'print JSON')
    .action((options: Options) => dialects(shell, options))
  command
    .command('print')
    .description('Print a dialect as a document.')
    .argument('<dialect>', 'name of a dialect, or a file')
    .action((named: string) => printJson(shell, dialectOf(named).document))
  command
    .command('check')
    .description('Check dialects, and print what was understood.')
    .argument('<dialects...>', 'files, or names of dialects')
    .option('--json', 'print JSON')
    .action((named: string[], options: Options) => check(shell, named, options))
  command
    .command('show')
    .description('Show a message field by field, masked.')
    .argument('<dialect>', 'name of a dialect, or a file')
    .argument('[message]', 'hexadecimal digits, text, or a file with these or with the bytes; default: stdin')
    .option('--framed', 'the message has its length and header in front')
    .option('--json', 'print JSON')
    .action((named: string, message: string | undefined, options: Options) => show(shell, named, message, options))
  definePing(command, shell)
  defineKeys(command, shell)
  defineReconcile(command, shell)
}

function dialects(shell: Shell, { json }: Options): void {
  const all = Object.keys(BUILT_IN_DIALECTS).map(name => dialectOf(name).document)
  const listed = all.map(({ name, standard, version, title }) => ({ name, standard, version, title }))
  const rows = all.map(({ name, standard, title }) => [name, standard, title])
  if (json) printJson(shell, { dialects: listed })
  else print(shell, tableOf(['Dialect', 'Standard', 'What it is'], rows))
}

function check(shell: Shell, named: readonly string[], { json }: Options): void {
  const all: Dialect[] = []
  const problems: string[] = []
  for (const name of named) {
    try {
      all.push(dialectOf(name))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      problems.push(error.message)
    }
  }
  if (problems.length > 0) throw new Failure(problems.join('\n'))
  if (json) printJson(shell, { dialects: all.map(understood) })
  else print(shell, all.map(dialect => understoodText(dialect)).join('\n\n'))
}

/** What a document says, with what it takes over from the standard. */
function understood({ document, format, messages, codes }: Dialect) {
  const { name, standard, version, title } = document
  return {
    ...{ name, standard, version, title, fields: format.fields.size, changedFields: changedFields(document) },
    messages: Object.entries(messages).map(([message, { mti, answer, repeat }]) => ({ message, mti, answer, repeat })),
    codes: Object.fromEntries([...codes].map(([code, meaning]) => [code, meaningText(meaning)])),
    examples: document.examples.length,
  }
}

function understoodText(dialect: Dialect): string {
  const { name, standard, version, title, fields, changedFields, messages, codes, examples } = understood(dialect)
  const { length, maxBytes, header } = dialect.document.framing
  const changed = changedFields.length === 0 ? 'all as in the standard' : `changed: ${changedFields.join(', ')}`
  const meanings = [...new Set(Object.values(codes))]
  const codesOf = (meaning: string) => Object.keys(codes).filter(code => codes[code] === meaning)
  const rows = [
    ['standard', `ISO 8583:${standard}`],
    ['version', String(version)],
    [
      'framing',
      `${length}, ${maxBytes} bytes at most${header === undefined ? '' : `, header of ${header.bytes.length / 2} bytes`}`,
    ],
    ['fields', `${fields}, ${changed}`],
    ...messages.map(({ message, mti, answer, repeat }) => [
      message,
      `${mti}${answer === null ? '' : `, answered by ${answer}`}${repeat === null ? '' : `, repeated as ${repeat}`}`,
    ]),
    ...meanings.map(meaning => [meaning, codesOf(meaning).sort().join(' ')]),
    ['examples', String(examples)],
  ]
  return `${name}: ${title}\n${tableOf(['Member', 'Value'], rows)}`
}

async function show(shell: Shell, named: string, message: string | undefined, options: Options): Promise<void> {
  const dialect = dialectOf(named)
  const readings = await messageReadings(shell, message)
  const shown = firstRead(dialect, readings, options)
  print(shell, options.json ? JSON.stringify(shownAsJson(dialect, shown), null, 2) : shownText(dialect, shown))
}

/** The first reading that the dialect takes. Of several refusals the one that came furthest is reported. */
function firstRead(dialect: Dialect, readings: readonly Uint8Array[], { framed }: Options): UnpackedMessage {
  const refusals: Refused[] = []
  for (const bytes of readings) {
    try {
      return unpackMessage(dialect.format, framed ? contentOf(dialect, bytes) : bytes)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refusals.push(error)
    }
  }
  const [furthest] = refusals.toSorted((one, other) => (other.offset ?? 0) - (one.offset ?? 0))
  throw new Failure(`${dialect.document.name} cannot read the message. ${furthest?.message}`, { cause: furthest })
}

/** The message behind length and header. @throws Refused unless there is exactly one */
function contentOf({ framing }: Dialect, bytes: Uint8Array): Uint8Array {
  const reader = createFrameReader(framing)
  const [frame, ...more] = reader.push(bytes)
  if (frame === undefined) throw new Refused('frame', 'is shorter than its length says', bytes.length)
  if (more.length === 0 && reader.pending === 0) return frame.message
  throw new Refused('frame', 'is followed by more; show one message at a time', bytes.length)
}

function shownAsJson(dialect: Dialect, message: UnpackedMessage) {
  const fields = printable(dialect.format, message)
  const code = message.fields[RESPONSE_CODE]
  return {
    ...{ dialect: dialect.document.name, mti: message.mti, meaning: messageTypeText(message.mti) },
    bitmap: message.bitmap,
    ...(typeof code === 'string' ? { answer: meaningText(meaningOfCode(dialect.codes, code)) } : {}),
    fields,
  }
}

function shownText(dialect: Dialect, message: UnpackedMessage): string {
  const { mti, meaning, bitmap, fields, answer } = shownAsJson(dialect, message)
  const rows = fields.flatMap(field => rowsOf(field, answer))
  return `${mti}: ${meaning}\nBitmap ${bitmap}\n${tableOf(['Field', 'Name', 'Format', 'Bytes', 'Value'], rows)}`
}

function rowsOf(
  { field, name, format, bytes, value, parts }: PrintedField,
  answer = '',
): readonly (readonly string[])[] {
  const said = field === RESPONSE_CODE ? `${value} (${answer})` : value
  return [
    [String(field), name, format, String(bytes), said],
    ...parts.map(part => [`${field}.${part.id}`, part.name, '', '', part.value]),
  ]
}
