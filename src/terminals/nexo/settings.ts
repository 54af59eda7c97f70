// src/terminals/nexo/settings.ts — what the driver must know of each terminal, and the names under which it is registered.
import { X509Certificate } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { Terminal } from '../../domain/accounts/terminal.ts'
import { openDriverSettings } from '../../engine/driver-settings.ts'
import type { TerminalMake } from '../../engine/ports/terminal.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import { type DerivedKey, deriveKey } from './codec.ts'
import type { Address } from './line.ts'
import type { Transport } from './wire/answers.ts'

/** Stored with each terminal, so it must not change. */
export const NEXO = 'nexo'

type Mode = 'sandbox' | 'live'
type Environment = 'test' | 'live'

const DEFAULT_PORT = 8_443
const HTTPS_PORT = 443
/** A terminal's own id: model and serial number. */
const POI_ID = '^[A-Za-z0-9]{3,20}-[A-Za-z0-9-]{6,40}$'
/** Printable ASCII, because other characters have no agreed bytes. */
const PASSPHRASE = '^[\\x21-\\x7e]{12,200}$'

const COMMON = {
  poiId: Type.String({ pattern: POI_ID, description: 'Model and serial number, such as V400m-123456789.' }),
  saleId: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' })),
  manualCapture: Type.Optional(
    Type.Boolean({ description: 'Whether the provider waits for a capture. PRE_AUTH needs it.' }),
  ),
  notificationUser: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x39\\x3b-\\x7e]{1,80}$',
      description: 'Of the notifications that the terminal posts.',
    }),
  ),
  notificationPassword: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{16,200}$', writeOnly: true })),
}
const KEY = {
  keyIdentifier: Type.String({ minLength: 1, maxLength: 200 }),
  keyVersion: Type.Integer({ minimum: 0 }),
  passphrase: Type.String({ pattern: PASSPHRASE, writeOnly: true }),
  previousKeyVersion: Type.Optional(Type.Integer({ minimum: 0 })),
  previousPassphrase: Type.Optional(Type.String({ pattern: PASSPHRASE, writeOnly: true })),
}
const ROOT = Type.String({ minLength: 1, description: "The provider's root: PEM, or the path of a PEM file." })
const LOCAL = {
  ...{ transport: Type.Optional(Type.Literal('local')), ...COMMON, ...KEY },
  host: Type.String({ pattern: '^[A-Za-z0-9.:-]{1,253}$', description: 'Address or name in the local network.' }),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  rootCertificate: ROOT,
}
const CLOUD = {
  ...{ transport: Type.Literal('cloud'), ...COMMON },
  merchantAccount: Type.String({
    pattern: '^[A-Za-z0-9_.-]{1,80}$',
    description: 'Name of the account at the provider.',
  }),
  apiKey: Type.String({ pattern: '^[\\x21-\\x7e]{8,2048}$', writeOnly: true }),
  region: Type.Optional(
    Type.Enum(['au', 'apse', 'us'], { description: "Of the provider's data centre; Europe when missing." }),
  ),
  asynchronous: Type.Optional(
    Type.Boolean({ description: 'Whether payments are only handed over, and their results notified or asked for.' }),
  ),
  apiUrl: Type.Optional(
    Type.String({ pattern: '^https://[A-Za-z0-9.:-]{1,253}$', description: 'Instead of the usual hosts.' }),
  ),
  rootCertificate: Type.Optional(ROOT),
}
const ANY = { environment: Type.Enum(['test', 'live']) }
// A test terminal approves everything: in live mode goods would leave the shop unpaid.
const ONLY_LIVE = { environment: Type.Literal('live') }

/** The make, as the command line and the wiring register it. */
export function nexoMake(mode: Mode): TerminalMake {
  const environment = mode === 'live' ? ONLY_LIVE : ANY
  const local = Type.Object({ ...LOCAL, ...environment })
  const cloud = Type.Object({ ...CLOUD, ...environment })
  const encrypted = Type.Object({ ...CLOUD, ...KEY, ...environment })
  return {
    name: NEXO,
    settings({ transport, ...given }) {
      if (transport === undefined || transport === 'local') return local
      return Object.keys(KEY).some(name => name in given) ? encrypted : cloud
    },
  }
}

/** The settings of a terminal, ready for use. Holds keys: never logged. */
export interface NexoSettings {
  readonly poiId: string
  readonly saleId: string
  readonly transport: Transport
  readonly address: Address
  /** Where payments go. Of a cloud that only hands them over it is another one. */
  readonly paymentAddress: Address
  /** Whether a payment is answered as soon as the cloud has handed it over. */
  readonly isAsynchronous: boolean
  /** Where the cloud lists the terminals that it is connected to. Null in the network. */
  readonly deviceList: Address | null
  /** The newest first: it encrypts. None: messages are in clear text, and the certificate of the cloud says who answers. */
  readonly keys: readonly DerivedKey[]
  readonly manualCapture: boolean
  /** Who may post notifications of it. Null: nobody. */
  readonly notifications: { readonly user: string; readonly password: string } | null
  /** Null: the public roots. */
  readonly root: Root | null
}

