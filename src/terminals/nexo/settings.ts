// src/terminals/nexo/settings.ts — what the driver must know of each terminal, and the names under which it is registered.
import { X509Certificate } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { Terminal } from '../../domain/accounts/terminal.ts'
import { openDriverSettings } from '../../engine/driver-settings.ts'
import type { TerminalMake } from '../../engine/ports/terminal.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import { type DerivedKey, deriveKey } from './codec.ts'
import type { Address } from './line.ts'

/** Stored with each terminal, so it must not change. */
export const NEXO = 'nexo'

type Mode = 'sandbox' | 'live'
type Environment = 'test' | 'live'

const DEFAULT_PORT = 8_443
/** A terminal's own id: model and serial number. */
const POI_ID = '^[A-Za-z0-9]{3,20}-[A-Za-z0-9-]{6,40}$'
/** Printable ASCII, because other characters have no agreed bytes. */
const PASSPHRASE = '^[\\x21-\\x7e]{12,200}$'

const COMMON = {
  poiId: Type.String({ pattern: POI_ID, description: 'Model and serial number, such as V400m-123456789.' }),
  host: Type.String({ pattern: '^[A-Za-z0-9.:-]{1,253}$', description: 'Address or name in the local network.' }),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  keyIdentifier: Type.String({ minLength: 1, maxLength: 200 }),
  keyVersion: Type.Integer({ minimum: 0 }),
  passphrase: Type.String({ pattern: PASSPHRASE, writeOnly: true }),
  previousKeyVersion: Type.Optional(Type.Integer({ minimum: 0 })),
  previousPassphrase: Type.Optional(Type.String({ pattern: PASSPHRASE, writeOnly: true })),
  rootCertificate: Type.String({ minLength: 1, description: "The provider's root: PEM, or the path of a PEM file." }),
  saleId: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' })),
  manualCapture: Type.Optional(
    Type.Boolean({ description: 'Whether the provider waits for a capture. PRE_AUTH needs it.' }),
  ),
}
const SANDBOX = Type.Object({ ...COMMON, environment: Type.Enum(['test', 'live']) })
// A test terminal approves everything: in live mode goods would leave the shop unpaid.
const LIVE = Type.Object({ ...COMMON, environment: Type.Literal('live') })

/** The make, as the command line and the wiring register it. */
export function nexoMake(mode: Mode): TerminalMake {
  return { name: NEXO, settings: mode === 'live' ? LIVE : SANDBOX }
}

/** The settings of a terminal, ready for use. Holds keys: never logged. */
export interface NexoSettings {
  readonly poiId: string
  readonly saleId: string
  readonly address: Address
  /** The newest first: it encrypts. */
  readonly keys: readonly [DerivedKey, ...DerivedKey[]]
  readonly manualCapture: boolean
  /** SHA-256 of the root, upper-case hexadecimal without colons. */
  readonly rootFingerprint: string
  /** Whether the root is the one that the provider publishes for this environment. */
  readonly rootIsPublished: boolean
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
  const given = (await openDriverSettings(vault, terminal)) as Static<typeof SANDBOX>
  const { poiId, host, port = DEFAULT_PORT, environment, saleId = `Tollgate-${terminal.tid}` } = given
  if (mode === 'live' && environment !== 'live')
    throw new Error(`terminal ${terminal.tid} is a test terminal, which live mode refuses`)
  const root = await pemOf(given.rootCertificate, readFile)
  const rootFingerprint = fingerprintOf(root, terminal.tid)
  const domain = `${environment}.terminal.adyen.com`
  const commonNames = [`${poiId}.${domain}`, `legacy-terminal-certificate.${domain}`]
  return {
    ...{ poiId, saleId, address: { host, port, root, commonNames }, keys: keysOf(given) },
    ...{ manualCapture: given.manualCapture === true, rootFingerprint },
    rootIsPublished: rootFingerprint === PUBLISHED_ROOTS[environment],
  }
}

function keysOf({ keyIdentifier: identifier, ...given }: Static<typeof SANDBOX>): NexoSettings['keys'] {
  const current = deriveKey({ identifier, version: given.keyVersion, passphrase: given.passphrase })
  const { previousKeyVersion: version, previousPassphrase: passphrase } = given
  return version === undefined || passphrase === undefined
    ? [current]
    : [current, deriveKey({ identifier, version, passphrase })]
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
