// src/cli/simulate.ts — `tollgate simulate`: runs programs that play the other side, for tests of any gateway.
import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import host93 from '../acquirers/iso8583/dialects/host-93.json' with { type: 'json' }
import plain87 from '../acquirers/iso8583/dialects/plain-87-ascii.json' with { type: 'json' }
import pos87 from '../acquirers/iso8583/dialects/pos-87-bcd.json' with { type: 'json' }
import { macKeyIn } from '../peers/acquirer-host/mac.ts'
import { type AcquirerHost, openAcquirerHost } from '../peers/acquirer-host/open.ts'
import { systemClock } from '../platform/clock.ts'
import { Failure } from './failure.ts'
import { print, printJson, type Shell } from './shell.ts'
import { stopSignal } from './shutdown.ts'
import { define3ds } from './simulate-3ds.ts'
import { defineHsm } from './simulate-hsm.ts'
import { defineNexo } from './simulate-nexo.ts'
import { port, textFile, tlsOf, untilStopped } from './simulate-options.ts'

const EXAMPLES = `
Examples:
  tollgate simulate acquirer                                   a host for the dialect plain-87-ascii
  tollgate simulate acquirer --dialect pos-87-bcd --port 5000
  tollgate simulate acquirer --dialect my-acquirer.json --journal host.journal
  tollgate simulate hsm --keys test-keys.json
  tollgate simulate nexo --key shared-key.json --write-settings terminal.json
  tollgate simulate nexo --cloud --api-key api-key --port 8443
  tollgate simulate 3ds --folder scheme --port 5900
The host approves everything but amounts of 90,000.01 to 90,000.99, which select a response code. The control ports of
host and terminal take scenarios for the next messages and show a ledger: see docs/simulate.md.`

/** Documents that the gateway brings, by name. */
const DIALECTS: Readonly<Record<string, unknown>> = {
  'plain-87-ascii': plain87,
  'pos-87-bcd': pos87,
  'host-93': host93,
}

interface AcquirerOptions {
  readonly dialect: unknown
  readonly host: string
  readonly port: number
  readonly controlPort: number
  readonly journal?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly macKey?: Buffer
  readonly pinKey?: Buffer
  readonly untilStdinEnds?: true
  readonly json?: true
}

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  command
    .command('acquirer')
    .description("Run an acquirer's host that speaks ISO 8583.")
    .option('--dialect <name|file>', 'name of a dialect, or a file with one', dialect, plain87)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port for gateways; 0 takes any free one', port, 0)
    .option('--control-port <port>', 'port that controls the host, on this machine; 0 takes any free one', port, 0)
    .option('--journal <file>', 'file of its ledger, which then survives a restart')
    .option('--tls-cert <file>', 'certificate, in PEM: the host then speaks TLS', textFile)
    .option('--tls-key <file>', 'key of the certificate, in PEM', textFile)
    .option('--mac-key <file>', 'file with a test key of 32 hexadecimal digits, to check and make codes', testKey)
    .option('--pin-key <file>', 'file with a test key of 32 hexadecimal digits, to check PIN blocks', testKey)
    .option('--until-stdin-ends', 'end when stdin ends, as with the process that started it')
    .option('--json', 'print the addresses as JSON')
    .action((options: AcquirerOptions) => runAcquirer(shell, options))
  defineHsm(command, shell)
  defineNexo(command, shell)
  define3ds(command, shell)
}

async function runAcquirer(shell: Shell, options: AcquirerOptions): Promise<void> {
  const tls = tlsOf(options)
  const stopping = stopSignal()
  const clock = systemClock()
  const running = await openAcquirerHost({
    dialect: options.dialect,
    ...{ host: options.host, port: options.port, controlPort: options.controlPort },
    journal: options.journal ?? null,
    tls,
    macKey: options.macKey ?? null,
    pinKey: options.pinKey ?? null,
    time: clock,
    onLine: line => print(shell, `${new Date(clock.now()).toISOString()} ${line}`),
  }).catch(error => {
    throw new Failure(`The host cannot start: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  })
  announce(shell, options, running)
  await untilStopped(shell, stopping, {
    untilStdinEnds: options.untilStdinEnds === true,
    close: running.close,
  })
}

function announce(shell: Shell, { host, json }: AcquirerOptions, { port, controlUrl }: AcquirerHost): void {
  if (json) printJson(shell, { host, port, control: controlUrl })
  else print(shell, `An acquirer's host listens on ${host}, port ${port}. It is controlled at ${controlUrl}.`)
}

function dialect(text: string): unknown {
  if (Object.hasOwn(DIALECTS, text)) return DIALECTS[text]
  try {
    return JSON.parse(readFileSync(text, 'utf8'))
  } catch {
    const names = Object.keys(DIALECTS).join(', ')
    throw new InvalidArgumentError(`It must be ${names}, or a file that can be read and holds JSON.`)
  }
}

function testKey(path: string): Buffer {
  const key = macKeyIn(textFile(path).trim())
  if (key !== null) return key
  throw new InvalidArgumentError('It must be a file with 32 hexadecimal digits.')
}
