// src/cli/doctor/tls-checks.ts — checks the certificate that a running gateway presents, against its public name.
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls'
import { type Finding, fine, problem, reasonOf, warning } from './finding.ts'

/** Time-out of the handshake, in milliseconds. */
const HANDSHAKE_MS = 3_000
/** A certificate that ends within this time needs attention: two weeks, in milliseconds. */
const WARNED_BEFORE_MS = 14 * 86_400_000

interface Presented {
  readonly certificate: PeerCertificate
  /** Why this machine does not trust it; null when it does. */
  readonly untrusted: string | null
}

/**
 * Connects to the gateway's own address, and asks for the certificate of the public name as clients do.
 * @param publicUrl null when none is set: the name cannot be checked then
 * @param at now, epoch milliseconds
 */
export async function checkTls(listening: string, publicUrl: string | null, at: number): Promise<readonly Finding[]> {
  const address = new URL(listening)
  if (address.protocol !== 'https:') return []
  const name = new URL(publicUrl ?? listening).hostname
  try {
    const { certificate, untrusted } = await presentedBy(address, name)
    const mismatch = publicUrl === null ? undefined : checkServerIdentity(name, certificate)
    if (mismatch !== undefined)
      return [
        problem('TLS', `The certificate is not for ${name} (${certificate.subjectaltname ?? 'it names no host'}).`),
      ]
    const ends = Date.parse(certificate.valid_to)
    if (ends <= at) return [problem('TLS', `The certificate expired on ${certificate.valid_to}; renew it.`)]
    if (ends - at < WARNED_BEFORE_MS)
      return [warning('TLS', `The certificate expires on ${certificate.valid_to}; renew it.`)]
    if (untrusted !== null)
      return [warning('TLS', `This machine does not trust the certificate (${untrusted}); clients need its issuer.`)]
    const whose =
      publicUrl === null ? 'TOLLGATE_PUBLIC_URL is not set, so its name was not checked' : `it is for ${name}`
    return [fine('TLS', `The certificate is valid until ${certificate.valid_to}; ${whose}.`)]
  } catch (error) {
    return [problem('TLS', `The handshake with ${listening} fails (${reasonOf(error)}).`)]
  }
}

function presentedBy({ hostname, port }: URL, name: string): Promise<Presented> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || 443),
      // An address is no name, and must not be sent as one.
      ...(/^[\d.]+$|^\[/.test(name) ? {} : { servername: name }),
      // Judged below, so that each fault gets its own sentence.
      rejectUnauthorized: false,
    })
    socket.setTimeout(HANDSHAKE_MS, () => socket.destroy(new Error('no answer')))
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      const { authorizationError } = socket
      const certificate = socket.getPeerCertificate()
      socket.destroy()
      // The name is checked against the public one, not against the address.
      const untrusted = authorizationError ? String(authorizationError) : null
      resolve({ certificate, untrusted: untrusted === 'ERR_TLS_CERT_ALTNAME_INVALID' ? null : untrusted })
    })
  })
}
