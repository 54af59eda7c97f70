// src/cli/acquirers.ts — opens the acquirers of the configuration.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { BUILT_IN_DIALECTS } from '../acquirers/iso8583/built-in.ts'
import { createHostConnection } from '../acquirers/iso8583/connection/host-connection.ts'
import type { Dialect } from '../acquirers/iso8583/dialect.ts'
import { HOST_DOCUMENT, type HostDocument, ISO8583 } from '../acquirers/iso8583/host-document.ts'
import { createIso8583Acquirer } from '../acquirers/iso8583/orders/acquirer.ts'
import { NO_ACQUIRER } from '../acquirers/none.ts'
import { readStrictly, sentenceOf } from '../api/read/strict-document.ts'
import type { Config } from '../config.ts'
import type { Acquirer } from '../engine/ports/acquirer.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { Log } from '../engine/ports/log.ts'
import type { PaymentKeys } from '../engine/ports/payment-keys.ts'
import type { Random } from '../engine/ports/random.ts'
import type { HostAddress, HostTls, SocketOpener } from '../engine/ports/socket-opener.ts'
import type { Store } from '../engine/ports/store.ts'
import type { Vault } from '../engine/ports/vault.ts'
import { createHsmKeys } from '../platform/payment-keys/hsm-keys.ts'
import { createSoftwareKeys } from '../platform/payment-keys/software-keys.ts'
import { createSocketOpener } from '../platform/socket-opener.ts'
import type { KeyRing } from '../platform/vault/key-ring.ts'
import type { VaultParts } from '../platform/vault/vault.ts'
import { Failure } from './failure.ts'
import { dialectOf } from './iso8583-dialects.ts'

/** Why keys in software are refused where money is real. */
export const NO_SOFTWARE_KEYS =
  'Payment keys in software are for the sandbox: in live mode the keys are in a security module (docs/hsm-interface.md).'

const ENV = 'TOLLGATE_ACQUIRER_FILE'
/** Time for answers to requests under way when the gateway ends. Orders without one are reversed after the next start. */
const CLOSE_MS = 5_000

export interface OpenAcquirers {
  readonly acquirers: readonly Acquirer[]
  /** Connects, and takes up what earlier processes have left. */
  start(): Promise<void>
  close(): Promise<void>
}

