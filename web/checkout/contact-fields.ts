// web/checkout/contact-fields.ts — e-mail, phone and address fields of the dialogue. They are on the merchant's page, which
// posts them; the gateway receives them with the payment.
import { isPayerText, LONGEST_ADDRESS_LINE, LONGEST_CONTACT } from '../../src/domain/online/payer-input.ts'
import { countriesIn } from '../frame/countries.ts'
import type { FormError } from '../protocol.ts'
import type { CheckoutTexts } from './texts.ts'

interface Field {
  readonly name: string
  readonly label: string
  readonly autocomplete: string
  readonly type: 'email' | 'tel' | 'text' | 'country'
  readonly required: boolean
  /** Most characters. */
  readonly longest: number
  /** Target in the argument of `executePayment`. */
  readonly info: 'userEmailAddress' | 'userPhoneNumber' | { readonly address: string }
}

export interface Contact {
  readonly elements: readonly HTMLElement[]
  faults(): readonly FormError[]
  info(): Readonly<Record<string, unknown>>
  postBack(): Readonly<Record<string, string>>
}

export interface ContactOptions {
  readonly email: boolean
  readonly phone: boolean
  readonly address: boolean
  readonly locale: string
  readonly texts: CheckoutTexts
}

/** Builds the fields that the merchant requires. */
export function contactFields(requested: ContactOptions): Contact {
  const { texts } = requested
  const views = fieldsOf(requested).map(field => viewOf(field, requested))
  const values = () => views.map(({ field, input }) => ({ field, value: input.value.trim() }))
  return {
    elements: views.map(({ root }) => root),
    faults: () =>
      views.flatMap(({ field, input }) => {
        const text = input.value.trim()
        const kind = text === '' ? (field.required ? 'Required' : null) : isValid(field, input) ? null : 'Invalid'
        input.setAttribute('aria-invalid', String(kind !== null))
        if (kind === null) return []
        const sentence = kind === 'Required' ? texts.missing : texts.correct
        return [{ errorType: `${field.name}${kind}`, message: `${sentence}: ${field.label}` }]
      }),
    info() {
      const address: Record<string, string> = {}
      const info: Record<string, unknown> = {}
      for (const { field, value } of values()) {
        if (typeof field.info !== 'string') address[field.info.address] = value
        else if (value !== '') info[field.info] = value
      }
      return requested.address ? { ...info, billingAddress: address } : info
    },
    postBack: () => ({
      ...(requested.address ? UNREQUESTED_LINES : {}),
      ...Object.fromEntries(values().map(({ field, value }) => [field.name, value])),
    }),
  }
}

/** Whether the gateway accepts the text, too. The browser checks e-mail addresses. */
function isValid({ longest }: Field, input: HTMLInputElement | HTMLSelectElement): boolean {
  return input.checkValidity() && isPayerText(input.value.trim(), longest)
}

/** Merchants read all four address lines of the posted form. */
const UNREQUESTED_LINES = { connectBillingAddress3: '', connectBillingAddress4: '' }

function fieldsOf({ email, phone, address, texts }: ContactOptions): readonly Field[] {
  const line = (number: number, required: boolean): Field => ({
    name: `connectBillingAddress${number}`,
    label: `${texts.addressLine} ${number}`,
    autocomplete: `billing address-line${number}`,
    type: 'text',
    required,
    longest: LONGEST_ADDRESS_LINE,
    info: { address: `address${number}` },
  })
  const place = (name: string, label: string, autocomplete: string, required: boolean, key: string): Field => ({
    name,
    label,
    autocomplete: `billing ${autocomplete}`,
    type: key === 'countryCode' ? 'country' : 'text',
    required,
    longest: LONGEST_ADDRESS_LINE,
    info: { address: key },
  })
  return [
    ...(email ? [contactField('connectUserEmailAddress', texts.email, 'email', 'userEmailAddress')] : []),
    ...(phone ? [contactField('connectUserPhoneNumber', texts.phone, 'tel', 'userPhoneNumber')] : []),
    ...(address
      ? [
          line(1, true),
          line(2, false),
          place('connectBillingCity', texts.city, 'address-level2', true, 'city'),
          place('connectBillingState', texts.county, 'address-level1', false, 'state'),
          place('connectBillingPostcode', texts.postcode, 'postal-code', true, 'postcode'),
          place('connectBillingCountryCode', texts.country, 'country', true, 'countryCode'),
        ]
      : []),
  ]
}

function contactField(
  name: string,
  label: string,
  type: 'email' | 'tel',
  info: 'userEmailAddress' | 'userPhoneNumber',
): Field {
  return { name, label, autocomplete: type, type, required: true, longest: LONGEST_CONTACT, info }
}

function viewOf(field: Field, { locale }: ContactOptions) {
  const root = document.createElement('label')
  root.className = 'connect-field'
  const label = document.createElement('span')
  label.textContent = field.label
  const input = field.type === 'country' ? countrySelect(locale) : textInput(field)
  input.id = field.name
  input.setAttribute('autocomplete', field.autocomplete)
  input.required = field.required
  root.append(label, input)
  return { field, root, input }
}

function textInput({ type }: Field): HTMLInputElement {
  const input = document.createElement('input')
  input.type = type
  return input
}

function countrySelect(locale: string): HTMLSelectElement {
  const select = document.createElement('select')
  select.append(new Option('', ''), ...countriesIn(locale).map(({ number, name }) => new Option(name, number)))
  return select
}