export interface Root {
  /** SHA-256, upper-case hexadecimal without colons. */
  readonly fingerprint: string
  /** Whether it is the one that the provider publishes for terminals of this environment. */
  readonly isPublished: boolean
}

export interface SettingsParts {
  readonly vault: Pick<Vault, 'openText'>
  readonly mode: Mode
  /** Reads a text file. */
  readonly readFile: (path: string) => Promise<string>
}

/** SHA-256 of the provider's roots for terminals. */
const PUBLISHED_ROOTS: Readonly<Record<Environment, string>> = {
  test: '3A33C334C30F6946E9754B6BB1672B546FBAA966FB6A4B58AA4E3ABE80A7ECBE',
  live: '06D48641954B957D7AF5F5E45A58D861DB0DE3CCEDBB983660BB016CE6142DA1',
}

/** Opens the settings of a terminal. @throws Error with a sentence for operators */
export async function openSettings(
  { vault, mode, readFile }: SettingsParts,
  terminal: Terminal,
): Promise<NexoSettings> {
  const given = (await openDriverSettings(vault, terminal)) as Given
  const { poiId, environment, saleId = `Tollgate-${terminal.tid}`, rootCertificate } = given
  if (mode === 'live' && environment !== 'live')
    throw new Error(`terminal ${terminal.tid} is a test terminal, which live mode refuses`)
  const root = rootCertificate === undefined ? null : await pemOf(rootCertificate, readFile)
  const fingerprint = root === null ? null : fingerprintOf(root, terminal.tid)
  return {
    ...{ poiId, saleId, transport: given.transport ?? 'local', keys: keysOf(given), ...addressesOf(given, root) },
    manualCapture: given.manualCapture === true,
    notifications: notificationsOf(given),
    root: fingerprint === null ? null : { fingerprint, isPublished: fingerprint === PUBLISHED_ROOTS[environment] },
  }
}

const LOCAL_FORM = Type.Object({ ...LOCAL, ...ANY })
const CLOUD_FORM = Type.Object({ ...CLOUD, ...ANY, ...Type.Partial(Type.Object(KEY)).properties })
type Given = Static<typeof LOCAL_FORM> | Static<typeof CLOUD_FORM>

function localAddress(
  { host, port = DEFAULT_PORT, poiId, environment }: Static<typeof LOCAL_FORM>,
  root: string | null,
): Address {
  const domain = `${environment}.terminal.adyen.com`
  const commonNames = [`${poiId}.${domain}`, `legacy-terminal-certificate.${domain}`]
  return { host, port, path: '/nexo', headers: {}, root, commonNames }
}

type Addresses = Pick<NexoSettings, 'address' | 'paymentAddress' | 'isAsynchronous' | 'deviceList'>

/** In the API for devices each has an address of its own, which waits with its answer until the terminal has given one. */
function addressesOf(given: Given, root: string | null): Addresses {
  if (given.transport !== 'cloud') {
    const address = localAddress(given, root)
    return { address, paymentAddress: address, isAsynchronous: false, deviceList: null }
  }
  const isAsynchronous = given.asynchronous === true
  const device = (way: 'sync' | 'async') => cloudAddress(given, root, `devices/${given.poiId}/${way}`)
  return {
    ...{ address: device('sync'), paymentAddress: device(isAsynchronous ? 'async' : 'sync'), isAsynchronous },
    deviceList: cloudAddress(given, root, 'connectedDevices'),
  }
}

function cloudAddress(
  { apiUrl, region, environment, merchantAccount, apiKey }: Static<typeof CLOUD_FORM>,
  root: string | null,
  resource: string,
): Address {
  const usual = `https://device-api-${environment}${environment === 'live' && region !== undefined ? `-${region}` : ''}.adyen.com`
  const { hostname, port } = new URL(apiUrl ?? usual)
  const path = `/v1/merchants/${merchantAccount}/${resource}`
  const headers = { 'x-api-key': apiKey }
  return { host: hostname, port: Number(port || HTTPS_PORT), path, headers, root, commonNames: null }
}

function keysOf(given: Given): readonly DerivedKey[] {
  const { keyIdentifier: identifier, keyVersion, passphrase, previousKeyVersion, previousPassphrase } = given
  const named = [
    { version: keyVersion, passphrase },
    { version: previousKeyVersion, passphrase: previousPassphrase },
  ]
  return named.flatMap(({ version, passphrase }) =>
    identifier === undefined || version === undefined || passphrase === undefined
      ? []
      : [deriveKey({ identifier, version, passphrase })],
  )
}

function notificationsOf({
  notificationUser: user,
  notificationPassword: password,
}: Given): NexoSettings['notifications'] {
  return user === undefined || password === undefined ? null : { user, password }
}

async function pemOf(given: string, readFile: SettingsParts['readFile']): Promise<string> {
  return given.includes('-----BEGIN CERTIFICATE-----') ? given : readFile(given)
}

function fingerprintOf(pem: string, tid: string): string {
  try {
    return new X509Certificate(pem).fingerprint256.replaceAll(':', '')
  } catch {
    throw new Error(`the root certificate of terminal ${tid} is not a certificate in PEM`)
  }
}