export interface AcquirerParts {
  readonly store: Store
  readonly vault: Vault
  /** The keys of the vault, which seal payment keys in software. */
  readonly ring: KeyRing
  readonly mode: Config['mode']
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Opens the acquirers, in the order of `makesOf`. @throws Failure when the document cannot be used */
export function openAcquirers(file: string | null, parts: AcquirerParts): OpenAcquirers {
  if (file === null)
    return { acquirers: [{ ...NO_ACQUIRER, name: ISO8583 }], start: async () => {}, close: async () => {} }
  const host = readHost(file, parts.mode)
  const { document, dialect, tls } = host
  const opener = createSocketOpener(parts)
  const { keys, close: closeKeys } = openKeys(host, { ...parts, opener })
  const { settings, timeZone } = document
  const [first, ...others] = document.addresses
  if (first === undefined) throw new Error('a document has an address')
  const opened = createIso8583Acquirer({
    ...parts,
    ...{ name: ISO8583, dialect, timeZone, keys, terminalKey: document.terminalKey ?? null },
    settingsOf: settingsBy(document),
    connect: nextStan =>
      createHostConnection({
        ...{ ...parts, dialect, tls, timeZone, settings, nextStan, keys, opener, addresses: [first, ...others] },
      }),
  })
  return {
    acquirers: [opened],
    start: opened.start,
    async close() {
      await opened.close(CLOSE_MS)
      closeKeys()
    },
  }
}

/** Values of the fields that the dialect lists as settings, for an account. */
export function settingsBy({ settings, accounts = [] }: HostDocument) {
  return (account: string) => ({ ...settings, ...accounts.find(each => each.account === account)?.settings })
}

/** Opens the keys that the document names; null when it names none. */
export function openKeys(
  { document, module }: Pick<ReadHost, 'document' | 'module'>,
  parts: VaultParts & { readonly opener: SocketOpener; readonly log: Log },
): { readonly keys: PaymentKeys | null; close(): void } {
  if (module === null) return { keys: document.keys === 'software' ? createSoftwareKeys(parts) : null, close() {} }
  const keys = createHsmKeys({ ...parts, ...module })
  return { keys, close: keys.close }
}

export interface ReadHost {
  readonly document: HostDocument
  readonly dialect: Dialect
  readonly tls: HostTls | null
  /** Where the keys are; null when they are in software, or when there are none. */
  readonly module: { readonly address: HostAddress; readonly tls: HostTls | null } | null
}

/** Reads the document and the files that it names. @throws Failure with what is wrong */
export function readHost(file: string, mode: Config['mode']): ReadHost {
  const read = readStrictly(HOST_DOCUMENT, jsonIn(file))
  if ('problems' in read)
    throw new Failure(`${ENV}: ${file} cannot be used.\n  ${read.problems.map(sentenceOf).join('\n  ')}`)
  const document = read.value as HostDocument
  const from = (name: string) => resolve(dirname(file), name)
  const named = document.dialect
  const dialect = dialectOf(BUILT_IN_DIALECTS[named] === undefined ? from(named) : named)
  const problem = keysProblem(document, dialect, mode) ?? problemOf(document, dialect)
  if (problem !== null) throw new Failure(`${ENV}: ${file} cannot be used. ${problem}`)
  const certificates = (tls: HostDocument['tls']) => (tls === 'none' ? null : tlsOf(tls, from))
  const { keys } = document
  const module = typeof keys === 'object' ? { address: keys.securityModule, tls: certificates(keys.tls) } : null
  return { document, dialect, tls: certificates(document.tls), module }
}

function keysProblem({ keys, terminalKey }: HostDocument, { document }: Dialect, mode: Config['mode']): string | null {
  if (keys === 'software' && mode !== 'sandbox') return NO_SOFTWARE_KEYS
  if (document.mac !== undefined && keys === undefined)
    return `${document.name} has a mac, so keys must say where its key is: software, or a security module.`
  if (terminalKey !== undefined && keys === undefined) return 'terminalKey needs keys.'
  if (terminalKey !== undefined && document.pin === undefined)
    return `${document.name} has no pin, so terminalKey has no use.`
  return null
}

function problemOf({ timeZone, settings, accounts = [], tls }: HostDocument, { document }: Dialect): string | null {
  const other = [settings, ...accounts.map(each => each.settings)]
    .flatMap(fields => Object.keys(fields))
    .find(number => !document.settings.includes(Number(number)))
  if (other !== undefined)
    return `Field ${other} is no setting of ${document.name}; these are ${document.settings.join(', ')}.`
  if (tls !== 'none' && (tls.clientCert === undefined) !== (tls.clientKey === undefined))
    return 'tls.clientCert and tls.clientKey belong together.'
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return null
  } catch {
    return `timeZone must be a name such as Europe/London, not ${timeZone}.`
  }
}

function tlsOf(tls: Exclude<HostDocument['tls'], 'none'>, from: (name: string) => string): HostTls {
  const { serverCa, serverName, clientCert, clientKey } = tls
  return {
    ...(serverCa === undefined ? {} : { authorities: textOf(from(serverCa)) }),
    ...(serverName === undefined ? {} : { serverName }),
    ...(clientCert === undefined || clientKey === undefined
      ? {}
      : { certificate: textOf(from(clientCert)), privateKey: textOf(from(clientKey)) }),
  }
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(textOf(file))
  } catch (error) {
    if (error instanceof SyntaxError) throw new Failure(`${ENV}: ${file} is not valid JSON: ${error.message}.`)
    throw error
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`${ENV} needs ${file}, which cannot be read.`, { cause: error })
  }
}
