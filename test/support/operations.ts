// test/support/operations.ts — everything that a gateway in sandbox mode can be asked.
import type { Operation } from '../../src/api/operation.ts'
import { operationsWith } from '../../src/api/operations/index.ts'
import { DEMO_OPERATIONS } from '../../src/demo-shop/operations.ts'
import { SIMULATOR_OPERATIONS } from '../../src/simulator/operations/index.ts'

/** Beside the gateway's own. */
export const SANDBOX_OPERATIONS: readonly Operation[] = [...SIMULATOR_OPERATIONS, ...DEMO_OPERATIONS]

export const ALL_OPERATIONS: readonly Operation[] = operationsWith(SANDBOX_OPERATIONS)
