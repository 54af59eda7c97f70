// test/browser/support/shop-script.ts — script and style of the test shop's page: a merchant's code, and a record of the
// form's callbacks.

/** Reads its configuration from the page, opens the form, and records callbacks in `told`. */
export const SHOP_SCRIPT = `
const { kind, config, info } = JSON.parse(document.body.dataset.shop)
const told = (window.told = [])
const tell = (what, value) => {
  told.push({ what, value })
  document.body.dataset.told = told.map(({ what }) => what).join(' ')
}
const list = document.getElementById('errors')
config.callbacks = {
  onFormComplete: () => tell('complete'),
  onFormFieldValid: field => tell('valid', field),
  onPaymentInitiated: () => tell('initiated'),
  onPaymentCancelled: () => tell('cancelled'),
}
config.onIframeLoaded = () => { tell('loaded'); document.body.dataset.loaded = 'yes' }
config.onIframeLoadFailed = error => { tell('failed', error.message); document.body.dataset.loaded = 'failed' }
const displayErrors = errors => {
  tell('errors', errors)
  list.replaceChildren(...errors.map(error => Object.assign(document.createElement('li'), { textContent: error.message })))
}
const result = document.getElementById('result')
const show = (kind, value) => {
  result.dataset.kind = kind
  result.textContent = JSON.stringify(value)
}
const wallet = kind === 'Wallet'
window.form = wallet
  ? new Connect.Wallet(config, displayErrors, outcome => show('resolved', outcome))
  : new Connect[kind](config, displayErrors, event => { tell('submitted'); pay() }, valid => tell('blur', valid))
window.pay = function pay() {
  return form.executePayment(info).then(outcome => show('resolved', outcome), why => show('rejected', why))
}
const button = document.getElementById('pay-button')
if (button) button.addEventListener('click', () => { result.textContent = ''; pay() })
`

export const SHOP_STYLE = `
body { margin: 0 auto; padding: 1.5rem; max-width: 30rem; font: 1rem/1.5 system-ui, sans-serif; }
#form iframe { width: 100%; }
iframe.threeDs { position: fixed; top: 0; left: 50%; width: 370px; height: 366px; margin: 60px 0 0 -185px;
  background: #fff; box-shadow: 0 1rem 3rem rgb(0 0 0 / 0.4); z-index: 999999; }
button { font: inherit; padding: 0.75rem 1.5rem; background: #0b6e4f; color: #fff; border: 0; border-radius: 0.5rem; }
`
