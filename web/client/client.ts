// web/client/client.ts — the script on the merchant's page: the global `Connect`, and `Dojo` for pages of the twin client.
// No dependency, no style, no markup but one frame a form: it works under the strictest policy of a page.
import type { FormKind } from '../protocol.ts'
import { type Form, openForm } from './form.ts'
import { callback, record } from './settings.ts'

/** What a page constructs a form with. */
type Given = readonly [config: unknown, displayErrors?: unknown, onSubmitTriggered?: unknown, onBlur?: unknown]

/** A form that is filled in and paid with. */
class CardForm implements Form {
  readonly executePayment: Form['executePayment']
  readonly validate: Form['validate']
  readonly updateAccessToken: Form['updateAccessToken']

  constructor(kind: FormKind, ...[config, displayErrors, onSubmitTriggered, onBlur]: Given) {
    const form = openForm(kind, config, {
      errors: callback(displayErrors),
      submitted: callback(onSubmitTriggered),
      blurred: callback(onBlur),
    })
    this.executePayment = form.executePayment
    this.validate = form.validate
    this.updateAccessToken = form.updateAccessToken
  }
}

/** The full card form. E-commerce 7.1. */
class ConnectE extends CardForm {
  constructor(...given: Given) {
    super('card', ...given)
  }
}

/** The form with a security code only, for a card that is known already. E-commerce 7.13. */
class ConnectERecurringPayment extends CardForm {
  constructor(...given: Given) {
    super('recurring', ...given)
  }
}

/** A wallet's button; nothing where no wallet can be used. E-commerce 7.12. */
class Wallet {
  readonly updateAccessToken: Form['updateAccessToken']

  constructor(config: unknown, displayErrors?: unknown, paymentComplete?: unknown) {
    const form = openForm('wallet', config, {
      errors: callback(displayErrors),
      paid: callback(paymentComplete),
    })
    this.updateAccessToken = form.updateAccessToken
  }
}

/** Click to Pay: how it works is not published, so it shows nothing and says so. E-commerce 7.14, 15 row 30. */
class ClickToPay {
  constructor(config: unknown, displayErrors?: unknown, _paymentComplete?: unknown) {
    const message = 'Click to Pay is not available; please pay by card'
    queueMicrotask(() => {
      callback(displayErrors)([{ errorType: 'clickToPayUnavailable', message }])
      callback(record(config)['onIframeLoadFailed'])(new Error(message))
    })
  }
}

const connect = { ConnectE, ConnectERecurringPayment, Wallet, ClickToPay }
const dojo = { Payment: ConnectE, RecurringPayment: ConnectERecurringPayment, WalletPayment: Wallet }

Object.assign(window, { Connect: connect, Dojo: dojo })
