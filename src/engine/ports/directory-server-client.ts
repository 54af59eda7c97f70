// src/engine/ports/directory-server-client.ts — port: posts messages to directory servers over mutual TLS.

export interface DirectoryServerCall {
  /** An https address. */
  readonly url: string
  /** JSON */
  readonly body: string
  readonly tls: MutualTls
  /** Time limit until the TLS handshake is done, in milliseconds. */
  readonly connectMs: number
  /** Time limit from there to the end of the answer, in milliseconds. */
  readonly answerMs: number
  /** Longest answer in bytes, after it is unpacked. */
  readonly longestAnswer: number
}

/** PEM: our certificate and key for this directory server, and the authorities of its own certificate. */
export interface MutualTls {
  readonly certificate: string
  readonly privateKey: string
  readonly authorities: string
}

export type CallFailure =
  /** No connection: name, route, port or handshake in time. Nothing was sent, so another address may be tried. */
  | 'unreachable'
  /** Its certificate is not of the configured authorities, or of another name. Nothing was sent. */
  | 'untrusted'
  /** It refuses our certificate. */
  | 'refused'
  /** The message may have arrived: no whole answer in time. */
  | 'timed_out'
  | 'broken_off'
  | 'too_long'

export type CallOutcome =
  | { readonly status: number; readonly body: string }
  /** `detail` is for operators: an error code or a sentence, never a part of a message. */
  | { readonly failed: CallFailure; readonly detail: string }

export interface DirectoryServerClient {
  /** Never rejects. A call is made once; repetition is for callers. */
  post(call: DirectoryServerCall): Promise<CallOutcome>
}
