// src/services/online/payment-authentication.ts — asks the directory server to authenticate the payer of a payment.

import { onlineAmountOf } from '../../domain/currency.ts'
import { isStillNeeded } from '../../domain/online/payment-effects.ts'
import type { Submission } from '../../domain/online/payment-events.ts'
import type { AuthenticationReport } from '../../domain/online/three-d-secure.ts'
import type { Performer } from '../../engine/effects.ts'
import type { Engine } from '../../engine/engine.ts'
import { ONLINE_PAYMENT } from '../../engine/online-machine.ts'
import type { Key } from '../../engine/ports/store.ts'
import type { DirectoryServer, PayerDetails } from '../../engine/ports/three-d-secure.ts'
import type { Vault } from '../../engine/ports/vault.ts'

export interface AuthenticationParts {
  readonly engine: Engine
  readonly vault: Vault
  readonly directoryServer: DirectoryServer
  /** Records what the directory server has said. */
  report(
    key: Pick<Key, 'account' | 'id'>,
    reported: AuthenticationReport,
    effectsDone: readonly string[],
  ): Promise<unknown>
}

/** The performer of `payment.look_up`. */
export function lookUpPerformer({ engine, vault, directoryServer, report }: AuthenticationParts): Performer {
  return async effect => {
    const payment = (await engine.read(ONLINE_PAYMENT, effect))?.record
    if (payment === undefined || payment.submission === null || !isStillNeeded('payment.look_up', payment))
      return 'done'
    const { order, submission, mustChallenge } = payment
    const card = await vault.openCard(effect.account, submission.card.vault)
    const { currencyCode: currencyNumeric, orderId } = order
    const reported: AuthenticationReport =
      card === null
        ? { type: 'authentication_failed', status: 'U', reason: 'unavailable' }
        : await directoryServer.lookUp({
            ...{ authenticationId: effect.effectId, account: effect.account, paymentId: effect.id, card },
            ...{ amount: onlineAmountOf(order), currencyNumeric, orderId, mustChallenge },
            ...(submission.browser !== undefined && { browser: submission.browser }),
            ...{ payer: payerOf(submission), savesCard: submission.saveCard },
          })
    await report(effect, reported, [effect.effectId])
    return 'recorded'
  }
}

function payerOf({ emailAddress, billingAddress, shippingDetails }: Submission): PayerDetails {
  const { address: shippingAddress } = shippingDetails ?? {}
  return { emailAddress, billingAddress, ...(shippingAddress !== undefined && { shippingAddress }) }
}
