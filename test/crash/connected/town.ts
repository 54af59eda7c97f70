// test/crash/connected/town.ts — a live gateway without a simulator inside. Terminals, the acquirer's host and the directory server
// are programs of their own, and a proxy is in each connection.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import plain87 from '../../../src/acquirers/iso8583/dialects/plain-87-ascii.json' with { type: 'json' }
import type { Terminal } from '../../../src/domain/accounts/terminal.ts'
import { type SimulatedHost, simulatedHost } from '../../cli/simulated-host.ts'
import { type Env, emptyDirectory, runJson } from '../../cli/tollgate.ts'
import { openScheme, type Scheme } from '../../peer/scheme.ts'
import { freePort } from '../../support/free-port.ts'
import { NEXO_KEY, type NexoPeer, startNexoPeer } from '../../support/nexo-peer.ts'
import { createLine, type Line } from '../line.ts'
import { createMoments, type Moments } from '../moments.ts'
import { createMortalGateway, type MortalGateway } from '../mortal-gateway.ts'
import { createSteps, type Steps } from './steps.ts'

const ACCOUNT = 'harbour'
const TIDS = ['22169001', '22169002', '22169003']
/** Each death waits for them. An answer that is late is reversed. */
const TIMERS = { ...plain87.timers, answerMs: 5_000, reversalMs: 3_000, repeatsMs: [0, 500, 1_000], settleMs: 1_000 }
const HOST_SETTINGS = { 18: '5411', 32: '123456', 41: '29110001', 42: 'HARBOUR', 43: 'Harbour Cafe' }
/** The peer has no card ranges, so that it is asked about each card. */
const PREQ_PATH = '/erro-303'

export interface ConnectedTown {
  readonly gateway: MortalGateway
  readonly line: Line
  /** Headers of the account's web shop. */
  readonly bearer: Readonly<Record<string, string>>
  readonly terminals: readonly Terminal[]
  readonly peer: NexoPeer
  readonly host: SimulatedHost
  readonly scheme: Scheme
  readonly steps: Steps
  readonly directory: string
  close(): Promise<void>
}

/** Starts everything; the gateway runs when it resolves. */
export async function openConnectedTown(): Promise<ConnectedTown> {
  const [directory, folder, schemeFolder] = [emptyDirectory(), emptyDirectory(), emptyDirectory()]
  const steps = createSteps()
  const journal = join(folder, 'host.journal')
  const host = await simulatedHost(['--dialect', plain87.name, '--journal', journal])
  const scheme = await openScheme(schemeFolder)
  const peer = await startNexoPeer()
  const resultsPort = await freePort()
  const inbound = await steps.open(resultsPort)
  const env: Env = {
    TOLLGATE_MODE: 'live',
    TOLLGATE_TRUSTED_PROXY: '127.0.0.1',
    TOLLGATE_PUBLIC_URL: 'https://gateway.example',
    TOLLGATE_VAULT_KEY: Buffer.alloc(32, 7).toString('base64'),
    // There is too little time between two kills for a rate limit.
    TOLLGATE_SHOP_CALLS_PER_SECOND: '0',
    TOLLGATE_ACQUIRER_FILE: acquirerFile(folder, (await steps.open(host.port)).port),
    TOLLGATE_DIRECTORY_SERVER: scheme.document({
      port: (await steps.open(scheme.port)).port,
      ...{ cards: 'VISA', preqPath: PREQ_PATH, resultsPort: inbound.port, inboundPort: resultsPort },
    }),
  }
  const create = ['accounts', 'create', ACCOUNT, '--name', 'Harbour', '--merchant-host', 'shop.example']
  const connected = ['--acquirer', 'iso8583', '--directory-server', 'emv', '--data', directory]
  const { apiKey } = await runJson<{ apiKey: string }>([...create, ...connected], env)
  const terminals: Terminal[] = []
  for (const tid of TIDS) terminals.push(await addTerminal({ tid, peer, steps, directory, env }))
  const { token } = await runJson<{ token: string }>(['token', ACCOUNT, '--data', directory, '--expires-in', '1d'], env)
  const gateway = createMortalGateway(directory, env)
  const moments: Moments = createMoments(directory)
  gateway.start()
  await gateway.up()
  return {
    ...{ gateway, terminals, peer, host, scheme, steps, directory },
    line: createLine(gateway, moments, apiKey),
    bearer: { authorization: `Bearer ${token}` },
    async close() {
      moments.close()
      scheme.close()
      host.child.kill('SIGKILL')
      await peer.close()
      await steps.close()
    },
  }
}

function acquirerFile(folder: string, port: number): string {
  const own = { name: 'test-host', timers: TIMERS, examples: [] }
  writeFileSync(join(folder, 'dialect.json'), JSON.stringify({ ...plain87, ...own }))
  const file = join(folder, 'acquirer.json')
  const document = { dialect: 'dialect.json', addresses: [{ host: '127.0.0.1', port }], tls: 'none' }
  writeFileSync(file, JSON.stringify({ ...document, timeZone: 'Europe/London', settings: HOST_SETTINGS }))
  return file
}

interface NewTerminal {
  readonly tid: string
  readonly peer: NexoPeer
  readonly steps: Steps
  readonly directory: string
  readonly env: Env
}

async function addTerminal({ tid, peer, steps, directory, env }: NewTerminal): Promise<Terminal> {
  // The name that the provider's older terminals share.
  const terminal = await peer.make(tid, { commonName: 'legacy-terminal-certificate.live.terminal.adyen.com' })
  const { port } = await steps.open(Number(terminal.driverSettings?.['port']))
  const settings = { ...terminal.driverSettings, port, environment: 'live', passphrase: NEXO_KEY.passphrase }
  const file = join(directory, `${tid}.json`)
  writeFileSync(file, JSON.stringify(settings))
  const add = ['terminals', 'add', ACCOUNT, tid, '--driver', 'nexo', '--driver-settings', file]
  await runJson([...add, '--data', directory], env)
  return terminal
}
