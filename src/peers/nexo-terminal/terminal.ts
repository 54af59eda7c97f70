// src/peers/nexo-terminal/terminal.ts — a scripted terminal: one payment at a time, and it remembers how each one ended.

export interface Members {
  readonly [name: string]: unknown
}

export interface Header {
  readonly ServiceID: string
  readonly SaleID: string
  readonly POIID: string
  readonly MessageCategory: string
}

/** What a test tells a terminal to do. Each list is used up from its front; without one it behaves well. */
export interface Script {
  /** How payments end. `wait`: nobody presents a card until `finish`. Default: approved. */
  readonly payments?: readonly (Members | 'wait')[]
  /** What happens to the answers of payments. */
  readonly answers?: readonly PaymentAnswer[]
  /** Answers to questions for a payment, instead of the truth. */
  readonly questions?: readonly ('in_progress' | 'not_found' | 'busy' | 'drop')[]
  /** What the provider's cloud does with payments. */
  readonly cloud?: readonly CloudFault[]
  /** What happens to aborts. `ignore`: accepted, and nothing is done. */
  readonly aborts?: readonly 'ignore'[]
  /** What happens to the answers of reconciliations. */
  readonly reconciliations?: readonly ('drop_before' | 'drop_after')[]
  /** Whether it sends the full card number, which no terminal may. Stays. */
  readonly leaks?: boolean
  /** Its health. Stays. */
  readonly status?: Members
}

export type CloudFault =
  /** It cannot hand the request over, and says so at once. */
  | 'unreachable'
  /** It hands the request over, and gives up waiting for the answer. */
  | 'gave_up'
  /** It says that it gave up, and has never handed the request over. */
  | 'swallowed'
  | 'unauthorised'
  | 'problem'
  | 'http_504'
  | 'none'

export type PaymentAnswer =
  /** The connection breaks before the terminal has read the request. */
  | 'drop_before'
  /** The payment is made, and the answer is lost. */
  | 'drop_after'
  | 'half'
  | 'twice'
  | 'wrong_mac'
  | 'in_clear'
  | 'foreign'
  | 'http_500'
  | 'normal'

export type Reply =
  | { readonly reply: 'message'; readonly body: Members; readonly how: PaymentAnswer }
  | { readonly reply: 'empty' }
  | { readonly reply: 'drop' }

interface Running {
  readonly header: Header
  readonly request: Members
  /** Whether the connection of its till is closed. */
  isLeft: boolean
  end(result: Members): void
}

interface Made {
  readonly header: Header
  readonly response: Members
}

/** What a terminal was asked, for a test to look at. */
export interface Received {
  readonly category: string
  readonly serviceId: string
  /** ServiceID that an abort or a question is about. */
  readonly about: string
  readonly body: Members
}

export interface Terminal {
  readonly received: readonly Received[]
  /** Requests whose tills wait for an answer, because nobody has presented a card yet. */
  readonly held: number
  /** The till has closed the connection of a request. The terminal goes on with it. */
  hungUp(serviceId: string): void
  follow(script: Script): void
  /** What the cloud does with the next payment. */
  cloudFault(): CloudFault
  /** Answers a request. Resolves when there is something to answer. */
  take(header: Header, body: Members): Promise<Reply>
  /** A card is presented, or the shopper leaves. */
  finish(result: Members): void
  /** Loses power: what runs is lost, what has ended is remembered. */
  restart(): void
  /** Forgets all payments. */
  forget(): void
}

const APPROVED: Members = { Result: 'Success', AdditionalResponse: 'AID=A0000000041010&expiryMonth=12&expiryYear=2030' }
const ABORTED: Members = {
  Result: 'Failure',
  ErrorCondition: 'Aborted',
  AdditionalResponse: 'message=104%20Merchant%20cancelled',
}
const HEALTHY: Members = { GlobalStatus: 'OK', PrinterStatus: 'OK' }

