// src/cli/payments.ts — `tollgate payments`: lists online payments, and closes what its acquirer or terminal does not resolve.
import type { Command } from 'commander'
import { moneyText } from '../domain/currency.ts'
import { amountOf } from '../domain/money.ts'
import { tableOf } from './columns.ts'
import { baseUrlOf } from './configured-url.ts'
import { Failure } from './failure.ts'
import { addListOptions, type ListOptions, listQuery, printMore } from './list-options.ts'
import { readRunNote } from './run-file.ts'
import { addReachOptions, callSandbox, type ReachOptions, urlOf } from './sandbox-client.ts'
import { configOf } from './settings-options.ts'
import { print, printFirst, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate payments list --open
  tollgate payments list --status 5 --last-four 0056 --from 2026-05-06
  tollgate payments close 5f0c1a52… --taken --auth-code 123456 --operator Ann --reason "Case 4711 of the acquirer"
  tollgate payments close 5f0c1a52… --not-taken --operator Ann --reason "Not in the acquirer's portal"
  tollgate payments close 01a22d8c-… --at-terminal --not-taken --operator Ann --reason "Not in the terminal's journal"
Ask the acquirer by other means before you close a payment: the shop gets the outcome that you give.
With TOLLGATE_CLOSE_PAYMENTS=command-line the gateway accepts this from its own machine and user only.`

type Options = ReachOptions & { readonly json?: true }
type PaymentListOptions = Options & ListOptions & { readonly open?: true }
type CloseOptions = Options & {
  readonly atTerminal?: true
  readonly taken?: true
  readonly notTaken?: true
  readonly authCode?: string
  readonly operator: string
  readonly reason: string
  readonly data?: string
}

interface Payment {
  readonly id: string
  readonly orderId: string
  readonly transactionType: string
  readonly amountMinor: number
  readonly currency: string
  readonly statusCode: number | null
  readonly verdict: { readonly moneyTaken: string; readonly nextStep: string }
}

/** A transaction of a terminal. */
interface AtTerminal extends Pick<Payment, 'transactionType' | 'amountMinor' | 'currency' | 'verdict'> {
  readonly tid: string
}

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  addListOptions(addReachOptions(command.command('list').description('List online payments, newest first.')))
    .option('--open', 'only those under way')
    .option('--status <code>', 'only those with this status code, such as 0 or 5')
    .option('--amount <minor>', 'only those of this amount in minor units')
    .option('--last-four <digits>', 'only those with a card whose number ends with these digits')
    .option('--json', 'print JSON')
    .action((options: PaymentListOptions) => list(shell, options))
  addReachOptions(
    command.command('close').description('Resolve a payment whose acquirer or terminal does not respond.'),
  )
    .argument('<payment>', 'id of the payment, as the list shows it, or its access token')
    .option('--at-terminal', 'it is a transaction of a terminal that authorises by itself, named by its request id')
    .option('--taken', 'the acquirer has taken the money')
    .option('--not-taken', 'the acquirer has not taken it')
    .option('--auth-code <code>', 'authorisation code, if known')
    .requiredOption('--operator <name>', 'name of the person who closes it')
    .requiredOption('--reason <text>', 'how the outcome is known')
    .option('--data <directory>', 'data directory of a gateway that lets only its command line close payments')
    .option('--json', 'print JSON')
    .action((payment: string, options: CloseOptions) => close(shell, payment, options))
}

async function list(shell: Shell, options: PaymentListOptions): Promise<void> {
  const query = listQuery(options, options.open ? { live: 'true' } : {})
  const answer = await callSandbox(shell, options, 'GET', `/api/payments${query}`)
  if (options.json) return printJson(shell, answer)
  const { payments, next } = answer as { readonly payments: readonly Payment[]; readonly next: number | null }
  const rows = payments.map(({ id, orderId, transactionType, amountMinor, currency, statusCode, verdict }) => [
    ...[id, orderId, transactionType, `${amountMinor} ${currency}`, statusCode === null ? '-' : String(statusCode)],
    ...[verdict.moneyTaken, verdict.nextStep],
  ])
  print(shell, tableOf(['Payment', 'Order', 'Type', 'Minor units', 'Status', 'Money taken', 'Next step'], rows))
  printMore(shell, { next })
}

async function close(shell: Shell, payment: string, options: CloseOptions): Promise<void> {
  const { taken, notTaken, authCode, operator, reason } = options
  if ((taken === undefined) === (notTaken === undefined)) throw new Failure('Give either --taken or --not-taken.')
  if (notTaken && authCode !== undefined) throw new Failure('--auth-code needs --taken.')
  const path = `/api/${options.atTerminal ? 'transactions' : 'payments'}/${encodeURIComponent(payment)}`
  const found = (await callSandbox(shell, options, 'GET', path)) as Payment | AtTerminal
  const outcome = taken ? 'taken' : 'not taken'
  const what = 'tid' in found ? `on terminal ${found.tid}` : `for order ${found.orderId}`
  printFirst(shell, `${found.transactionType} of ${moneyText(amountOf(found))} ${what}: closing as ${outcome}`, options)
  const body = {
    outcome: taken ? 'taken' : 'not_taken',
    ...(authCode === undefined ? {} : { authCode }),
    ...{ operator, reason },
  }
  const answer = await callSandbox(shell, options, 'POST', `${path}/close`, body, closingHeaders(shell, options))
  if (options.json) return printJson(shell, answer)
  print(shell, closedText(answer as Payment | AtTerminal))
}

function closedText(closed: Payment | AtTerminal): string {
  return 'tid' in closed
    ? `The transaction on terminal ${closed.tid} is closed. Money taken: ${closed.verdict.moneyTaken}.`
    : `The payment of order ${closed.orderId} is closed with status ${closed.statusCode}.`
}

/**
 * The key of the gateway in the data directory, when it lets only the command line close payments. It is sent to that gateway
 * and to no other address.
 */
function closingHeaders(shell: Shell, options: CloseOptions): Readonly<Record<string, string>> {
  const config = configOf(shell, options.data === undefined ? {} : { data: options.data })
  const note = readRunNote(config.dataDirectory)
  const localUrls = [note?.listening, baseUrlOf(config)]
  return note === null || note.closingKey === null || !localUrls.includes(urlOf(shell, options))
    ? {}
    : { 'tollgate-closing-key': note.closingKey }
}
