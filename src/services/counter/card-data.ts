// src/services/counter/card-data.ts — passes chip data and PIN blocks from terminal to acquirer, outside the records. ADR 47.

import { ChipData, type PinBlock } from '../../domain/chip-data.ts'
import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import { awaitsAcquirer } from '../../domain/counter/transaction-decisions.ts'
import type { CardDataOnRecord } from '../../domain/counter/transaction-events.ts'
import type { MerchantAccountId, RequestId } from '../../domain/ids.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Feed } from '../../engine/feed.ts'
import { TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import type { CardData, TerminalDelivery } from '../../engine/ports/terminal.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import { createTransientSecrets } from '../transient-secrets.ts'

export interface CardDataKeeper {
  /**
   * Removes the card data from a delivery: chip data go to the vault, the PIN block into memory, and the report refers to them.
   * @param take accepts the rest of the delivery; resolves to false when it was late or repeated
   */
  receive(delivery: TerminalDelivery, take: (delivery: TerminalDelivery) => Promise<boolean>): Promise<void>
  /** Opens the recorded card data. `gone`: a part of them no longer exists. */
  open(account: MerchantAccountId, id: RequestId, recorded: CardDataOnRecord): Promise<CardData | 'gone'>
  /** Erases chip data. Idempotent. */
  forget(account: MerchantAccountId, recorded: CardDataOnRecord): Promise<void>
  forgetPin(id: RequestId): void
  /** Number of PIN blocks in memory. */
  readonly pinBlocks: number
}

export function createCardDataKeeper({
  engine,
  feed,
  vault,
}: {
  readonly engine: Engine
  readonly feed: Feed
  readonly vault: Vault
}): CardDataKeeper {
  const pins = createTransientSecrets<PinBlock>()
  feed.followAll(({ kind, id, record }) => {
    if (kind === TERMINAL_TRANSACTION.kind && pins.count > 0 && !awaitsAcquirer(record as TerminalTransaction))
      pins.forget(id)
  })
  const isNew = async ({ account, requestId: id, sequence }: TerminalDelivery): Promise<boolean> => {
    const known = await engine.read(TERMINAL_TRANSACTION, { account, id })
    return known !== null && known.record.lastReport < sequence
  }
  return {
    async receive({ cardData, ...delivery }, take) {
      const { account, requestId } = delivery
      if (cardData === undefined || !(await isNew(delivery)))
        return void (await take(withCardData(delivery, undefined)))
      const { chip, pin } = cardData
      const reference = chip && (await vault.storeText(account, 'chip-data', chip.reveal(), requestId))
      // Before the commit, because its effect may start at once.
      if (pin !== null) pins.put(requestId, pin)
      const taken = await take(withCardData(delivery, { chip: reference, pin: pin !== null }))
      if (taken) return
      if (reference !== null) await vault.forget(account, reference)
      const entry = await engine.read(TERMINAL_TRANSACTION, { account, id: requestId })
      if (entry === null || !awaitsAcquirer(entry.record)) pins.forget(requestId)
    },
    async open(account, id, recorded) {
      const pin = recorded.pin ? pins.of(id) : null
      const chip = recorded.chip === null ? null : await vault.openText(account, 'chip-data', recorded.chip)
      if (recorded.pin !== (pin !== null) || (recorded.chip === null) !== (chip === null)) return 'gone'
      return { pin, chip: chip === null ? null : new ChipData(chip) }
    },
    async forget(account, { chip }) {
      if (chip !== null) await vault.forget(account, chip)
    },
    forgetPin: pins.forget,
    get pinBlocks() {
      return pins.count
    },
  }
}

/** Sets or removes `cardData` of the report; a value from the driver is ignored. */
function withCardData(delivery: TerminalDelivery, recorded: CardDataOnRecord | undefined): TerminalDelivery {
  const reports = delivery.reports.map(report => {
    if (report.type !== 'authorisation_requested') return report
    const { cardData: _, ...rest } = report
    return recorded === undefined ? rest : { ...rest, cardData: recorded }
  })
  return { ...delivery, reports }
}
