// src/cli/simulate-nexo.ts — `tollgate simulate nexo`: runs a terminal that speaks nexo, or the provider's cloud before it.
import { writeFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import type { LibraryKey } from '../peers/nexo-terminal/encryption.ts'
import { openNexoTerminal } from '../peers/nexo-terminal/open.ts'
import { systemClock } from '../platform/clock.ts'
import { systemRandom } from '../platform/random.ts'
import { Failure } from './failure.ts'
import { print, printJson, type Shell } from './shell.ts'
import { stopSignal } from './shutdown.ts'
import { port, textFile, tlsOf, untilStopped } from './simulate-options.ts'

interface Options {
  readonly poiId: string
  readonly host: string
  readonly port: number
  readonly controlPort: number
  readonly key?: LibraryKey
  readonly cloud?: true
  readonly merchantAccount: string
  readonly apiKey?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly tlsRoot?: string
  readonly writeSettings?: string
  readonly untilStdinEnds?: true
  readonly json?: true
}

const POI_ID = /^[A-Za-z0-9]{3,20}-[A-Za-z0-9-]{6,40}$/
/** As terminals take it: ASCII alone has agreed bytes. */
const PASSPHRASE = /^[\x21-\x7e]{12,200}$/

/** Defines the command. */
export function defineNexo(command: Command, shell: Shell): void {
  command
    .command('nexo')
    .description('Run a terminal that speaks nexo, with test keys.')
    .option('--poi-id <id>', 'id of the terminal: model and serial number', poiId, 'V400m-123456789')
    .option('--key <file>', 'the shared key, JSON: keyIdentifier, keyVersion and passphrase', keyFile)
    .option('--cloud', "play the provider's cloud, with the terminal behind it")
    .option('--merchant-account <name>', 'account at the cloud', 'HarbourCafe')
    .option('--api-key <file>', 'file with the API key of the cloud', apiKeyFile)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port for gateways; 0 takes any free one', port, 0)
    .option('--control-port <port>', 'port that controls the terminal, on this machine; 0 takes any free one', port, 0)
    .option('--tls-cert <file>', 'certificate, in PEM, in place of one that is made at each start', textFile)
    .option('--tls-key <file>', 'key of the certificate, in PEM', textFile)
    .option('--tls-root <file>', 'root of the certificate, in PEM, for --write-settings', textFile)
    .option(
      '--write-settings <file>',
      'write the settings of a gateway for this terminal, with its keys, into a new file',
    )
    .option('--until-stdin-ends', 'end when stdin ends, as with the process that started it')
    .option('--json', 'print the addresses as JSON, and nothing else')
    .action((options: Options) => run(shell, options))
}

async function run(shell: Shell, options: Options): Promise<void> {
  const cloud = cloudOf(options)
  const tls = tlsOf(options)
  const { key = null } = options
  if (key === null && cloud === null) throw new Failure('A terminal needs its shared key: --key.')
  if (tls !== null && options.tlsRoot === undefined && options.writeSettings !== undefined)
    throw new Failure('--write-settings needs the root of the certificate: --tls-root.')
  const stopping = stopSignal()
  const clock = systemClock()
  const running = await openNexoTerminal({
    ...{ poiId: options.poiId, host: options.host, port: options.port, controlPort: options.controlPort },
    ...{ key, cloud, tls, time: clock, random: systemRandom().bytes },
    onLine: line => {
      if (options.json !== true) print(shell, `${new Date(clock.now()).toISOString()} ${line}`)
    },
  }).catch((cause: Error) => {
    throw new Failure(`The terminal cannot start: ${cause.message}`, { cause })
  })
  const until = { untilStdinEnds: options.untilStdinEnds === true, close: running.close }
  try {
    writeSettings(options, running.port, running.root ?? options.tlsRoot ?? '')
  } catch (error) {
    await running.close()
    throw error
  }
  if (options.json) printJson(shell, { host: options.host, port: running.port, control: running.controlUrl })
  else {
    const who = cloud === null ? `Terminal ${options.poiId}` : `The cloud of terminal ${options.poiId}`
    print(shell, `${who} listens on ${options.host}, port ${running.port}. It is controlled at ${running.controlUrl}.`)
  }
  await untilStopped(shell, stopping, until)
}

function cloudOf({ cloud, merchantAccount, apiKey }: Options) {
  if (cloud !== true) return null
  if (apiKey === undefined) throw new Failure('--cloud needs --api-key.')
  return { merchantAccount, apiKey }
}

/** As `tollgate terminals add --driver-settings` takes them. A file that is there is not overwritten: it may hold other keys. */
function writeSettings(options: Options, listening: number, rootCertificate: string): void {
  const { writeSettings: file, poiId, host, key, cloud, merchantAccount, apiKey } = options
  if (file === undefined) return
  const shared =
    key === undefined ? {} : { keyIdentifier: key.identifier, keyVersion: key.version, passphrase: key.passphrase }
  const settings = {
    ...{ transport: cloud === true ? 'cloud' : 'local', poiId, environment: 'test', rootCertificate, ...shared },
    // The certificate that is made for the cloud is that of localhost.
    ...(cloud === true
      ? { apiUrl: `https://localhost:${listening}`, merchantAccount, apiKey }
      : { host, port: listening }),
  }
  try {
    writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (cause) {
    const { code } = cause as { readonly code?: string }
    throw new Failure(
      `The settings cannot be written to ${file}${code === 'EEXIST' ? ': the file is there already' : ''}.`,
      {
        cause,
      },
    )
  }
}

function poiId(text: string): string {
  if (POI_ID.test(text)) return text
  throw new InvalidArgumentError('It must be model and serial number, such as V400m-123456789.')
}

function keyFile(path: string): LibraryKey {
  const problem =
    'It must hold JSON: keyIdentifier, keyVersion from 0, and a passphrase of 12 characters of ASCII or more.'
  let document: unknown
  try {
    document = JSON.parse(textFile(path))
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw error
    // The message of the parser may quote the passphrase.
    throw new InvalidArgumentError(problem)
  }
  const { keyIdentifier, keyVersion, passphrase } = Object(document) as Readonly<Record<string, unknown>>
  const isKey =
    typeof keyIdentifier === 'string' &&
    keyIdentifier !== '' &&
    Number.isSafeInteger(keyVersion) &&
    Number(keyVersion) >= 0 &&
    typeof passphrase === 'string' &&
    PASSPHRASE.test(passphrase)
  if (!isKey) throw new InvalidArgumentError(problem)
  return { identifier: keyIdentifier, version: Number(keyVersion), passphrase }
}

function apiKeyFile(path: string): string {
  const key = textFile(path).trim()
  if (/^[\x21-\x7e]{8,2048}$/.test(key)) return key
  throw new InvalidArgumentError('It must hold an API key: 8 characters of ASCII or more, without blanks.')
}
