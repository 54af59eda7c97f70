// src/services/counter/terminal-notifications.ts — passes notifications that terminals post to the driver of the terminal.
import type { MerchantAccountId, TerminalId } from '../../domain/ids.ts'
import type { PostedNotification } from '../../engine/ports/terminal.ts'
import type { Terminals } from './terminals.ts'

/**
 * Takes a notification. `refused`: its sender is not known, which is all that it learns of a terminal that does not exist or posts nothing.
 * Rejects when it was not taken, and may be repeated.
 */
export type TakeTerminalNotification = (
  account: MerchantAccountId,
  tid: TerminalId,
  posted: PostedNotification,
) => Promise<'taken' | 'refused'>

/** Creates the use case. */
export function createTerminalNotifications({
  installed,
  fleet,
}: Pick<Terminals, 'installed' | 'fleet'>): TakeTerminalNotification {
  return async (account, tid, posted) => {
    const terminal = await installed(account, tid)
    const driver = terminal === null ? null : fleet.driverOf(terminal)
    if (terminal === null || driver?.takeNotification === undefined) return 'refused'
    return driver.takeNotification(terminal, posted)
  }
}
