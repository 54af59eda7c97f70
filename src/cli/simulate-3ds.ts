// src/cli/simulate-3ds.ts — `tollgate simulate 3ds`: runs the directory server of a scheme, with an issuer behind it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { createAuthority } from '../peers/certificates.ts'
import { SCHEMES, type Scheme } from '../peers/directory-server/messages.ts'
import { type DirectoryServer, openDirectoryServer } from '../peers/directory-server/open.ts'
import { systemClock } from '../platform/clock.ts'
import { systemRandom } from '../platform/random.ts'
import { LATER_KINDS, type LaterPayments } from '../three-d-secure/emv/later-payments.ts'
import { Failure } from './failure.ts'
import { print, printJson, type Shell } from './shell.ts'
import { stopSignal } from './shutdown.ts'
import { port, untilStopped } from './simulate-options.ts'

interface Options {
  readonly folder: string
  readonly scheme: Scheme
  readonly account: string
  readonly name: string
  readonly host: string
  readonly port: number
  readonly issuerPort: number
  readonly resultsPort: number
  readonly laterPayments?: LaterPayments['kind']
  readonly controlPort: number
  readonly untilStdinEnds?: true
  readonly json?: true
}

/** Name of the certificate with which results are sent. */
const CLIENT_NAME = 'ds.simulated.example'

/** Files of certificates and keys, without their endings. All are signed by the same root. */
const PAIRS = ['directory-server', 'results-client', 'gateway-client', 'gateway-results'] as const
type Pair = (typeof PAIRS)[number]
const ROOT = 'root.pem'
const DOCUMENT = 'scheme.json'

/** Defines the command. */
export function define3ds(command: Command, shell: Shell): void {
  command
    .command('3ds')
    .description('Run the directory server of a scheme, and an issuer with its challenge page.')
    .requiredOption(
      '--folder <folder>',
      'where certificates and the document of the gateway are written; those that are there are used again',
      folder,
    )
    .option('--scheme <scheme>', `scheme of the cards: ${SCHEMES.join(', ')}`, scheme, 'VISA')
    .option('--account <account>', 'account of the gateway that is registered', 'demo')
    .option(
      '--name <name>',
      'host name of the simulator and of the gateway, in certificates and addresses',
      'localhost',
    )
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port for gateways; 0 takes any free one', port, 0)
    .option('--issuer-port <port>', 'port for browsers of payers; 0 takes any free one', port, 0)
    .option('--results-port <port>', 'port where the gateway listens for results', port, 8443)
    .option(
      '--later-payments <kind>',
      `kind of the payments without the payer, which are then authenticated: ${LATER_KINDS.join(', ')}`,
      laterKind,
    )
    .option('--control-port <port>', 'port that controls it, on this machine; 0 takes any free one', port, 0)
    .option('--until-stdin-ends', 'end when stdin ends, as with the process that started it')
    .option('--json', 'print the addresses as JSON, and nothing else')
    .action((options: Options) => run(shell, options))
}

async function run(shell: Shell, options: Options): Promise<void> {
  const { json, scheme, name, host, issuerPort, controlPort } = options
  const stopping = stopSignal()
  const clock = systemClock()
  const random = systemRandom()
  const files = certificatesIn(options, () => clock.now(), random.bytes)
  const running = await openDirectoryServer({
    ...{ scheme, name, host, port: options.port, issuerPort, controlPort, time: clock, uuid: random.uuid },
    tls: { ca: files.root, server: files.of('directory-server'), client: files.of('results-client') },
    onLine: line => {
      if (json !== true) print(shell, `${new Date(clock.now()).toISOString()} ${line}`)
    },
  }).catch((cause: Error) => {
    throw new Failure(`The directory server cannot start: ${cause.message}`, { cause })
  })
  const document = join(options.folder, DOCUMENT)
  try {
    writeFileSync(document, `${JSON.stringify(documentOf(options, running.port), null, 2)}\n`)
  } catch (cause) {
    await running.close()
    throw new Failure(`The document cannot be written to ${document}.`, { cause })
  }
  announce(shell, options, running, document)
  await untilStopped(shell, stopping, { untilStdinEnds: options.untilStdinEnds === true, close: running.close })
}

