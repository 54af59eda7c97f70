// src/engine/driver-settings.ts — decrypts the driver settings of a terminal.
import { isSealed, type Terminal } from '../domain/accounts/terminal.ts'
import type { Vault } from './ports/vault.ts'

/**
 * Returns the settings with their secrets in clear text. Only for the driver, which must not log or pass them on.
 * @throws Error when the vault has no entry for a secret
 */
export async function openDriverSettings(
  vault: Pick<Vault, 'openText'>,
  { merchantAccount, tid, driverSettings = {} }: Terminal,
): Promise<Readonly<Record<string, string | number | boolean>>> {
  const opened = Object.entries(driverSettings).map(async ([name, setting]) => {
    if (!isSealed(setting)) return [name, setting] as const
    const text = await vault.openText(merchantAccount, 'driver-secret', setting.vault)
    if (text === null) throw new Error(`the vault has no ${name} of terminal ${tid}`)
    return [name, text] as const
  })
  return Object.fromEntries(await Promise.all(opened))
}
