// src/cli/iso8583-keys.ts — `tollgate iso8583 keys`: loads and removes the payment keys of a sandbox, and lists those of a security module too.
import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Config } from '../config.ts'
import type { KeyUse, PaymentKey } from '../engine/ports/payment-keys.ts'
import { checkValueOf, createSoftwareKeys, type SoftwareKeys } from '../platform/payment-keys/software-keys.ts'
import { createSocketOpener } from '../platform/socket-opener.ts'
import { NO_SOFTWARE_KEYS, openKeys, type ReadHost, readHost } from './acquirers.ts'
import { tableOf } from './columns.ts'
import { Failure } from './failure.ts'
import { NO_LOG } from './no-log.ts'
import { type Records, withRecords } from './records.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'
import { vaultRing } from './vault-ring.ts'

type Options = SettingsOptions & { readonly json?: true }
type LoadOptions = Options & {
  readonly use: KeyUse
  readonly algorithm: PaymentKey['algorithm']
  readonly part: readonly string[]
  readonly checkValue: string
}

/** What these commands use besides the records. */
const USED = { tls: false, vault: true }
const LENGTHS: Readonly<Record<PaymentKey['algorithm'], readonly number[]>> = { tdes: [8, 16, 24], aes: [16, 24, 32] }

/** Defines the commands. */
export function defineKeys(command: Command, shell: Shell): void {
  const keys = command.command('keys').description('List payment keys, and load and remove those of a sandbox.')
  const part = (name: string, description: string) =>
    addSettingsOptions(keys.command(name).description(description), 'data').option('--json', 'print JSON')
  part('load', 'Load a key from its parts. The sum of the parts is the key.')
    .argument('<name>', 'name of the key, as the dialect has it', keyName)
    .addOption(new Option('--use <use>', 'what it may do').choices(['mac', 'pin', 'terminals']).makeOptionMandatory())
    .addOption(new Option('--algorithm <algorithm>', 'its cipher').choices(['tdes', 'aes']).default('tdes'))
    .addOption(
      new Option('--part <file>', 'a part in hexadecimal digits; give it once for each part')
        .argParser((given: string, before: readonly string[] = []) => [...before, given])
        .makeOptionMandatory(),
    )
    .requiredOption('--check-value <digits>', 'check value of the key: six hexadecimal digits', checkValue)
    .action((name: string, options: LoadOptions) => load(shell, name, options))
  part(
    'list',
    'List the keys with their check values: those of the security module that TOLLGATE_ACQUIRER_FILE names, or of a sandbox.',
  ).action((options: Options) => list(shell, options))
  part('remove', 'Remove a key.')
    .argument('<name>', 'name of the key', keyName)
    .action((name: string, options: Options) => remove(shell, name, options))
}

async function load(shell: Shell, name: string, options: LoadOptions): Promise<void> {
  const { use, algorithm } = options
  const bytes = options.part.map(partIn).reduce(sum)
  if (!LENGTHS[algorithm].includes(bytes.length))
    throw new Failure(`A key for ${algorithm} has ${LENGTHS[algorithm].join(', ')} bytes, not ${bytes.length}.`)
  if (checkValueOf(algorithm, bytes) !== options.checkValue)
    throw new Failure('The check value is that of another key. Nothing was stored; compare the parts.')
  const made = await withKeys(shell, options, keys => keys.put({ name, use, algorithm, bytes }))
  if (options.json) printJson(shell, { key: made })
  else print(shell, `Key ${name} is stored, with the check value ${made.checkValue}.`)
}

async function list(shell: Shell, options: Options): Promise<void> {
  const config = configOf(shell, options, USED)
  const { keys, missing } = await withRecords(config, records => listed(config, records))
  const rows = keys.map(({ name, use, algorithm, checkValue }) => [name, use, algorithm, checkValue])
  if (options.json) printJson(shell, { keys, missing })
  else print(shell, tableOf(['Key', 'Use', 'Algorithm', 'Check value'], rows))
  if (missing.length > 0) throw new Failure(`The dialect needs ${missing.join(' and ')}, and there is no such key.`)
}

/** The keys, and the names of those that the document of the host needs and that are not there. */
async function listed(config: Config, { store, mode, clock, random }: Records) {
  const { acquirerFile } = config
  const host = acquirerFile === null ? null : readHost(acquirerFile, mode)
  if (host?.module == null && mode !== 'sandbox')
    throw new Failure(`${NO_SOFTWARE_KEYS} TOLLGATE_ACQUIRER_FILE must name the document that says where.`)
  const ring = vaultRing(config, mode, clock, random)
  const opener = createSocketOpener({ clock })
  const { keys, close } =
    host?.module == null
      ? { keys: createSoftwareKeys({ store, clock, random, ring }), close() {} }
      : openKeys(host, { store, ring, clock, random, opener, log: NO_LOG })
  try {
    const found = (await keys?.list()) ?? []
    if ('refused' in found) throw new Failure(`The security module does not list its keys: ${found.refused}.`)
    const needed = host === null ? [] : neededKeys(host)
    return { keys: found, missing: needed.filter(name => !found.some(key => key.name === name)) }
  } finally {
    close()
  }
}

/** Names of the keys that are used with a host. */
function neededKeys({ document: { terminalKey }, dialect }: ReadHost): readonly string[] {
  const { mac, pin } = dialect.document
  const ofPins = terminalKey === undefined || pin === undefined ? [] : [terminalKey, pin.key]
  return [...(mac === undefined ? [] : [mac.key]), ...ofPins]
}

async function remove(shell: Shell, name: string, options: Options): Promise<void> {
  const removed = await withKeys(shell, options, keys => keys.remove(name))
  if (!removed) throw new Failure(`There is no key ${name}.`)
  if (options.json) printJson(shell, { removed: name })
  else print(shell, `Key ${name} is removed.`)
}

function withKeys<T>(shell: Shell, options: Options, work: (keys: SoftwareKeys) => Promise<T>): Promise<T> {
  const config = configOf(shell, options, USED)
  return withRecords(config, ({ store, mode, clock, random }) => {
    if (mode !== 'sandbox') throw new Failure(NO_SOFTWARE_KEYS)
    return work(createSoftwareKeys({ store, clock, random, ring: vaultRing(config, mode, clock, random) }))
  })
}

/** @throws Failure without the content, which is secret */
function partIn(file: string): Buffer {
  let text: string
  try {
    text = readFileSync(file, 'utf8').replace(/\s/g, '')
  } catch (cause) {
    throw new Failure(`${file}: cannot be read.`, { cause })
  }
  if (/^(?:[0-9A-Fa-f]{2})+$/.test(text)) return Buffer.from(text, 'hex')
  throw new Failure(`${file}: must hold hexadecimal digits, two for each byte.`)
}

/** @throws Failure when the parts differ in length */
function sum(one: Buffer, other: Buffer): Buffer {
  if (one.length !== other.length) throw new Failure('All parts of a key must have the same length.')
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)))
}

function keyName(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(text)) return text
  throw new InvalidArgumentError('It must be 1 to 40 small letters, digits and hyphens, and not begin with a hyphen.')
}

function checkValue(text: string): string {
  if (/^[0-9A-Fa-f]{6}$/.test(text)) return text.toUpperCase()
  throw new InvalidArgumentError('It must be six hexadecimal digits.')
}
