// src/cli/iso8583-reconcile.ts — `tollgate iso8583 reconcile`: compares totals with the acquirer's host, and closes what agrees.
import type { Command } from 'commander'
import { createHostConnection } from '../acquirers/iso8583/connection/host-connection.ts'
import { createJournal } from '../acquirers/iso8583/orders/journal.ts'
import { createNumbers } from '../acquirers/iso8583/orders/numbers.ts'
import { identityOf } from '../acquirers/iso8583/orders/order-parts.ts'
import { type Batch, netOf, TOTAL_NAMES } from '../acquirers/iso8583/reconciliation/batches.ts'
import { type Reconciled, reconcile, type Verdict } from '../acquirers/iso8583/reconciliation/reconcile.ts'
import { Refused } from '../acquirers/iso8583/refused.ts'
import { createSocketOpener } from '../platform/socket-opener.ts'
import { openKeys, readHost, settingsBy } from './acquirers.ts'
import { tableOf } from './columns.ts'
import { Failure } from './failure.ts'
import { NO_LOG } from './no-log.ts'
import { withRecords } from './records.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'
import { vaultRing } from './vault-ring.ts'

type Options = SettingsOptions & { readonly json?: true }

/** What the command uses besides the records. */
const USED = { tls: false, vault: true }
const SAYS: Readonly<Record<Verdict, string>> = {
  balanced: 'agrees',
  uploaded: 'takes ours',
  out_of_balance: 'differs',
  refused: 'refused',
  unanswered: 'no answer',
}

/** Defines the command. */
export function defineReconcile(command: Command, shell: Shell): void {
  const described = command
    .command('reconcile')
    .description('Compare the totals of each terminal with the host, and close what both agree on.')
  addSettingsOptions(described, 'data')
    .option('--json', 'print JSON')
    .action((options: Options) => run(shell, options))
}

async function run(shell: Shell, options: Options): Promise<void> {
  const done = await reconciled(shell, options)
  if (options.json) printJson(shell, { batches: done.map(asJson) })
  else print(shell, done.length === 0 ? 'There is nothing to reconcile.' : textOf(done))
  const wrong = done.filter(isWrong).length
  if (wrong > 0) throw new Failure(`${wrong} of ${done.length} batches did not agree. Ask the acquirer.`)
}

function reconciled(shell: Shell, options: Options): Promise<readonly Reconciled[]> {
  const config = configOf(shell, options, USED)
  const { acquirerFile } = config
  if (acquirerFile === null) throw new Failure('TOLLGATE_ACQUIRER_FILE must name the document of the host.')
  return withRecords(config, async ({ store, mode, clock, random, vault }) => {
    const host = readHost(acquirerFile, mode)
    const { document, dialect, tls } = host
    if (dialect.messages.reconcile === undefined) throw new Failure(`${dialect.document.name} has no reconcile.`)
    const opener = createSocketOpener({ clock })
    const ring = vaultRing(config, mode, clock, random)
    const { keys, close } = openKeys(host, { store, ring, clock, random, opener, log: NO_LOG })
    const numbers = createNumbers(store, clock)
    const [first, ...others] = document.addresses
    if (first === undefined) throw new Error('a document has an address')
    const { settings, timeZone } = document
    const connection = createHostConnection({
      ...{ dialect, tls, opener, keys, clock, random, log: NO_LOG, settings, timeZone, addresses: [first, ...others] },
      nextStan: () => numbers.stan(identityOf(dialect, settings)),
    })
    try {
      await connection.start()
      if (connection.address === null) throw new Failure(`The host cannot be used. ${connection.problem ?? ''}.`)
      const journal = createJournal(store, clock)
      const parts = { dialect, connection, journal, numbers, vault, clock, timeZone, settingsOf: settingsBy(document) }
      return await reconcile(parts)
    } catch (error) {
      if (error instanceof Refused) throw new Failure(`The message cannot be made. ${error.message}`, { cause: error })
      throw error
    } finally {
      await connection.close(dialect.document.timers.answerMs)
      close()
    }
  })
}

function textOf(done: readonly Reconciled[]): string {
  const rows = done.map(each => [
    ...[each.batch.terminal, each.batch.currency],
    ...TOTAL_NAMES.map(name => `${each.batch.totals[name].number} / ${each.batch.totals[name].minor}`),
    ...[String(netOf(each.batch.totals)), String(each.batch.open.length)],
    hostSays(each),
  ])
  const heads = ['Terminal', 'Currency', 'Sales', 'Undone', 'Refunds', 'Undone', 'Net', 'Open', 'Host']
  const theirs = done.filter(({ verdict }) => verdict === 'out_of_balance').map(hostText)
  return [tableOf(heads, rows), ...theirs, ...done.flatMap(notUploadedTexts), ...done.flatMap(meanwhileTexts)].join(
    '\n',
  )
}

function isWrong({ isClosed, verdict, meanwhile }: Reconciled): boolean {
  return !isClosed || verdict === 'out_of_balance' || meanwhile.length > 0
}

function meanwhileTexts({ batch, isClosed, meanwhile }: Reconciled): readonly string[] {
  const then = isClosed ? 'the host may count it as never taken' : 'run the command again'
  return meanwhile.map(orderId => `${orderId} of ${batch.terminal} began during the upload: ${then}.`)
}

function hostSays({ verdict, code, isClosed, uploaded }: Reconciled): string {
  const count = uploaded === null ? '' : `, ${uploaded} uploaded`
  return `${SAYS[verdict]}${code === null ? '' : ` (${code})`}${count}${isClosed ? ', closed' : ''}`
}

function notUploadedTexts({ batch, notUploaded }: Reconciled): readonly string[] {
  return notUploaded.map(({ orderId, why }) => `The host did not take ${orderId} of ${batch.terminal}: ${why}`)
}

/** What the host has, by the numbers of its fields. */
function hostText({ batch, theirs, isSameNet }: Reconciled): string {
  const values = Object.entries(theirs).map(([field, value]) => `${field} ${value}`)
  const net = isSameNet === true ? ' The net amount is the same.' : ''
  return `The host says of ${batch.terminal}: ${values.length === 0 ? 'nothing more' : values.join(', ')}.${net}`
}

function asJson({ batch, ...rest }: Reconciled) {
  return { ...shownBatch(batch), ...rest }
}

function shownBatch({ terminal, merchant, currency, totals, orders, open }: Batch) {
  const ids = (notes: readonly { readonly orderId: string }[]) => notes.map(({ orderId }) => orderId)
  return {
    ...{ terminal, merchant, currency, totals, net: netOf(totals) },
    ...{ orders: orders.length, open: ids(open) },
  }
}
