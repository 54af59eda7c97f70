// src/cli/three-d-secure.ts — `tollgate 3ds`: explains messages of EMV 3-D Secure and looks into card ranges.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type CardRange, countRanges, rangesBeginningWith } from '../three-d-secure/emv/card-range-table.ts'
import { viewOf } from '../three-d-secure/emv/message-view.ts'
import { OBJECTIONS, type Objection } from '../three-d-secure/emv/objection.ts'
import { defineAuthenticate } from './authenticate-command.ts'
import { cardRangesIn, erroText, messageFile } from './card-range-files.ts'
import { tableOf } from './columns.ts'
import { defineDirectoryServer } from './directory-server-commands.ts'
import { FAILED } from './failure.ts'
import { printable } from './printable-text.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate 3ds show ares.json                            a message of a log, member by member
  pbpaste | tollgate 3ds show -                          from stdin: JSON, base64url, or a field such as cres=...
  tollgate 3ds ranges pres.json --card-prefix 900010     who authenticates cards that begin so
  tollgate 3ds check visa.json                           the document of a directory server
  tollgate 3ds ping visa.json                            does it answer, and with how many card ranges?
  tollgate 3ds authenticate visa.json payment.json       what does it say about a test card?
Card numbers are masked and authentication values hidden. Only ping and authenticate send anything.`

type Options = { readonly json?: true }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  command
    .command('show')
    .description('Explain a message, and say what the specification objects to.')
    .argument('<file>', 'file with a message, or - for stdin')
    .addOption(
      new Option('--category <kind>', 'what an ARes answers, which does not say it').choices(['payment', 'other']),
    )
    .option('--json', 'print JSON')
    .action((file: string, options: Options & { readonly category?: string }) => show(shell, file, options))
  command
    .command('ranges')
    .description('List the ranges of a saved PRes for cards that begin with some digits.')
    .argument('<file>', 'file with a PRes, or - for stdin')
    .requiredOption('--card-prefix <digits>', 'first digits of a card number, never the whole number', cardPrefix)
    .option('--json', 'print JSON')
    .action((file: string, options: Options & { readonly cardPrefix: string }) => ranges(shell, file, options))
  defineDirectoryServer(command, shell)
  defineAuthenticate(command, shell)
}

/** Most digits of a card number that may be typed: more name an account. */
function cardPrefix(text: string): string {
  if (/^\d{1,9}$/.test(text)) return text
  throw new InvalidArgumentError('It must be 1 to 9 digits: enough for every range, and no card number.')
}

const CATEGORIES: Readonly<Record<string, string>> = { payment: '01', other: '02' }

function show(shell: Shell, file: string, { category, json }: Options & { readonly category?: string }): void {
  const view = viewOf(messageFile(file), CATEGORIES[category ?? ''])
  const { members, omitted, objection, result, messageType } = view
  if (objection !== null) shell.exitWith(FAILED)
  if (json) {
    printJson(shell, { ...view, objection: asErro(objection) })
    return
  }
  if (members.length > 0) {
    const rows = members.map(({ name, value, meaning }) => [printable(name), printable(value), meaning ?? ''])
    print(shell, tableOf(['Member', 'Value', 'Meaning'], rows))
    if (omitted > 0) print(shell, `${omitted} more members are not shown.`)
    print(shell)
  }
  if (messageType === 'threeDSMethodData') print(shell, 'Data of the 3DS method, which has no message type.')
  if (result !== null) print(shell, result)
  print(shell, objection === null ? 'The specification has no objection.' : erroText(objection))
}

function asErro(objection: Objection | null) {
  if (objection === null) return null
  const { code, detail } = objection
  return { errorCode: code, errorDescription: OBJECTIONS[code], errorDetail: detail }
}

function ranges(
  shell: Shell,
  file: string,
  { cardPrefix: prefix, json }: Options & { readonly cardPrefix: string },
): void {
  const table = cardRangesIn(file)
  const found = rangesBeginningWith(table, prefix)
  const { serialNumber, directoryServerVersions } = table
  const total = countRanges(table)
  if (json) {
    printJson(shell, { serialNumber, directoryServerVersions, total, ranges: found })
    return
  }
  if (found.length > 0)
    print(shell, `${tableOf(['From', 'To', 'Versions', 'Abilities', '3DS method'], found.map(rowOf))}\n`)
  print(
    shell,
    `${found.length} of ${total} ranges have cards that begin with ${prefix}. ` +
      `Versions of the directory server: ${directoryServerVersions.join(', ')}.`,
  )
}

function rowOf({ start, end, acsVersions }: CardRange): readonly string[] {
  const of = (values: readonly (string | undefined)[]) => [...new Set(values.filter(value => value))].join(' ') || '-'
  return [
    ...[start, end, of(acsVersions.map(({ version }) => version))],
    ...[
      of(acsVersions.flatMap(({ acsInfoInd }) => acsInfoInd ?? [])),
      of(acsVersions.map(({ threeDSMethodURL: at }) => at)),
    ],
  ]
}
