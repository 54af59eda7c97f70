// src/peers/directory-server/issuer.ts — the issuer's pages in the payer's browser: challenge, answer, and collection of device data.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Compile } from 'typebox/schema'
import { bodyText } from '../body-text.ts'
import type { Time } from '../time.ts'
import type { Authentication, Authentications } from './authentications.ts'
import { cres } from './messages.ts'
import { challengePage, leavingPage, type Page, refusedPage } from './pages.ts'
import { type ClientTls, sendResult } from './results.ts'
import { CREQ, type Json, METHOD_DATA } from './schemas.ts'

/** Longest form, in bytes. */
const LONGEST_FORM = 65_536
const CODE = '1234'
const TRIES = 3

export interface IssuerParts {
  readonly authentications: Authentications
  readonly time: Time
  readonly resultTls: ClientTls
  readonly onLine: (line: string) => void
}

const valid = { creq: Compile(CREQ), method: Compile(METHOD_DATA) }

/** Answers a request of a browser. */
export async function serveBrowser(
  request: IncomingMessage,
  response: ServerResponse,
  parts: IssuerParts,
): Promise<void> {
  const text = request.method === 'POST' ? await bodyText(request, LONGEST_FORM) : null
  if (text === null) return send(response, refusedPage('A browser comes here with a form.'), 400)
  const form = new URLSearchParams(text)
  switch (request.url) {
    case '/challenge':
      return send(response, challenged(form, parts))
    case '/answer':
      return answered(form, response, parts)
    case '/method':
      return send(response, collected(form))
    default:
      return send(response, refusedPage('There is no such page.'), 404)
  }
}

function challenged(form: URLSearchParams, { authentications, onLine }: IssuerParts): Page {
  const creq = decoded(form.get('creq'))
  if (!valid.creq.Check(creq)) return refusedPage('The challenge request (creq) is not in order.')
  const { acsTransID, threeDSServerTransID, messageVersion } = creq as Json
  const authentication = authentications.of(String(acsTransID))
  if (authentication === undefined || authentication.areq['threeDSServerTransID'] !== threeDSServerTransID)
    return refusedPage('No such challenge is known.')
  if (authentication.areq['messageVersion'] !== messageVersion)
    return refusedPage('The challenge request is of another version.')
  if (authentication.challenge !== 'waiting') return refusedPage('This challenge is over.')
  onLine(`browser <- challenge ${authentication.acsTransId}`)
  return asked(authentication, form.get('threeDSSessionData') ?? '', false)
}

function asked(authentication: Authentication, sessionData: string, isWrong: boolean): Page {
  const { areq, acsTransId, behaviour } = authentication
  const { purchaseAmount, purchaseExponent, purchaseCurrency } = areq
  return challengePage({
    ...{ acsTransId, sessionData, isWrong },
    merchantName: String(areq['merchantName']),
    amount: `${decimal(String(purchaseAmount), Number(purchaseExponent))} ${currencyName(String(purchaseCurrency))}`,
    ending: String(areq['acctNumber']).slice(-4),
    returnsTo: String(areq['notificationURL']),
    canBeFramed: behaviour.pageFault !== 'refuses_framing',
  })
}

/** An amount of up to 48 digits, with a decimal point. */
function decimal(digits: string, exponent: number): string {
  const padded = digits.padStart(exponent + 1, '0')
  return exponent === 0 ? padded : `${padded.slice(0, -exponent)}.${padded.slice(-exponent)}`
}

/** Letters of the usual currencies; of others the number. */
function currencyName(numeric: string): string {
  return { '826': 'GBP', '840': 'USD', '978': 'EUR' }[numeric] ?? `(currency ${numeric})`
}

async function answered(form: URLSearchParams, response: ServerResponse, parts: IssuerParts): Promise<void> {
  const authentication = parts.authentications.of(form.get('acsTransID') ?? '')
  if (authentication?.challenge !== 'waiting') return send(response, refusedPage('This challenge is over.'))
  const { areq, behaviour } = authentication
  const sessionData = form.get('threeDSSessionData') ?? ''
  const isRight = form.get('code')?.trim() === CODE && behaviour.pageFault !== 'wrong_code'
  if (form.has('cancel')) authentication.challenge = 'cancelled'
  else if (behaviour.pageFault === 'never_answers') return
  else if (isRight) authentication.challenge = 'passed'
  else {
    authentication.wrongCodes += 1
    if (authentication.wrongCodes < TRIES) return send(response, asked(authentication, sessionData, true))
    authentication.challenge = 'failed'
  }
  parts.onLine(`browser <- answer ${authentication.acsTransId}: ${authentication.challenge}`)
  await resulted(authentication, parts)
  const fields = { cres: encoded(cres(authentication)), ...(sessionData && { threeDSSessionData: sessionData }) }
  send(response, leavingPage(String(areq['notificationURL']), fields, behaviour.pageFault === 'answers_twice'))
}

/** The result goes to the 3DS Server before the payer comes back, unless a scenario says otherwise. */
async function resulted(authentication: Authentication, { time, resultTls, onLine }: IssuerParts): Promise<void> {
  const { behaviour, acsTransId } = authentication
  const { faults, pageFault } = behaviour
  if (faults.has('result_lost')) return
  const sent = async (): Promise<void> => {
    for (let times = faults.has('result_twice') ? 2 : 1; times > 0; times -= 1)
      onLine(`-> RReq ${acsTransId}: ${await sendResult(authentication, resultTls)}`)
  }
  const lateMs = faults.get('result_late') ?? (pageFault === 'late' ? 10_000 : 0)
  if (lateMs === 0) await sent()
  else time.alarm(time.now() + lateMs, () => void sent())
}

/** Takes the browser back at once: there is nothing that a simulated issuer would like to know of a device. */
function collected(form: URLSearchParams): Page {
  const data = decoded(form.get('threeDSMethodData'))
  if (!valid.method.Check(data)) return refusedPage('The data (threeDSMethodData) are not in order.')
  const { threeDSServerTransID, threeDSMethodNotificationURL } = data as Json
  return leavingPage(String(threeDSMethodNotificationURL), { threeDSMethodData: encoded({ threeDSServerTransID }) })
}

function send(response: ServerResponse, { html, policy }: Page, status = 200): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
    })
    .end(html)
}

function encoded(message: Json): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url')
}

function decoded(text: string | null): unknown {
  try {
    return JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
