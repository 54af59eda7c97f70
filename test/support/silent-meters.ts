// test/support/silent-meters.ts — meters that count nothing.
import type { Meters } from '../../src/engine/ports/log.ts'

export const silentMeters: Meters = {
  committed() {},
  effectRetried() {},
  transactionStarted() {},
  transactionFinished() {},
  paymentStarted() {},
  paymentFinished() {},
}
