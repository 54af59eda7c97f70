// web/frame/google-pay.ts — Google Pay's sheet, opened by Google's own script. Source: Google Pay API for the web, version
// 2.
import { PATHS, post } from './gateway.ts'
import type { GoogleFacts, Price, Sheet, SheetRequest } from './wallet-sheets.ts'

/** Google publishes only the newest version, without a hash. The document's content security policy allows its host. */
const SCRIPT = 'https://pay.google.com/gp/p/js/pay.js'

/** The part of Google's script that is used here. */
interface PaymentsClient {
  isReadyToPay(request: unknown): Promise<{ readonly result: boolean }>
  loadPaymentData(request: unknown): Promise<PaymentData>
}

interface PaymentData {
  readonly email?: string
  readonly shippingAddress?: Address
  readonly paymentMethodData: {
    readonly tokenizationData: { readonly token: string }
    readonly info?: { readonly billingAddress?: Address }
  }
}

type Address = Readonly<Record<string, unknown>>

const VERSION = { apiVersion: 2, apiVersionMinor: 0 }

/** Prepares the sheet; null when Google Pay is not usable, for any reason. */
export async function googlePay(facts: GoogleFacts, price: Price, requested: SheetRequest): Promise<Sheet | null> {
  const { environment, merchantId, merchantName, countryCode } = facts
  try {
    await load(SCRIPT)
    const { google } = window as unknown as {
      readonly google: { payments: { api: { PaymentsClient: new (options: unknown) => PaymentsClient } } }
    }
    const client = new google.payments.api.PaymentsClient({ environment })
    const { result } = await client.isReadyToPay({ ...VERSION, allowedPaymentMethods: [cardMethod(requested)] })
    if (!result) return null
    const request = {
      ...VERSION,
      merchantInfo: { merchantId, merchantName },
      allowedPaymentMethods: [{ ...cardMethod(requested), tokenizationSpecification: facts.tokenization }],
      transactionInfo: {
        totalPriceStatus: 'FINAL',
        totalPrice: price.amount,
        currencyCode: price.currency,
        countryCode,
      },
      emailRequired: requested.emailRequired,
      shippingAddressRequired: requested.shippingAddressRequired,
    }
    return {
      wallet: 'GOOGLE_PAY',
      isTest: environment === 'TEST',
      open: approved => open(client, request, requested, approved),
    }
  } catch {
    return null
  }
}

async function open(
  client: PaymentsClient,
  request: unknown,
  { token }: SheetRequest,
  approved: () => void,
): ReturnType<Sheet['open']> {
  let data: PaymentData
  try {
    data = await client.loadPaymentData(request)
  } catch (error) {
    const { statusCode } = Object(error) as { readonly statusCode?: unknown }
    return { how: statusCode === 'CANCELED' ? 'cancelled' : 'failed' }
  }
  approved()
  const { email, shippingAddress, paymentMethodData } = data
  const billing = paymentMethodData.info?.billingAddress
  const answer = await post(PATHS.googlePay(token), {
    token: paymentMethodData.tokenizationData.token,
    ...(email === undefined ? {} : { email }),
    ...(billing === undefined ? {} : { billingContact: contact(billing) }),
    ...(shippingAddress === undefined ? {} : { shippingContact: contact(shippingAddress) }),
  })
  return { how: 'paid', answer }
}

/** Cards of the accepted schemes, as device tokens or plain numbers. */
function cardMethod({ billingAddressRequired }: SheetRequest) {
  return {
    type: 'CARD',
    parameters: {
      allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
      allowedCardNetworks: ['AMEX', 'DISCOVER', 'MASTERCARD', 'VISA'],
      billingAddressRequired,
      ...(billingAddressRequired ? { billingAddressParameters: { format: 'FULL' } } : {}),
    },
  }
}

/** Google calls it `postalCode`, the gateway `postcode`. */
function contact({ postalCode, ...rest }: Address): Address {
  return { ...rest, postcode: postalCode }
}

function load(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.async = true
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', reject)
    document.head.append(script)
  })
}
