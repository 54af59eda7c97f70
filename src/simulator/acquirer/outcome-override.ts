// src/simulator/acquirer/outcome-override.ts — overrides the acquirer's answer as the card token or online scenario says:
// slow, late, fixed, or lost. The decision is in the ledger all the same.
import type { AcquirerAnswer, AcquirerOrder } from '../../engine/ports/acquirer.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import { type OutcomeOverride, readToken } from '../cards/card-token.ts'
import type { Delays } from '../clocks/delays.ts'
import { declined, type IssuerAnswer } from './issuer.ts'
import { type Ledger, rowOf } from './ledger.ts'
import type { OnlineScripts } from './online-queue.ts'
import type { SlowReversals } from './slow-reversals.ts'

export const UNKNOWN: AcquirerAnswer = { answer: 'unknown' }

/** Serves an order on a plain card. `issuerAnswer`: the issuer's answer to use; null to let the issuer decide. */
export type Serve<Order extends AcquirerOrder> = (order: Order, issuerAnswer: IssuerAnswer | null) => AcquirerAnswer

/** Serves an order with the override of its token (counter) or scenario (online). */
export async function withOverride<Order extends AcquirerOrder>(
  {
    ledger,
    clocks,
    delays,
    scripts,
    reversals,
  }: {
    readonly ledger: Ledger
    readonly clocks: Clocks
    readonly delays: Delays
    readonly scripts: Pick<OnlineScripts, 'of'>
    readonly reversals: Pick<SlowReversals, 'slowDown'>
  },
  order: Order,
  serve: Serve<Order>,
): Promise<AcquirerAnswer> {
  const { card, override: overrideOfToken } = readToken(order.cardToken)
  const override = order.online === undefined ? overrideOfToken : onlineOverride(order, scripts)
  const plain = { ...order, cardToken: card }
  if (override.reversalMs > 0) reversals.slowDown(order.account, order.orderId, override.reversalMs)
  if (override.slowMs > 0 && !(await delays.sleep(order.account, override.slowMs))) return UNKNOWN
  if (override.lateMs > 0 && isUndecided(ledger, plain, clocks.of(order.account).now(), override.lateMs)) return UNKNOWN
  const answer = serve(plain, issuerAnswerOf(override))
  return override.unheard ? UNKNOWN : answer
}

/** Online there is no terminal to put an override into the token: it comes from the payment's scenario. */
function onlineOverride(
  { account, orderId, online }: AcquirerOrder,
  scripts: Pick<OnlineScripts, 'of'>,
): OutcomeOverride {
  const { answer, ...others } = scripts.of(account, orderId)
  // The challenge that the issuer demanded has taken place.
  const isSettled = answer === 'authentication_required' && online?.proof?.challenged === true
  return { ...others, answer: isSettled ? null : answer }
}

/** Records when an order first arrived. It is undecided until `lateMs` after that. */
function isUndecided(ledger: Ledger, order: AcquirerOrder, at: number, lateMs: number): boolean {
  const known = ledger.find(order.account, order.orderId)
  if (known === null) ledger.write([{ ...rowOf(order, 'unseen', at), state: 'undecided' }])
  return known === null || (known.state === 'undecided' && at < known.at + lateMs)
}

function issuerAnswerOf({ answer }: OutcomeOverride): IssuerAnswer | null {
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
