// src/api/describe/pages/issuer-relays.ts — renders the pages of ours between the payer's browser and an issuer.
import type { IssuerPost } from '../../../engine/ports/three-d-secure.ts'
import type { Answer } from '../../operation.ts'
import { framedPage, hiddenForm, SEND_AND_WAIT, SEND_FORMS, SEND_TO_PARENT, SEND_UPWARDS } from './framed.ts'

/** Sends the browser on to the issuer's page for the challenge. @param origin that of the page, which the policy allows */
export function toIssuerPage({ url, fields }: IssuerPost, origin: string): Answer {
  return framedPage({
    title: 'One moment',
    body: `<p role="status">You are sent to your bank.</p>${hiddenForm(url, fields)}`,
    script: SEND_FORMS,
    formOrigin: origin,
  })
}

/** The message between the windows of one step for device data. */
const messageOf = (token: string) => ({ deviceData: token })

const FRAME = 'issuer'

/**
 * Shows the issuer's page for device data in a frame, and waits for it. The policy allows its origin, and those of this gateway, to
 * which it goes on.
 * @param own origin of the public address; the browser may have used another name
 */
export function deviceDataPage(
  { url, fields }: IssuerPost,
  { token, origin, own }: { readonly token: string; readonly origin: string; readonly own: string },
): Answer {
  return framedPage({
    title: 'One moment',
    body: `<iframe name="${FRAME}" title="Device check"></iframe>${hiddenForm(url, fields, FRAME)}`,
    ...{ script: SEND_AND_WAIT, message: messageOf(token), formOrigin: origin },
    frameOrigins: [origin, "'self'", own],
  })
}

/** Where there is no issuer to wait for. */
export function noDeviceDataPage(token: string): Answer {
  return framedPage({ title: 'One moment', body: '', script: SEND_TO_PARENT, message: messageOf(token) })
}

/** What the issuer's page goes on to. */
export function deviceDataDonePage(token: string): Answer {
  return framedPage({ title: 'One moment', body: '', script: SEND_UPWARDS, message: messageOf(token) })
}
