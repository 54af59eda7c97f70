// src/config.ts — reads environment and options as one typed configuration, or lists their problems.
import { readFileSync } from 'node:fs'
import { nearestOf } from './config/nearest.ts'
import { checkTogether, EVERYTHING, type FileContents, type ReadFile, type Uses } from './config/rules.ts'
import { SETTINGS, type Setting, type SettingName, type SettingValues } from './config/settings.ts'

/** Values of all settings, and contents of the files that they name. */
export interface Config extends Omit<SettingValues, keyof FileContents | 'shopCallsPerSecond'>, FileContents {
  /** 0 sets no limit. */
  readonly shopCallsPerSecond: number
}

/** Calls of a web shop in a second when the setting is absent. A sandbox sets no limit: test suites call faster than shops. */
const SHOP_CALLS_PER_SECOND = { sandbox: 0, live: 20 } as const

export type Origin = 'default' | 'environment' | 'option'

/** A row of `tollgate config`. */
export interface InForce {
  readonly env: string
  /** The value as written, `(set)` for a secret, or `(not set)`. */
  readonly value: string
  readonly from: Origin
}

export type ConfigResult =
  | { readonly config: Config; readonly inForce: readonly InForce[] }
  | { readonly problems: readonly string[] }

/** Command-line options, as text by name. */
export type Overrides = Readonly<Partial<Record<string, string>>>

/**
 * Reads all settings, or returns one sentence for each problem. An empty variable counts as not set. The result never shows
 * secrets.
 * @param uses files and keys that are read and required
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  overrides: Overrides = {},
  uses: Uses = EVERYTHING,
  readFile: ReadFile = path => readFileSync(path),
): ConfigResult {
  const read = NAMES.map(name => readSetting(name, SETTINGS[name], env, overrides))
  const problems = [...unknownProblems(env), ...read.flatMap(({ problem }) => problem ?? [])]
  if (problems.length > 0) return { problems }
  // Each value was parsed by the kind that its type is derived from.
  const values = Object.fromEntries(read.map(({ name, value }) => [name, value])) as unknown as SettingValues
  const together = checkTogether(values, readFile, uses)
  if (together.problems.length > 0) return { problems: together.problems }
  const shopCallsPerSecond = values.shopCallsPerSecond ?? SHOP_CALLS_PER_SECOND[values.mode]
  const config = { ...values, ...together.contents, shopCallsPerSecond }
  return { config, inForce: read.map(({ inForce }) => inForce) }
}

/** A row of docs/settings.md. */
export interface SettingsRow {
  readonly env: string
  readonly option: string | null
  /** Completes "must be …". */
  readonly allowed: string
  readonly default: string | null
  readonly unit: 'ms' | 'bytes' | 'days' | null
  readonly meaning: string
  readonly secret: boolean
}

/** Lists all settings in the order of docs/settings.md. */
export function settingsTable(): readonly SettingsRow[] {
  return NAMES.map(name => {
    const { env, option, kind, default: unset, unit, meaning, secret }: Setting = SETTINGS[name]
    return {
      env,
      option: option === undefined ? null : `--${option}`,
      allowed: kind.allowed,
      default: unset,
      unit: unit ?? null,
      meaning,
      secret: secret === true,
    }
  })
}

interface ReadSetting {
  readonly name: SettingName
  readonly value: unknown
  readonly inForce: InForce
  readonly problem?: string
}

const PREFIX = /^TOLLGATE_/
const NAMES = Object.keys(SETTINGS) as SettingName[]

function readSetting(
  name: SettingName,
  setting: Setting,
  env: Readonly<Record<string, string | undefined>>,
  overrides: Overrides,
): ReadSetting {
  const [from, text] = writtenIn(setting, env, overrides)
  const shown = text === null ? '(not set)' : setting.secret === true ? '(set)' : text
  const inForce: InForce = { env: setting.env, value: shown, from }
  const value = text === null ? null : setting.kind.parse(text)
  if (value !== undefined) return { name, value, inForce }
  const called = from === 'option' ? `--${setting.option}` : setting.env
  const instead = setting.secret === true ? '' : `, not ${JSON.stringify(shortened(shown))}`
  return { name, value, inForce, problem: `${called} must be ${setting.kind.allowed}${instead}.` }
}

function writtenIn(
  setting: Setting,
  env: Readonly<Record<string, string | undefined>>,
  overrides: Overrides,
): readonly [Origin, string | null] {
  const option = setting.option === undefined ? undefined : overrides[setting.option]
  if (option !== undefined) return ['option', option]
  const variable = env[setting.env]?.trim()
  return variable ? ['environment', variable] : ['default', setting.default]
}

/** Reports unknown variables: a misspelt one would silently leave its default in force. */
function unknownProblems(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = new Map(NAMES.map(name => [SETTINGS[name].env.replace(PREFIX, ''), SETTINGS[name].env]))
  return Object.entries(env).flatMap(([name, text = '']) => {
    if (!PREFIX.test(name) || text === '' || isServiceLink(name, text)) return []
    const bare = name.replace(PREFIX, '')
    if (known.get(bare) === name) return []
    return `${name} is not a setting; did you mean ${known.get(nearestOf(bare.toUpperCase(), [...known.keys()]))}?`
  })
}

/** Whether Kubernetes has set the variable for a service named tollgate: TOLLGATE_SERVICE_HOST, TOLLGATE_PORT=tcp://… */
function isServiceLink(name: string, text: string): boolean {
  return /^TOLLGATE_(SERVICE_HOST|SERVICE_PORT|PORT_\d+_)/.test(name) || text.startsWith('tcp://')
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
