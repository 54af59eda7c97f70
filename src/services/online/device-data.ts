// src/services/online/device-data.ts — device data for issuers, before a payment is submitted (the 3DS method). ADR 88.
import type { CardNumber } from '../../domain/card-number.ts'
import type { OnlinePayment } from '../../domain/online/payment.ts'
import { accountOfChallenge } from '../../engine/challenge-ids.ts'
import type { DeviceDataStep, DirectoryServer, IssuerPost } from '../../engine/ports/three-d-secure.ts'

export interface DeviceDataSteps {
  /** Where the browser goes with its device data before the payment is submitted; null when no issuer wants them. */
  deviceData(payment: OnlinePayment, number: CardNumber): Promise<DeviceDataStep | null>
  /** What follows on that step; null when there is none of this token. */
  issuerPost(token: string): Promise<IssuerPost | null>
  /** The issuer has the device data. What is unknown or late changes nothing. */
  deviceDataDone(token: string, said: string): Promise<void>
}

/** Binds the steps to the directory servers. A token names its account, as the `md` of a challenge does. */
export function createDeviceDataSteps(directoryServer: DirectoryServer): DeviceDataSteps {
  return {
    deviceData: ({ merchantAccount: account, id: paymentId }, number) =>
      directoryServer.deviceData({ account, paymentId, number }),
    async issuerPost(token) {
      const account = accountOfChallenge(token)
      return account === null ? null : directoryServer.issuerPost(account, token)
    },
    async deviceDataDone(token, said) {
      const account = accountOfChallenge(token)
      if (account !== null) await directoryServer.deviceDataDone(account, token, said)
    },
  }
}
