// src/services/online/payment-authentication.ts — asks the directory server to authenticate the payer of a payment.

import { onlineAmountOf } from '../../domain/currency.ts'
import type { OnlinePayment } from '../../domain/online/payment.ts'
import type { OnlineCommand } from '../../domain/online/payment-decisions.ts'
import { isStillNeeded } from '../../domain/online/payment-effects.ts'
import type { OnlinePaymentEvent, Submission } from '../../domain/online/payment-events.ts'
import type { AuthenticationReport } from '../../domain/online/three-d-secure.ts'
import type { Performer } from '../../engine/effects.ts'
import type { Engine, Executed } from '../../engine/engine.ts'
import { ONLINE_PAYMENT } from '../../engine/online-machine.ts'
import type { Key } from '../../engine/ports/store.ts'
import type { DirectoryServer, PayerDetails } from '../../engine/ports/three-d-secure.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import { forgetSealed, sealedReport } from '../../engine/sealed-proofs.ts'
import type { OnlineFactsFor } from './payment-facts.ts'

/** Records what the directory server has said. */
export type ReportAuthentication = (
  key: Pick<Key, 'account' | 'id'>,
  report: AuthenticationReport,
  more: {
    /** When the payer returned from the issuer, epoch milliseconds; absent when the payer was not sent there. */
    readonly returnedAt?: number
    readonly effectsDone?: readonly string[]
  },
) => Promise<Executed<OnlinePayment, OnlinePaymentEvent>>

interface ReportParts {
  readonly engine: Engine
  readonly vault: Vault
  readonly factsFor: OnlineFactsFor
}

/** Creates the function. The value of a proof goes into the vault, and out of it again when the report changes nothing. */
export function createAuthenticationReports({ engine, vault, factsFor }: ReportParts): ReportAuthentication {
  return async (key, reported, { returnedAt, effectsDone }) => {
    const report = await sealedReport(vault, key.account, key.id, reported)
    const command: OnlineCommand = {
      type: 'authentication_reports',
      report,
      ...(returnedAt !== undefined && { returnedAt }),
    }
    const options = { ...factsFor(key), ...(effectsDone !== undefined && { effectsDone }) }
    const executed = await engine.execute(ONLINE_PAYMENT, key, command, options)
    const isStored = 'events' in executed && executed.events.some(({ type }) => type === report.type)
    if (!isStored) await forgetSealed(vault, key.account, report)
    return executed
  }
}

export interface LookUpParts {
  readonly engine: Engine
  readonly vault: Vault
  readonly directoryServer: DirectoryServer
  readonly report: ReportAuthentication
}

/** The performer of `payment.look_up`. */
export function lookUpPerformer({ engine, vault, directoryServer, report }: LookUpParts): Performer {
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
            ...(submission.prior !== undefined && { prior: submission.prior }),
            ...{ payer: payerOf(submission), savesCard: submission.saveCard },
          })
    await report(effect, reported, { effectsDone: [effect.effectId] })
    return 'recorded'
  }
}

function payerOf({ emailAddress, billingAddress, shippingDetails }: Submission): PayerDetails {
  const { address: shippingAddress } = shippingDetails ?? {}
  return { emailAddress, billingAddress, ...(shippingAddress !== undefined && { shippingAddress }) }
}
