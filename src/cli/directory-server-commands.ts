// src/cli/directory-server-commands.ts — `tollgate 3ds check` and `ping`: tries the connection to a directory server.
import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { maskCardNumbers } from '../domain/card-numbers.ts'
import type { CallFailure } from '../engine/ports/directory-server-client.ts'
import { systemClock } from '../platform/clock.ts'
import { createDirectoryServerClient } from '../platform/directory-server-client.ts'
import { countRanges } from '../three-d-secure/emv/card-range-table.ts'
import { meaningOfCode } from '../three-d-secure/emv/code-meanings.ts'
import type { Exchanged } from '../three-d-secure/emv/exchange.ts'
import { loadCardRanges } from '../three-d-secure/emv/load-card-ranges.ts'
import { erroText } from './card-range-files.ts'
import { readDirectory } from './directory-documents.ts'
import { Failure } from './failure.ts'
import { isoTime } from './iso-time.ts'
import { printable } from './printable-text.ts'
import { print, printFirst, printJson, type Shell } from './shell.ts'

interface Options {
  readonly json?: true
}

/** Defines the commands. */
export function defineDirectoryServer(command: Command, shell: Shell): void {
  command
    .command('check')
    .description('Check the document of a directory server and the certificates that it names.')
    .argument('<document>', 'file with the document')
    .action((path: string) => check(shell, path))
  command
    .command('ping')
    .description('Ask a directory server for its card ranges, and say what it answers.')
    .argument('<document>', 'file with the document')
    .option('--json', 'print JSON')
    .action((path: string, options: Options) => ping(shell, path, options))
}

function check(shell: Shell, path: string): void {
  const { document, certificateEndsAt } = readDirectory(path, systemClock().now())
  print(shell, `${document.name} can be used. Our certificate is valid until ${isoTime(certificateEndsAt)}.`)
}

async function ping(shell: Shell, path: string, options: Options): Promise<void> {
  const clock = systemClock()
  const begun = clock.now()
  const { document, tls } = readDirectory(path, begun)
  printFirst(shell, `Asking ${document.name} for its card ranges…`, options)
  const client = createDirectoryServerClient({ clock })
  const loaded = await loadCardRanges({ client, document, tls, newId: randomUUID })
  if (loaded.outcome !== 'loaded') throw new Failure(sentenceOf(loaded))
  const { table, version, url } = loaded
  const { directoryServerVersions, serialNumber } = table
  const ranges = countRanges(table)
  const tookMs = clock.now() - begun
  if (options.json) return printJson(shell, { url, version, directoryServerVersions, ranges, serialNumber, tookMs })
  print(shell, `${url} answers in version ${version} within ${tookMs} ms.`)
  print(shell, `Versions of the directory server: ${directoryServerVersions.join(', ')}.`)
  print(shell, `Card ranges: ${ranges}; serial number: ${printable(serialNumber ?? 'none, so it sends no changes')}.`)
}

const FAILURES: Readonly<Record<CallFailure, (url: string) => string>> = {
  unreachable: url => `${url} cannot be reached`,
  untrusted: url => `The certificate of ${url} is not trusted; check tls.serverCa and the name in the address`,
  refused: url => `${url} refuses our certificate; check tls.clientCert`,
  timed_out: url => `${url} does not answer in time`,
  broken_off: url => `${url} ended the connection without an answer, as some servers do that refuse a certificate`,
  too_long: url => `The answer of ${url} is too long`,
}

/** What went wrong between us and the directory server. */
export function sentenceOf(loaded: Exclude<Exchanged, { readonly outcome: 'answered' }>): string {
  switch (loaded.outcome) {
    case 'failed':
      return `${FAILURES[loaded.failed](loaded.url)} (${loaded.detail}).`
    case 'not_sent':
      return `Nothing was sent: the request is not right. ${erroText(loaded.objection)}.`
    case 'objection':
      return `The answer is not right. ${erroText(loaded.objection)}.`
    case 'erro': {
      const { errorCode, errorDescription = '', errorDetail = '' } = loaded.erro
      const said = [meaningOfCode('errorCode', errorCode) ?? 'no known code', errorDescription, errorDetail]
      const text = said.filter(each => each !== '').join(': ')
      return printable(maskCardNumbers(`It answers with Erro ${errorCode}: ${text}.`))
    }
  }
}
