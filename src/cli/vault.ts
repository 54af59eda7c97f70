// src/cli/vault.ts — `tollgate vault`: shows, rotates and retires the master keys of the vault.
import type { Command } from 'commander'
import type { Config } from '../config.ts'
import type { Store } from '../engine/ports/store.ts'
import { systemClock } from '../platform/clock.ts'
import { systemRandom } from '../platform/random.ts'
import { addKey, type KeyRing, removeKeys } from '../platform/vault/key-ring.ts'
import { entriesByKey, rewrapAll } from '../platform/vault/rotation.ts'
import { tableOf } from './columns.ts'
import { Failure } from './failure.ts'
import { withRecords } from './records.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'
import { vaultKeyFile, vaultRing } from './vault-ring.ts'

const EXAMPLES = `
Examples:
  tollgate vault status
  tollgate vault rotate
  tollgate vault retire
Rotation works beside a running gateway; if it is stopped, the next call continues. With keys in TOLLGATE_VAULT_KEY, put
the new one in front of the old one with a comma between, restart the gateway, and run \`tollgate vault rotate\`. Backups
from before a rotation need the old key.`

type Options = SettingsOptions & { readonly json?: true }

interface Bench {
  readonly store: Store
  readonly ring: KeyRing
  readonly file: string | null
}

const clock = systemClock()

/** What these commands use besides the records. */
const VAULT = { tls: false, vault: true }
const random = systemRandom()

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  const part = (name: string, description: string, run: (options: Options) => Promise<void>) =>
    addSettingsOptions(command.command(name).description(description), 'data')
      .option('--json', 'print JSON')
      .action(run)
  part('status', 'Show the keys and how many entries each encrypts.', options => status(shell, options))
  part('rotate', 'Encrypt all entries with a new key, or continue a stopped rotation.', options =>
    rotate(shell, options),
  )
  part('retire', 'Remove unused keys from the key file.', options => retire(shell, options))
}

async function status(shell: Shell, options: Options): Promise<void> {
  const rows = await atBench(configOf(shell, options, VAULT), async ({ store, ring }) => {
    const counts = await entriesByKey(store)
    const missing = [...counts.keys()].filter(version => !ring.versions.includes(version))
    return [...ring.versions, ...missing].map(version => ({
      key: version,
      use: version === ring.current.version ? 'seals' : missing.includes(version) ? 'missing' : 'opens',
      entries: counts.get(version) ?? 0,
    }))
  })
  if (options.json) return printJson(shell, { keys: rows })
  print(
    shell,
    tableOf(
      ['Key', 'Use', 'Entries'],
      rows.map(({ key, use, entries }) => [key, use, String(entries)]),
    ),
  )
}

async function rotate(shell: Shell, options: Options): Promise<void> {
  const progress = (seen: number, rewrapped: number) =>
    void shell.stderr.write(`${seen} entries checked, ${rewrapped} re-encrypted\n`)
  const done = await atBench(configOf(shell, options, VAULT), async ({ store, ring, file }) => {
    const counts = await entriesByKey(store)
    const unfinished = [...counts.keys()].some(version => version !== ring.current.version)
    if (!unfinished) {
      if (file === null)
        throw new Failure(
          'Everything is encrypted with the first key of TOLLGATE_VAULT_KEY; to rotate, put a new key in front of it.',
        )
      const version = addKey(file, random)
      // Looking up an unknown key makes the ring read the file again.
      if (ring.of(version) === null) throw new Failure(`${file} was changed by another process; run the command again.`)
    }
    const rewrapped = await rewrapAll({ store, ring, random, clock }, progress)
    return { key: ring.current.version, rewrapped, resumed: unfinished }
  })
  if (options.json) return printJson(shell, done)
  const began = done.resumed ? 'Finished the rotation to' : 'Rotated to'
  print(shell, `${began} key ${done.key}; ${done.rewrapped} entries were re-encrypted.`)
  print(shell, 'When no backup needs the older keys, remove them from the file with `tollgate vault retire`.')
}

async function retire(shell: Shell, options: Options): Promise<void> {
  const retired = await atBench(configOf(shell, options, VAULT), async ({ store, ring, file }) => {
    if (file === null) throw new Failure('The keys are in TOLLGATE_VAULT_KEY; remove the older ones there.')
    const counts = await entriesByKey(store)
    const idle = ring.versions.filter(version => version !== ring.current.version && !counts.has(version))
    removeKeys(file, new Set(idle), random)
    return idle
  })
  if (options.json) return printJson(shell, { retired })
  print(shell, retired.length === 0 ? 'No key could be retired.' : `Retired ${retired.join(', ')}.`)
}

function atBench<T>(config: Config, work: (bench: Bench) => Promise<T>): Promise<T> {
  return withRecords(config, ({ store, mode }) =>
    work({ store, ring: vaultRing(config, mode, clock, random), file: vaultKeyFile(config) }),
  )
}
