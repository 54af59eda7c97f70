// src/engine/driver-settings.ts — opens the settings that a terminal has for its driver.
import { isSealed, type Terminal } from '../domain/accounts/terminal.ts'
import type { Vault } from './ports/vault.ts'

/**
 * The settings as they were given, secrets in clear: for the driver, which keeps them to itself.
 * @throws Error when the vault does not have one of them
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
