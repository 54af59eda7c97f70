// src/engine/fault.ts — failures of what the gateway depends on. Faults are thrown; refusals are returned.

const SENTENCES = {
  acquirer_missing: '{detail} cannot be carried out, because no acquirer is registered; no money has moved.',
  card_missing: '{detail} cannot be carried out, because the vault does not have its card; no money has moved.',
  store_busy: '{detail} has more to write than it can take; try again in a second.',
  contention: '{detail} was changed concurrently at every attempt; try again.',
  store_gone: '{detail} has stopped working; restart the gateway.',
  store_unreachable: '{detail} cannot be reached or does not answer; try again in a few seconds.',
  commit_unknown:
    '{detail} has not confirmed a change; whether it was written is unknown, so check before you repeat it.',
  lease_lost: '{detail}: another process performs the effects and timers of this merchant account now.',
  node_unreachable: '{detail} may be connected to another node, which does not answer; try again in a few seconds.',
  path_dangling: '{detail} is a symbolic link to nothing; create what it points to, or remove the link.',
  store_newer: '{detail} was written by a newer Tollgate; start that version, or restore a backup from before it.',
  store_broken:
    '{detail} is damaged or not a Tollgate database; restore it from a backup, or move it away to start afresh.',
  store_unwritable: '{detail} cannot be written; check that its directory belongs to this user and has room.',
  store_locked: '{detail} is in use by another running gateway; stop that one, or choose another data directory.',
  store_unfinished:
    '{detail} is an unfinished copy of another store; run `tollgate store copy` again to finish it, or remove it.',
  store_outdated: '{detail} is too old and may lose writes; install the version in the lock file (`npm ci`).',
  web_missing: '{detail} is missing, so there are no pages for browsers; build them with `npm run build`.',
  vault_key_missing:
    '{detail} must hold the vault key: 32 bytes in base64, one key a line, the current one first; restore it.',
  vault_key_wrong:
    'The vault holds entries under {detail}, which is not among the configured keys; add that key behind the current one.',
} as const

export type FaultCode = keyof typeof SENTENCES

/** Has a code for programs and a sentence for people that says what is wrong and what to do. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode

  /** `detail` names what failed (a file, a version) and replaces `{detail}` in the sentence. */
  constructor(code: FaultCode, options: { readonly cause?: unknown; readonly detail?: string } = {}) {
    super(
      SENTENCES[code].replace('{detail}', () => options.detail ?? 'The store'),
      { cause: options.cause },
    )
    this.code = code
  }
}
