// src/simulator/acquirer/outcome-override.ts — an acquirer that misbehaves in the orders whose card token asks for it: slow, late,
// silent, or unheard. What it has decided is in the ledger all the same.
import type { AcquirerAnswer, AcquirerOrder } from '../../engine/ports/acquirer.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import { type OutcomeOverride, readToken } from '../cards/card-token.ts'
import type { Delays } from '../clocks/delays.ts'
import { declined, type IssuerAnswer } from './issuer.ts'
import { type Ledger, rowOf } from './ledger.ts'
import type { OnlineScripts } from './online-queue.ts'

export const UNKNOWN: AcquirerAnswer = { answer: 'unknown' }

/** Serves an order on a plain card. `asked`: what the issuer is to say; null: what it says by itself. */
export type Serve<Order extends AcquirerOrder> = (order: Order, asked: IssuerAnswer | null) => AcquirerAnswer

/** Serves an order as its token asks. */
export async function withOverride<Order extends AcquirerOrder>(
  {
    ledger,
    clocks,
    delays,
    scripts,
  }: {
    readonly ledger: Ledger
    readonly clocks: Clocks
    readonly delays: Delays
    readonly scripts: Pick<OnlineScripts, 'of'>
  },
  order: Order,
  serve: Serve<Order>,
): Promise<AcquirerAnswer> {
  const { card, override: asTokenSays } = readToken(order.cardToken)
  const override = order.online === undefined ? asTokenSays : onlineOverride(order, scripts)
  const plain = { ...order, cardToken: card }
  if (override.slowMs > 0 && !(await delays.sleep(order.account, override.slowMs))) return UNKNOWN
  if (override.lateMs > 0 && isUndecided(ledger, plain, clocks.of(order.account).now(), override.lateMs)) return UNKNOWN
  const answer = serve(plain, askedFor(override))
  return override.unheard ? UNKNOWN : answer
}

/** Online there is no terminal whose token could ask for it: the account has said it to the simulator. */
function onlineOverride(
  { account, orderId, online }: AcquirerOrder,
  scripts: Pick<OnlineScripts, 'of'>,
): OutcomeOverride {
  const { answer, slowMs, lateMs, unheard } = scripts.of(account, orderId)
  // What the issuer wanted has been done.
  const isSettled = answer === 'authentication_required' && online?.proof?.challenged === true
  return { answer: isSettled ? null : answer, slowMs, lateMs, unheard }
}

/** Notes when an order was first asked; it is decided so much later. */
function isUndecided(ledger: Ledger, order: AcquirerOrder, at: number, lateMs: number): boolean {
  const known = ledger.find(order.account, order.orderId)
  if (known === null) ledger.write([{ ...rowOf(order, 'unseen', at), state: 'undecided' }])
  return known === null || (known.state === 'undecided' && at < known.at + lateMs)
}

function askedFor({ answer }: OutcomeOverride): IssuerAnswer | null {
  switch (answer) {
    case null:
      return null
    case 'approved':
      return { answer: 'approved' }
    case 'nothing':
      return { answer: 'silent' }
    case 'do_not_honour':
    case 'insufficient_funds':
    case 'expired_card':
    case 'lost_or_stolen':
    case 'incorrect_pin':
    case 'refer_to_issuer':
    case 'card_not_supported':
    case 'no_pre_authorisation':
    case 'pre_authorisation_differs':
    case 'security_code_differs':
    case 'authentication_required':
      return declined(answer)
  }
}
