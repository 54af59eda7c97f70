// test/unit/domain/id-types.ts — type checks: an id of another kind must not compile. Nothing here runs.
import type {
  AccessToken,
  MerchantAccountId,
  PaymentId,
  RequestId,
  TableId,
  TerminalId,
} from '../../../src/domain/ids.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { REPORT, TABLE, TERMINAL, TERMINAL_TRANSACTION } from '../../../src/engine/machines.ts'
import { ONLINE_PAYMENT } from '../../../src/engine/online-machine.ts'
import { idOfToken } from '../../../src/services/online/tokens.ts'
import { aTransaction } from '../../support/records.ts'

const account: MerchantAccountId = 'demo'
const requestId: RequestId = 'r1'
const tid: TerminalId = '22160001'
const tableId: TableId = 't1'
const paymentId: PaymentId = 'p1'
const token = 'secret' as AccessToken

/** The type checker tests each line. */
export const reads = (engine: Engine) => [
  engine.read(TERMINAL_TRANSACTION, { account, id: requestId }),
  engine.read(REPORT, { account, id: requestId }),
  engine.read(TERMINAL, { account, id: tid }),
  engine.read(TABLE, { account, id: tableId }),
  engine.read(ONLINE_PAYMENT, { account, id: paymentId }),
  // A plain string, as from a path, a message or a test.
  engine.read(TABLE, { account: 'demo', id: 't1' }),
  // @ts-expect-error The terminal of a transaction is not the transaction.
  engine.read(TERMINAL_TRANSACTION, { account, id: tid }),
  // @ts-expect-error The merchant account does not name a terminal.
  engine.read(TERMINAL, { account, id: account }),
  // @ts-expect-error A request is not a merchant account.
  engine.read(TABLE, { account: requestId, id: tableId }),
  // @ts-expect-error A payment is found by the hash of its token, not by the token.
  engine.read(ONLINE_PAYMENT, { account, id: token }),
  // @ts-expect-error A text is a token once it was read as one.
  idOfToken('secret'),
  // @ts-expect-error A payment online is not a transaction at the counter.
  engine.read(ONLINE_PAYMENT, { account, id: aTransaction().requestId }),
]
