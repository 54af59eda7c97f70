// src/services/provisioning/driver-settings.ts — checks a terminal's settings for its driver, and seals the secrets among them.
import type { TObject } from 'typebox'
import { Compile } from 'typebox/schema'
import type { DriverSettings } from '../../domain/accounts/terminal.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { TerminalMake } from '../../engine/ports/terminal.ts'
import type { Vault } from '../../engine/ports/vault.ts'

/** Settings as somebody gave them. */
export type GivenDriverSettings = Readonly<Record<string, unknown>>

/**
 * The settings as they are stored; undefined: the driver has none.
 * @param given absent: none were given, which is right where the schema asks for none
 */
export async function sealedSettings(
  vault: Pick<Vault, 'keepText'>,
  { settings: schema }: TerminalMake,
  { account, tid }: { readonly account: string; readonly tid: string },
  given: GivenDriverSettings = {},
): Promise<{ readonly driverSettings?: DriverSettings } | { readonly refused: Refusal }> {
  if (schema === undefined) {
    const [unknown] = Object.keys(given)
    return unknown === undefined ? {} : refusedAt(unknown)
  }
  const wrong = memberAtFault(schema, given)
  if (wrong !== null) return refusedAt(wrong)
  const sealed = Object.entries(given as DriverSettings).map(async ([name, value]) =>
    isSecret(schema, name)
      ? ([name, { vault: await vault.keepText(account, 'driver-secret', String(value), tid) }] as const)
      : ([name, value] as const),
  )
  return { driverSettings: Object.fromEntries(await Promise.all(sealed)) }
}

/** Null: nothing is wrong. Members that the schema does not know are wrong: they may be a secret under a misspelt name. */
function memberAtFault(schema: TObject, given: GivenDriverSettings): string | null {
  const unknown = Object.keys(given).find(name => !Object.hasOwn(schema.properties, name))
  if (unknown !== undefined) return unknown
  const compiled = Compile(schema)
  if (compiled.Check(given)) return null
  const wrong = (name: string) => name in given && !Compile(schema.properties[name] ?? {}).Check(given[name])
  const names = Object.keys(schema.properties)
  return names.find(wrong) ?? names.find(name => schema.required?.includes(name) && !(name in given)) ?? ''
}

function isSecret({ properties }: TObject, name: string): boolean {
  const schema: { readonly writeOnly?: boolean } | undefined = properties[name]
  return schema?.writeOnly === true
}

function refusedAt(name: string): { readonly refused: Refusal } {
  return { refused: { code: 'field_invalid', field: name === '' ? 'driverSettings' : `driverSettings.${name}` } }
}
