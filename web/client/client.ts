// web/client/client.ts — script for the merchant's page: defines the global `Connect`, and `Dojo` with other names for the
// same forms. No dependencies, no styles and one frame per form, so it works under a strict content security policy.
import type { FormKind } from '../protocol.ts'
import { type Form, openForm } from './form.ts'
import { callback, record } from './settings.ts'

/** Constructor arguments of a form. */
type Given = readonly [config: unknown, displayErrors?: unknown, onSubmitTriggered?: unknown, onBlur?: unknown]

/** A card form. */
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

/** The full card form. */
class ConnectE extends CardForm {
  constructor(...given: Given) {
    super('card', ...given)
  }
}

/** A form with only the security code, for a stored card. */
class ConnectERecurringPayment extends CardForm {
  constructor(...given: Given) {
    super('recurring', ...given)
  }
}

/** A wallet button. Shows nothing where no wallet is usable. */
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

/** Click to Pay: its protocol is not published, so its button only reports that it is unavailable. */
class ClickToPay {
  constructor(config: unknown, displayErrors?: unknown, _paymentComplete?: unknown) {
    const selector = record(config)['buttonContainerId']
    const button = typeof selector === 'string' ? elementAt(selector) : null
    const message = 'Click to Pay is not available; please pay by card'
    button?.addEventListener('click', () => callback(displayErrors)([{ errorType: 'clickToPayUnavailable', message }]))
  }
}

/** Null for what is not a selector, too. */
function elementAt(selector: string): Element | null {
  try {
    return document.querySelector(selector)
  } catch {
    return null
  }
}

const connect = { ConnectE, ConnectERecurringPayment, Wallet, ClickToPay }
const dojo = { Payment: ConnectE, RecurringPayment: ConnectERecurringPayment, WalletPayment: Wallet }

Object.assign(window, { Connect: connect, Dojo: dojo })
