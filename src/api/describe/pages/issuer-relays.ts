// src/api/describe/pages/issuer-relays.ts — renders the pages of ours between the payer's browser and an issuer.
import type { IssuerPost } from '../../../engine/ports/three-d-secure.ts'
import type { Answer } from '../../operation.ts'
import { framedPage, hiddenForm, SEND_FORMS } from './framed.ts'

/** Sends the browser on to the issuer's page for the challenge. @param origin that of the page, which the policy allows */
export function toIssuerPage({ url, fields }: IssuerPost, origin: string): Answer {
  return framedPage({
    title: 'One moment',
    body: `<p role="status">You are sent to your bank.</p>${hiddenForm(url, fields)}`,
    script: SEND_FORMS,
    formOrigin: origin,
  })
}
