// src/three-d-secure/emv/receive-result.ts — takes the results of challenges from a directory server. ADR 88.
import { hash } from 'node:crypto'
import type { CardScheme } from '../../domain/card-number.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import { forgetSealed, sealedReport } from '../../engine/sealed-proofs.ts'
import { decode, encode, type Message } from './codec.ts'
import type { AuthenticationJournal, AuthenticationNote, Noted, StoredResult } from './journal.ts'
import { OBJECTIONS, type Objection, objection } from './objection.ts'
import { outcomeOfResult } from './outcome.ts'
import { VERSIONS, type Version } from './versions.ts'

export interface ReceiveParts {
  readonly journal: AuthenticationJournal
  readonly clock: Clock
  readonly log: Log
  readonly vault: Vault
  /** Scheme of the directory server that sends the results. */
  readonly scheme: CardScheme
}

/** The answer to a directory server: JSON, or null when there is nothing to say. */
export type ReceiveResult = (account: MerchantAccountId, body: string) => Promise<string | null>

/** The directory server waits three seconds for us. The ARes of this result may be on its way into the store. */
const ARES_WAIT_MS = 1_000
const LOOK_AGAIN_MS = 100
/** Writes at the same moment: by the ARes, or by the same result twice. */
const MOST_RACES = 5
/** The challenge was never opened: the issuer has not seen a CReq in time. */
const NEVER_OPENED = '05'
const RECEIVED = '01'
const NOT_OPENED = '02'
const MALFORMED_ERRO = /"messageType"\s*:\s*"Erro"/

/** Creates the receiver. A result is stored before it is confirmed, and never replaced by another one. Never rejects. */
export function createResultReceiver({ journal, clock, log, vault, scheme }: ReceiveParts): ReceiveResult {
  /** Waits while the AReq of this result is not answered yet. */
  async function settled(account: MerchantAccountId, id: string): Promise<Noted | null> {
    const until = clock.now() + ARES_WAIT_MS
    for (;;) {
      const noted = await journal.sentAs(account, id)
      if (noted === null || noted.note.phase !== 'sent' || clock.now() >= until) return noted
      await new Promise<void>(resolve => clock.alarm(clock.now() + LOOK_AGAIN_MS, resolve))
    }
  }

  async function receive(account: MerchantAccountId, body: string, rreq: Message<'RReq'>, version: Version) {
    const digest = hash('sha256', body, 'hex')
    for (let race = 0; race < MOST_RACES; race += 1) {
      const noted = await settled(account, rreq.threeDSServerTransID)
      // What another directory server was asked is unknown to this one.
      if (noted?.note.scheme !== scheme) return objection('301', ['threeDSServerTransID'])
      const { note } = noted
      if (note.phase === 'sent') return objection('403', ['threeDSServerTransID'])
      const problem = mismatch(note, rreq, version)
      if (problem !== null) return problem
      if (note.resultDigest === digest) return null
      if (note.phase === 'done') return version === '2.3.1' ? objection('312', []) : objection('305', ['transStatus'])
      if (note.phase !== 'challenged') return objection('305', ['transStatus'])
      const { report, objection: wrong } = outcomeOfResult(rreq, version, { ...ASKED, ...note })
      if (wrong !== null) return wrong
      const result = (await sealedReport(vault, account, note.md, report)) as StoredResult
      if ((await journal.change(noted, { phase: 'done', result, resultDigest: digest })) !== null) return null
      await forgetSealed(vault, account, result)
    }
    return objection('403', ['threeDSServerTransID'])
  }

  return async (account, body) => {
    const decoded = decode(body, { expected: ['RReq', 'Erro'] })
    if ('refused' in decoded) {
      log.warn({ account, code: decoded.refused.code, detail: decoded.refused.detail }, 'result of a challenge refused')
      return MALFORMED_ERRO.test(body) ? null : erroText(decoded.refused, null, HIGHEST)
    }
    const { message, version } = decoded
    if (message.messageType === 'Erro') {
      log.warn({ account, code: message.errorCode }, 'directory server sent an Erro')
      return null
    }
    const problem = await receive(account, body, message, version).catch(error => {
      log.error({ account, error: String(error) }, 'result of a challenge not stored')
      return objection('403', [])
    })
    const { threeDSServerTransID, transStatus } = message
    if (problem !== null) {
      log.warn(
        { account, threeDSServerTransID, code: problem.code, detail: problem.detail },
        'result of a challenge refused',
      )
      return erroText(problem, message, version)
    }
    log.info({ account, threeDSServerTransID, transStatus }, 'result of a challenge received')
    return rresText(message, version)
  }
}

const HIGHEST: Version = VERSIONS[VERSIONS.length - 1] ?? '2.1.0'
/** What every AReq of a payment asks for. */
const ASKED = { deviceChannel: '02', messageCategory: '01', decoupled: false } as const

/** Ids, version and category must be those of the ARes. */
function mismatch(note: AuthenticationNote, rreq: Message<'RReq'>, version: Version): Objection | null {
  const ids = (['threeDSServerTransID', 'acsTransID', 'dsTransID'] as const).filter(
    name => note[name]?.toLowerCase() !== rreq[name].toLowerCase(),
  )
  if (ids.length > 0) return objection('301', ids)
  if (note.version !== version) return objection('203', ['messageVersion'])
  return rreq.messageCategory === ASKED.messageCategory ? null : objection('305', ['messageCategory'])
}

function rresText(rreq: Message<'RReq'>, version: Version): string | null {
  const { threeDSServerTransID, acsTransID, dsTransID, challengeCancel } = rreq
  const resultsStatus = challengeCancel === NEVER_OPENED ? NOT_OPENED : RECEIVED
  const rres = { messageType: 'RRes', threeDSServerTransID, acsTransID, dsTransID, resultsStatus } as const
  const written = encode(rres, version)
  return 'text' in written ? written.text : null
}

function erroText({ code, detail }: Objection, rreq: Message<'RReq'> | null, version: Version): string | null {
  const { threeDSServerTransID, acsTransID, dsTransID } = rreq ?? {}
  const written = encode(
    {
      messageType: 'Erro',
      errorCode: code,
      errorComponent: 'S',
      errorDescription: OBJECTIONS[code],
      errorDetail: detail || OBJECTIONS[code],
      errorMessageType: 'RReq',
      ...(threeDSServerTransID !== undefined && { threeDSServerTransID }),
      ...(acsTransID !== undefined && { acsTransID }),
      ...(dsTransID !== undefined && { dsTransID }),
    },
    version,
  )
  return 'text' in written ? written.text : null
}
