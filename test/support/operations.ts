// test/support/operations.ts — all operations of a gateway in sandbox mode.
import type { Operation } from '../../src/api/operation.ts'
import { operationsWith } from '../../src/api/operations/index.ts'
import { CONSOLE_OPERATIONS } from '../../src/console/operations.ts'
import { DEMO_OPERATIONS } from '../../src/demo-shop/operations.ts'
import { SIMULATOR_OPERATIONS } from '../../src/simulator/operations/index.ts'

/** Operations of simulator and demo shop. */
export const SANDBOX_OPERATIONS: readonly Operation[] = [
  ...SIMULATOR_OPERATIONS,
  ...DEMO_OPERATIONS,
  ...CONSOLE_OPERATIONS,
]

export const ALL_OPERATIONS: readonly Operation[] = operationsWith(SANDBOX_OPERATIONS)
