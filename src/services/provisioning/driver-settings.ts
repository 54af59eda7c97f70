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
  vault: Pick<Vault, 'storeText'>,
  { settings }: TerminalMake,
  { account, tid }: { readonly account: string; readonly tid: string },
  given: GivenDriverSettings = {},
): Promise<{ readonly driverSettings?: DriverSettings } | { readonly refused: Refusal }> {
  const schema = typeof settings === 'function' ? settings(given) : settings
  if (schema === undefined) {
    const [unknown] = Object.keys(given)
    return unknown === undefined ? {} : refusedAt(unknown, 'is not known: this driver has no settings.')
  }
  const wrong = memberAtFault(schema, given)
  if (wrong !== null) return refusedAt(...wrong)
  const misplaced = Object.entries(given).find(
    ([name, value]) => !isSecret(schema, name) && typeof value === 'string' && idHoldsCardNumber(value),
  )
  if (misplaced !== undefined)
    return { refused: { code: 'card_number_misplaced', field: `driverSettings.${misplaced[0]}` } }
  const sealed = Object.entries(given as DriverSettings).map(async ([name, value]) =>
    isSecret(schema, name)
      ? ([name, { vault: await vault.storeText(account, 'driver-secret', String(value), tid) }] as const)
      : ([name, value] as const),
  )
  return { driverSettings: Object.fromEntries(await Promise.all(sealed)) }
}

/** The invalid member and what is wrong with it; null when all are valid. Unknown members are invalid: they may be misspelt secrets. */
function memberAtFault(schema: TObject, given: GivenDriverSettings): readonly [name: string, detail: string] | null {
  const known = Object.keys(schema.properties)
  const unknown = Object.keys(given).find(name => !known.includes(name))
  if (unknown !== undefined) return [unknown, `is not a setting of this driver. It has ${known.join(', ') || 'none'}.`]
  if (Compile(schema).Check(given)) return null
  const wrong = known.find(name => name in given && !Compile(schema.properties[name] ?? {}).Check(given[name]))
  if (wrong !== undefined) return [wrong, `is not as its schema says: ${JSON.stringify(schema.properties[wrong])}.`]
  const missing = known.find(name => schema.required?.includes(name) && !(name in given))
  return missing === undefined ? ['', 'do not fit together.'] : [missing, 'is missing.']
}

function isSecret({ properties }: TObject, name: string): boolean {
  const schema: { readonly writeOnly?: boolean } | undefined = properties[name]
  return schema?.writeOnly === true
}

function refusedAt(name: string, detail: string): { readonly refused: Refusal } {
  return {
    refused: { code: 'field_invalid', field: name === '' ? 'driverSettings' : `driverSettings.${name}`, detail },
  }
}
