// src/cli/simulate-hsm.ts — `tollgate simulate hsm`: runs a stand-in for a security module, with test keys.
import { type Command, InvalidArgumentError } from 'commander'
import { openHsm } from '../peers/hsm/open.ts'
import { systemRandom } from '../platform/random.ts'
import { Failure } from './failure.ts'
import { print, printJson, type Shell } from './shell.ts'
import { stopSignal } from './shutdown.ts'
import { port, textFile, tlsOf, untilStopped } from './simulate-options.ts'

interface Options {
  readonly keys: unknown
  readonly host: string
  readonly port: number
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly tlsCa?: string
  readonly untilStdinEnds?: true
  readonly json?: true
}

/** Defines the command. */
export function defineHsm(command: Command, shell: Shell): void {
  command
    .command('hsm')
    .description('Run a stand-in for a security module, with test keys.')
    .requiredOption('--keys <file>', 'its test keys, JSON: see docs/hsm-interface.md', jsonFile)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port for gateways; 0 takes any free one', port, 0)
    .option('--tls-cert <file>', 'certificate, in PEM: it then speaks TLS', textFile)
    .option('--tls-key <file>', 'key of the certificate, in PEM', textFile)
    .option('--tls-ca <file>', 'authority of the certificates that gateways must have, in PEM', textFile)
    .option('--until-stdin-ends', 'end when stdin ends, as with the process that started it')
    .option('--json', 'print the address as JSON')
    .action((options: Options) => run(shell, options))
}

async function run(shell: Shell, options: Options): Promise<void> {
  const { host, tlsCa } = options
  const tls = tlsOf(options)
  if (tls === null && tlsCa !== undefined) throw new Failure('--tls-ca needs --tls-cert and --tls-key.')
  const stopping = stopSignal()
  const running = await openHsm({
    ...{ keys: options.keys, host, port: options.port, random: systemRandom().bytes },
    tls: tls === null ? null : { ...tls, ...(tlsCa === undefined ? {} : { ca: tlsCa }) },
  }).catch((cause: Error) => {
    throw new Failure(`The security module cannot start: ${cause.message}`, { cause })
  })
  if (options.json) printJson(shell, { host, port: running.port })
  else print(shell, `A stand-in for a security module listens on ${host}, port ${running.port}.`)
  await untilStopped(shell, stopping, {
    untilStdinEnds: options.untilStdinEnds === true,
    close: running.close,
  })
}

function jsonFile(path: string): unknown {
  try {
    return JSON.parse(textFile(path))
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw error
    // The message of the parser may quote a key.
    throw new InvalidArgumentError('It must hold JSON.')
  }
}
