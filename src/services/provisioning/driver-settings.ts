// src/services/provisioning/driver-settings.ts — validates a terminal's driver settings and encrypts the secrets.
import type { TObject } from 'typebox'
import { Compile } from 'typebox/schema'
import type { DriverSettings } from '../../domain/accounts/terminal.ts'
import { idHoldsCardNumber } from '../../domain/card-numbers.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { TerminalMake } from '../../engine/ports/terminal.ts'
import type { Vault } from '../../engine/ports/vault.ts'

/** Driver settings as given, not validated. */
export type GivenDriverSettings = Readonly<Record<string, unknown>>

/**
 * Returns the settings in their stored form, secrets in the vault; no `driverSettings` when the driver has none. Refuses with
 * `field_invalid`.
 * @param given absent when none were given, which is valid when the schema requires none
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
  const misplaced = Object.entries(given).find(
    ([name, value]) => !isSecret(schema, name) && typeof value === 'string' && idHoldsCardNumber(value),
  )
  if (misplaced !== undefined)
    return { refused: { code: 'card_number_misplaced', field: `driverSettings.${misplaced[0]}` } }
  const sealed = Object.entries(given as DriverSettings).map(async ([name, value]) =>
    isSecret(schema, name)
      ? ([name, { vault: await vault.keepText(account, 'driver-secret', String(value), tid) }] as const)
      : ([name, value] as const),
  )
  return { driverSettings: Object.fromEntries(await Promise.all(sealed)) }
}

/** Name of an invalid member; null when all are valid. Unknown members are invalid: they may be misspelt secrets. */
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
