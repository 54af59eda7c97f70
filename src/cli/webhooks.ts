// src/cli/webhooks.ts — `tollgate webhooks`: receives webhooks locally, lists deliveries and resends one.
import { type Command, InvalidArgumentError } from 'commander'
import { tableOf } from './columns.ts'
import { Failure } from './failure.ts'
import { isoTime } from './iso-time.ts'
import { addListOptions, type ListOptions, listQuery, printMore } from './list-options.ts'
import { addReachOptions, callSandbox, type ReachOptions } from './sandbox-client.ts'
import { print, printJson, type Shell } from './shell.ts'
import { stopSignal } from './shutdown.ts'
import { openReceiver, type Seen } from './webhook-receiver.ts'

const EXAMPLES = `
Examples:
  tollgate webhooks listen                     a receiver on http://127.0.0.1:4030/
  tollgate webhooks listen --answer 500        a receiver that fails, to see the retries
  tollgate webhooks list
  tollgate webhooks list --status given_up --from 2026-05-06
  tollgate webhooks resend msg_5f0c1a523a0e4b579a0d5f6f2f2f9a10
Give the receiver's address as webHookUrl when an access token is made. Without --secret it asks the gateway
for the secret of the account. It answers 400 to an invalid signature.`

type Options = ReachOptions & { readonly json?: true }
type ListenOptions = Options & {
  readonly host: string
  readonly port: number
  readonly answer: number
  readonly secret?: string
}

interface SecretAnswer {
  readonly secret: string
  readonly previous: readonly { readonly secret: string }[]
}
interface Delivery {
  readonly deliveryId: string
  readonly orderId: string
  readonly progress: string
  readonly tries: number
  readonly nextTryAt: string | null
  readonly url: string
}

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  addReachOptions(command.command('listen').description('Receive webhooks, check their signatures and print them.'))
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 takes any free one', number(0, 65_535), 4_030)
    .option('--answer <status>', 'status of answers to valid signatures', number(200, 599), 200)
    .option('--secret <secret>', 'secret to check with, instead of asking the gateway for it')
    .option('--json', 'print each as a line of JSON')
    .action((options: ListenOptions) => listen(shell, options))
  addListOptions(addReachOptions(command.command('list').description('List deliveries, newest first.')))
    .option('--status <progress>', 'only those with this progress, such as delivered, waiting or given_up')
    .option('--json', 'print JSON')
    .action((options: Options & ListOptions) => list(shell, options))
  addReachOptions(command.command('resend').description('Send a webhook again.'))
    .argument('<delivery-id>', 'id of the delivery, as the list shows it')
    .action((id: string, options: Options) => resend(shell, id, options))
}

async function listen(shell: Shell, options: ListenOptions): Promise<void> {
  const stopping = stopSignal()
  const receiver = await openReceiver({
    host: options.host,
    port: options.port,
    status: options.answer,
    secrets: secretsOf(shell, options),
    now: () => Date.now(),
    onSeen: seen => print(shell, options.json ? JSON.stringify(seen) : lineOf(seen)),
  }).catch(error => {
    throw new Failure(`Cannot listen on ${options.host}, port ${options.port}; choose another with --port.`, {
      cause: error,
    })
  })
  print(shell, options.json ? JSON.stringify({ url: receiver.url }) : `Listening; give ${receiver.url} as webHookUrl.`)
  await stopping
  receiver.close()
}

/** Reads the secrets once, and anew with `again`. Empty when the gateway does not answer. */
function secretsOf(shell: Shell, options: ListenOptions): (again: boolean) => Promise<readonly string[]> {
  const { secret: given } = options
  if (given !== undefined) return async () => [given]
  let known: Promise<readonly string[]> | null = null
  return again => {
    if (again || known === null)
      known = callSandbox(shell, options, 'GET', '/api/webhook-secret').then(
        answer => {
          const { secret, previous } = answer as SecretAnswer
          return [secret, ...previous.map(each => each.secret)]
        },
        () => [],
      )
    return known
  }
}

function lineOf({ id, orderId, signature, times, answered }: Seen): string {
  const again = times === 1 ? '' : `, seen ${times} times`
  const verdict = signature === 'unchecked' ? 'signature not checked' : `signature ${signature.replace('_', ' ')}`
  return `${isoTime(Date.now())}  ${id || 'no id'}  order ${orderId ?? '-'}  ${verdict}${again}  answered ${answered}`
}

async function list(shell: Shell, options: Options & ListOptions): Promise<void> {
  const answer = await callSandbox(shell, options, 'GET', `/api/webhooks${listQuery(options)}`)
  if (options.json) return printJson(shell, answer)
  const { deliveries, next } = answer as { readonly deliveries: readonly Delivery[]; readonly next: number | null }
  const rows = deliveries.map(({ deliveryId, orderId, progress, tries, nextTryAt, url }) => [
    ...[deliveryId, orderId, progress, String(tries), nextTryAt ?? '-', url],
  ])
  print(shell, tableOf(['Delivery', 'Order', 'Progress', 'Tries', 'Next try', 'Address'], rows))
  printMore(shell, { next })
}

async function resend(shell: Shell, id: string, options: Options): Promise<void> {
  await callSandbox(shell, options, 'POST', `/api/webhooks/${encodeURIComponent(id)}/resend`)
  print(shell, `${id} is being sent again.`)
}

function number(from: number, to: number): (text: string) => number {
  return text => {
    const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
    if (value >= from && value <= to) return value
    throw new InvalidArgumentError(`It must be a whole number from ${from} to ${to}.`)
  }
}
