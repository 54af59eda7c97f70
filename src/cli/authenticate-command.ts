// src/cli/authenticate-command.ts — `tollgate 3ds authenticate`: has a directory server authenticate a test card.
import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import type { AuthenticationReport } from '../domain/online/three-d-secure.ts'
import { systemClock } from '../platform/clock.ts'
import { createDirectoryServerClient } from '../platform/directory-server-client.ts'
import { type Attempt, type Authentication, authenticate } from '../three-d-secure/emv/authenticate.ts'
import { meaningOfCode } from '../three-d-secure/emv/code-meanings.ts'
import { cardRangesIn } from './card-range-files.ts'
import { readAuthenticationRequest, readDirectory } from './directory-documents.ts'
import { sentenceOf } from './directory-server-commands.ts'
import { Failure } from './failure.ts'
import { printable } from './printable-text.ts'
import { print, printFirst, printJson, type Shell } from './shell.ts'

interface Options {
  readonly ranges?: string
  readonly json?: true
}

/** Defines the command. */
export function defineAuthenticate(command: Command, shell: Shell): void {
  command
    .command('authenticate')
    .description('Ask a directory server to authenticate a test card, and say what it answers.')
    .argument('<document>', 'file with the document of the directory server')
    .argument('<payment>', 'file with the payment: card, amount, merchant and browser')
    .option('--ranges <file>', 'saved PRes, which says the version of the card; without it the highest one is tried')
    .option('--json', 'print JSON')
    .action((document: string, payment: string, options: Options) => run(shell, document, payment, options))
}

async function run(shell: Shell, path: string, payment: string, options: Options): Promise<void> {
  const clock = systemClock()
  const begun = clock.now()
  const { document, tls } = readDirectory(path, begun)
  if (document.authentication === undefined)
    throw new Failure(`${path} cannot be used.\n  authentication is missing; it says where AReqs go.`)
  const request = readAuthenticationRequest(payment, document.authentication.scheme)
  const ranges = options.ranges === undefined ? null : cardRangesIn(options.ranges)
  const client = createDirectoryServerClient({ clock })
  printFirst(shell, `Asking ${document.name} to authenticate card ${request.order.card.number.masked}…`, options)
  const parts = { client, document, tls, clock, ranges, newId: randomUUID }
  const authentication = await authenticate(request, randomUUID(), parts)
  const { attempt } = authentication
  const { exchanged = null } = attempt ?? {}
  const hasResult =
    exchanged === null || exchanged.outcome === 'answered' || authentication.report.type === 'not_enrolled'
  if (!hasResult) throw new Failure(sentenceOf(exchanged))
  const tookMs = clock.now() - begun
  const report = withoutSecrets(authentication.report)
  if (options.json) return printJson(shell, { report, ...viewOf(attempt), tookMs })
  for (const line of linesOf(authentication, tookMs)) print(shell, line)
}

/** Ids, version and status of the answer; nothing when the card counts as not enrolled. */
function viewOf(attempt: Attempt | null) {
  if (attempt?.exchanged.outcome !== 'answered') return {}
  const { message, url } = attempt.exchanged
  const { threeDSServerTransID, acsTransID, dsTransID, transStatus, transStatusReason } = message
  return { url, version: attempt.version, threeDSServerTransID, acsTransID, dsTransID, transStatus, transStatusReason }
}

/** The value proves the payer's presence to an acquirer. */
function withoutSecrets(report: AuthenticationReport): AuthenticationReport {
  if (report.type !== 'authenticated' && report.type !== 'exempted') return report
  return { ...report, proof: { ...report.proof, value: report.proof.value && '[hidden]' } }
}

function* linesOf({ report, attempt }: Authentication, tookMs: number): Generator<string> {
  if (attempt?.exchanged.outcome === 'answered') {
    const { message, url } = attempt.exchanged
    const { transStatus = 'none', transStatusReason: reason, cardholderInfo } = message
    yield `${url} answers in version ${attempt.version} within ${tookMs} ms.`
    yield `Status ${transStatus}: ${meaningOfCode('transStatus', transStatus) ?? 'no status'}.`
    if (reason !== undefined) yield `Reason ${reason}: ${meaningOfCode('transStatusReason', reason) ?? 'unknown'}.`
    if (cardholderInfo?.text !== undefined) yield `The payer has to read: ${printable(cardholderInfo.text)}`
    yield `Transaction ids: ${message.threeDSServerTransID} (ours), ${message.dsTransID} (directory server), ${message.acsTransID} (issuer).`
  }
  yield resultOf(report)
  if (report.type === 'authenticated' || report.type === 'exempted')
    yield `Usually the ${report.proof.liability} bears a chargeback for fraud.`
}

function resultOf(report: AuthenticationReport): string {
  switch (report.type) {
    case 'authenticated':
      return `A payment can be authorised with this proof: ECI ${report.proof.eci}.`
    case 'exempted':
      return `A payment would go on without a proof: ECI ${report.proof.eci}, exemption ${report.proof.exemption ?? 'none'}.`
    case 'challenge_requested':
      return `The payer would have to pass a challenge at ${new URL(report.challenge.acsUrl).origin}, which this command does not show.`
    case 'not_enrolled':
      return 'The card counts as not enrolled; a payment would go on without a proof.'
    case 'authentication_failed':
      return `A payment would end: ${report.reason}.`
  }
}