export function createTerminal(): Terminal {
  let script: Script = {}
  let running: Running | null = null
  let isLoggedIn = false
  let period = 1000
  let totals = { count: 0, minor: 0 }
  let previous = totals
  let made = 0
  const memory = new Map<string, Made>()
  const received: Received[] = []

  /** Takes the next of a list of the script. */
  function next<Name extends 'payments' | 'answers' | 'questions' | 'cloud' | 'aborts' | 'reconciliations'>(
    name: Name,
  ) {
    const [first, ...rest] = script[name] ?? []
    script = { ...script, [name]: rest }
    return first as NonNullable<Script[Name]>[number] | undefined
  }

  function charge(header: Header, request: Members, outcome: Members): Members {
    made += 1
    const clean = paymentResponse(request, outcome, made)
    const response = script.leaks === true ? leaking(clean) : clean
    memory.set(header.ServiceID, { header: { ...header }, response })
    if (outcome['Result'] !== 'Failure') totals = { count: totals.count + 1, minor: totals.minor + minorOf(request) }
    return response
  }

  async function pay(header: Header, request: Members): Promise<Reply> {
    const how = next('answers') ?? 'normal'
    if (how === 'drop_before') return { reply: 'drop' }
    if (running !== null || memory.has(header.ServiceID)) {
      const serviceId = running?.header.ServiceID ?? header.ServiceID
      return message({ Response: failure('Busy', `serviceId=${serviceId}`) }, how)
    }
    const outcome = next('payments') ?? APPROVED
    const ended = outcome === 'wait' ? await shopper(header, request) : outcome
    if (ended === null) return { reply: 'drop' }
    return message(charge(header, request, ended), how)
  }

  /** Null when the power went. */
  function shopper(header: Header, request: Members): Promise<Members | null> {
    return new Promise(resolve => {
      const end = (result: Members | null) => {
        running = null
        resolve(result)
      }
      running = { header, request, isLeft: false, end }
      lose = () => end(null)
    })
  }
  let lose = (): void => {}

  function status(request: Members): Reply {
    const forced = next('questions')
    if (forced === 'drop') return { reply: 'drop' }
    if (forced !== undefined)
      return message({ Response: failure({ in_progress: 'InProgress', not_found: 'NotFound', busy: 'Busy' }[forced]) })
    const { ServiceID } = (request['MessageReference'] ?? {}) as Partial<Header>
    if (running !== null && (ServiceID === undefined || ServiceID === running.header.ServiceID))
      return message({ Response: failure('InProgress', 'message=Uncompleted%20transaction') })
    const found = ServiceID === undefined ? [...memory.values()].at(-1) : memory.get(ServiceID)
    if (found === undefined) return message({ Response: failure('NotFound') })
    const body = { PaymentResponse: found.response }
    const repeated = { MessageHeader: { ...found.header, MessageType: 'Response' }, RepeatedResponseMessageBody: body }
    return message({ Response: { Result: 'Success' }, RepeatedMessageResponse: repeated })
  }

  function reconcile(request: Members): Reply {
    if (!isLoggedIn) return message({ Response: failure('LoggedOut') })
    if (request['ReconciliationType'] === 'PreviousReconciliation')
      return message({ Response: { Result: 'Success' }, ...totalsOf(previous, Number(request['POIReconciliationID'])) })
    const lost = next('reconciliations')
    if (lost === 'drop_before') return { reply: 'drop' }
    const answer = { Response: { Result: 'Success' }, ...totalsOf(totals, period) }
    previous = totals
    totals = { count: 0, minor: 0 }
    period += 1
    return lost === 'drop_after' ? { reply: 'drop' } : message(answer)
  }

  function abort(request: Members): Reply {
    const { ServiceID } = request['MessageReference'] as Header
    if (next('aborts') !== 'ignore' && running?.header.ServiceID === ServiceID) running.end(ABORTED)
    return { reply: 'empty' }
  }

  function answer(header: Header, body: Members): Reply | Promise<Reply> {
    const request = (body[`${header.MessageCategory}Request`] ?? {}) as Members
    switch (header.MessageCategory) {
      case 'Payment':
        return pay(header, request)
      case 'TransactionStatus':
        return status(request)
      case 'Abort':
        return abort(request)
      case 'Diagnosis':
        return message({ Response: { Result: 'Success' }, POIStatus: script.status ?? HEALTHY })
      case 'Login':
        isLoggedIn = true
        return message({
          Response: { Result: 'Success' },
          POISystemData: { POISoftware: { ApplicationName: 'Scripted' } },
        })
      case 'GetTotals':
        if (!isLoggedIn) return message({ Response: failure('LoggedOut') })
        return message({ Response: { Result: 'Success' }, ...totalsOf(totals, period) })
      case 'Reconciliation':
        return reconcile(request)
      default:
        return message({ Response: failure('UnavailableService') })
    }
  }

  return {
    received,
    get held() {
      return running === null || running.isLeft ? 0 : 1
    },
    hungUp(serviceId) {
      if (running?.header.ServiceID === serviceId) running.isLeft = true
    },
    follow(given) {
      script = { ...script, ...given }
    },
    cloudFault: () => next('cloud') ?? 'none',
    async take(header, body) {
      const request = (body[`${header.MessageCategory}Request`] ?? {}) as Members
      const { ServiceID: about = '' } = (request['MessageReference'] ?? {}) as Partial<Header>
      received.push({ category: header.MessageCategory, serviceId: header.ServiceID, about, body: request })
      return answer(header, body)
    },
    finish(result) {
      running?.end(result)
    },
    restart() {
      lose()
      isLoggedIn = false
    },
    forget() {
      memory.clear()
    },
  }
}