function announce(shell: Shell, { scheme, host, json }: Options, running: DirectoryServer, document: string): void {
  const { port, issuerPort, controlUrl } = running
  if (json) {
    printJson(shell, { host, port, issuerPort, control: controlUrl, document })
    return
  }
  print(
    shell,
    `The directory server of ${scheme} listens on ${host}, port ${port}, its issuer on port ${issuerPort}. It is controlled at ${controlUrl}.`,
  )
  print(shell, `Start the gateway with TOLLGATE_DIRECTORY_SERVER=${document}`)
}

/** The certificates of the folder. They are made when one of them is missing, so that a gateway may go on after a restart of the peer. */
function certificatesIn({ folder, name }: Options, now: () => number, random: (bytes: number) => Uint8Array) {
  const certificate = (pair: Pair) => join(folder, `${pair}.pem`)
  const key = (pair: Pair) => join(folder, `${pair}-key.pem`)
  const root = join(folder, ROOT)
  try {
    if (![root, ...PAIRS.flatMap(pair => [certificate(pair), key(pair)])].every(file => existsSync(file))) {
      mkdirSync(folder, { recursive: true })
      const authority = createAuthority({ now, random, name: 'Test 3-D Secure Root' })
      writeFileSync(root, authority.root)
      for (const pair of PAIRS) {
        const issued = authority.issue(pair === 'results-client' ? CLIENT_NAME : name)
        writeFileSync(certificate(pair), issued.cert)
        writeFileSync(key(pair), issued.key, { mode: 0o600 })
      }
    }
    return {
      root: readFileSync(root, 'utf8'),
      of: (pair: Pair) => ({ cert: readFileSync(certificate(pair), 'utf8'), key: readFileSync(key(pair), 'utf8') }),
    }
  } catch (cause) {
    throw new Failure(`The certificates cannot be kept in ${folder}.`, { cause })
  }
}

/** As `TOLLGATE_DIRECTORY_SERVER` names it. */
function documentOf({ scheme, account, name, resultsPort, laterPayments }: Options, listening: number) {
  return {
    name: 'simulated-scheme',
    versions: ['2.1.0', '2.2.0', '2.3.1'],
    preqUrls: [`https://${name}:${listening}/preq`],
    tls: { clientCert: 'gateway-client.pem', clientKey: 'gateway-client-key.pem', serverCa: ROOT },
    ids: { refNumber: '3DS_LOA_SER_SIMU_020301_00000' },
    authentication: {
      scheme,
      areqUrls: [`https://${name}:${listening}/areq`],
      resultsUrl: `https://${name}:${resultsPort}/3ds/results`,
    },
    inbound: {
      ...{ port: resultsPort, serverCert: 'gateway-results.pem', serverKey: 'gateway-results-key.pem' },
      ...{ clientCa: ROOT, clientName: CLIENT_NAME },
    },
    requestors: [
      {
        ...{ account, requestorId: 'SIMULATED-1', requestorName: 'Simulated shop' },
        ...{ requestorUrl: 'https://shop.example', country: '826', acquirerCountry: '826', acquirerBin: '400000' },
        ...{ acquirerMerchantId: '000000000000001', merchantCategoryCode: '5411', merchantName: 'Simulated shop' },
        ...(laterPayments !== undefined && { laterPayments: { kind: laterPayments } }),
      },
    ],
  }
}

function folder(text: string): string {
  return resolve(text)
}

function scheme(text: string): Scheme {
  return oneOf(SCHEMES, text.toUpperCase())
}

function laterKind(text: string): LaterPayments['kind'] {
  return oneOf(LATER_KINDS, text)
}

function oneOf<Name extends string>(names: readonly Name[], text: string): Name {
  const found = names.find(each => each === text)
  if (found !== undefined) return found
  throw new InvalidArgumentError(`It must be one of ${names.join(', ')}.`)
}