function message(body: Members, how: PaymentAnswer = 'normal'): Reply {
  return { reply: 'message', body, how }
}

function failure(ErrorCondition: string, AdditionalResponse = ''): Members {
  return { Result: 'Failure', ErrorCondition, AdditionalResponse }
}

function amountsOf(request: Members): { readonly Currency: string; readonly RequestedAmount: number } {
  const { AmountsReq } = request['PaymentTransaction'] as { readonly AmountsReq: never }
  return AmountsReq
}

function minorOf(request: Members): number {
  return Math.round(amountsOf(request).RequestedAmount * 100)
}

function totalsOf({ count, minor }: { readonly count: number; readonly minor: number }, period: number): Members {
  const totals = [{ TransactionType: 'Debit', TransactionCount: count, TransactionAmount: minor / 100 }]
  const group = { PaymentInstrumentType: 'Card', CardBrand: 'visa', PaymentCurrency: 'GBP', PaymentTotals: totals }
  return { POIReconciliationID: String(period), TransactionTotals: count === 0 ? [] : [group] }
}

/** As a terminal answers, with the card and the receipts. */
function paymentResponse(request: Members, outcome: Members, number: number): Members {
  const { Currency, RequestedAmount } = amountsOf(request)
  const { SaleTransactionID } = request['SaleData'] as Members
  const approved = outcome['Result'] !== 'Failure'
  const line = (text: string) => ({ Text: text, EndOfLineFlag: true })
  const copyOf = (DocumentQualifier: string) => ({
    ...{ DocumentQualifier, RequiredSignatureFlag: false },
    OutputContent: {
      OutputFormat: 'Text',
      OutputText: [
        line('name=Card&value=**** 1111&key=pan'),
        line(`name=TOTAL&value=${RequestedAmount}&key=totalAmount`),
      ],
    },
  })
  return {
    Response: outcome,
    SaleData: { SaleTransactionID },
    POIData: {
      POITransactionID: {
        TransactionID: `test00155652959${String(number).padStart(4, '0')}.PSP${String(number).padStart(13, '0')}`,
        TimeStamp: '2026-05-06T13:03:27.000Z',
      },
    },
    ...(approved
      ? {
          PaymentResult: {
            AmountsResp: { Currency, AuthorizedAmount: RequestedAmount },
            ...{ OnlineFlag: true, AuthenticationMethod: ['OnlinePIN'] },
            PaymentInstrumentData: {
              PaymentInstrumentType: 'Card',
              CardData: { PaymentBrand: 'visa', MaskedPan: '411111 **** 1111', EntryMode: ['ICC'] },
            },
            PaymentAcquirerData: { ApprovalCode: '654321' },
          },
          PaymentReceipt: [copyOf('CashierReceipt'), copyOf('CustomerReceipt')],
        }
      : {}),
  }
}

/** A card number in every place where one has been seen. */
function leaking(response: Members): Members {
  const number = '4111111111111111'
  const track = [{ TrackNumb: 2, TrackValue: `${number}=30121010000000000000` }]
  const sensitive = { PAN: number, TrackData: track, ExpiryDate: '1230' }
  const card = { PaymentBrand: number, MaskedPan: number, SensitiveCardData: sensitive }
  const text = { OutputFormat: 'Text', OutputText: [{ Text: `name=Card&value=${number}&key=pan` }] }
  const outcome = response['Response'] as Members
  return {
    ...response,
    Response: { ...outcome, AdditionalResponse: `applicationPreferredName=${number}&AID=${number}&authCode=${number}` },
    POIData: { POITransactionID: { TransactionID: number, TimeStamp: number } },
    PaymentResult: {
      ...(response['PaymentResult'] as Members),
      PaymentInstrumentData: { PaymentInstrumentType: 'Card', CardData: card },
      PaymentAcquirerData: { ApprovalCode: number },
    },
    PaymentReceipt: [{ DocumentQualifier: 'CustomerReceipt', OutputContent: text }],
  }
}
