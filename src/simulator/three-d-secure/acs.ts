// src/simulator/three-d-secure/acs.ts — simulated access control servers of the issuers: challenge the payer and decide.

import { accountOfChallenge } from '../../engine/challenge-ids.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import type { SimulatedMemory } from '../memory/memory.ts'
import type { LaneNode } from '../nodes/lane-node.ts'
import { createAuthenticationOverrides } from './authentication-overrides.ts'
import { type Authentication, type ChallengeResult, createAuthentications, proofOf } from './authentications.ts'
import type { ChallengeAnswer, ChallengePages, ChallengeStep, ChallengeView, IssuerPages } from './issuer-pages.ts'

/** Wrong codes after which authentication fails. */
const MOST_TRIES = 3
/** Delay of a late issuer's result to the directory server, milliseconds. */
const LATE_MS = 10_000

export interface AcsParts {
  readonly memory: SimulatedMemory
  readonly clocks: Clocks
}

/** Creates the issuers' pages. A decision is final. */
export function createSimulatedAcs({ memory, clocks }: AcsParts): IssuerPages {
  const authentications = createAuthentications(memory)
  const overrides = createAuthenticationOverrides(memory)

  function find(md: string): Authentication | null {
    const found = authentications.find(md)
    return found?.report.type === 'challenge_requested' ? found : null
  }

  function save(authentication: Authentication): Authentication {
    authentications.write(authentication)
    return authentication
  }

  function decided(authentication: Authentication, result: ChallengeResult): ChallengeStep {
    const delayMs = authentication.fault === 'late' ? LATE_MS : 0
    const knownFrom = clocks.of(authentication.account).now() + delayMs
    const saved = save({ ...authentication, result, resultKnownFrom: knownFrom })
    return { step: 'decided', view: viewOf(saved), times: saved.fault === 'answers_twice' ? 2 : 1 }
  }

  function submit(authentication: Authentication, code: string): ChallengeStep {
    const { password, fault, wrongTries } = authentication
    const right = fault !== 'wrong_code' && (password === null || code.trim() === password)
    if (right) return decided(authentication, { type: 'authenticated', proof: proofOf('Y', authentication, true) })
    const tried = { ...authentication, wrongTries: wrongTries + 1 }
    return tried.wrongTries < MOST_TRIES
      ? { step: 'again', view: viewOf(save(tried)) }
      : decided(tried, { type: 'authentication_failed', status: 'N', reason: 'not_authenticated' })
  }

  return {
    view(md) {
      const found = find(md)
      return found === null ? null : viewOf(found)
    },
    answer(md, answer) {
      const found = find(md)
      if (found === null) return null
      if (found.fault === 'never_answers') return { step: 'unanswered', view: viewOf(found) }
      if (found.result !== null) return { step: 'decided', view: viewOf(found), times: 1 }
      return step(found, answer)
    },
    overrides: account => overrides.list(account),
    setAuthenticationOverrides: (account, wanted) => overrides.set(account, wanted),
  }

  function step(found: Authentication, answer: ChallengeAnswer): ChallengeStep {
    switch (answer.action) {
      case 'submit':
        return submit(found, answer.code)
      case 'resend':
        return { step: 'again', view: viewOf(save({ ...found, codesSent: found.codesSent + 1 })) }
      case 'cancel':
        return decided(found, { type: 'authentication_failed', status: 'N', reason: 'cancelled' })
    }
  }
}

const CALL = 'sandbox-challenge'

/** The pages on any node: the account's own node decides. */
export function createChallengePages(pages: IssuerPages, memory: SimulatedMemory, lane: LaneNode): ChallengePages {
  const authentications = createAuthentications(memory)
  lane.answer(CALL, async about => {
    const { md, answer } = about as { readonly md: string; readonly answer: ChallengeAnswer }
    return pages.answer(md, answer)
  })
  /** Null when the account is here. */
  const elsewhere = (md: string) => {
    const account = accountOfChallenge(md)
    return account === null || lane.isThis(account) ? null : account
  }
  return {
    async view(md) {
      const account = elsewhere(md)
      if (account === null) return pages.view(md)
      const found = await authentications.findAnywhere(account, md)
      return found?.report.type === 'challenge_requested' ? viewOf(found) : null
    },
    async answer(md, answer) {
      const account = elsewhere(md)
      if (account === null) return pages.answer(md, answer)
      return (await lane.ask(account, CALL, { md, answer })) as ChallengeStep | null
    },
  }
}

function viewOf(authentication: Authentication): ChallengeView {
  const { md, version, maskedNumber, amountMinor, currencyCode, password, wrongTries, codesSent, fault } =
    authentication
  return {
    ...{ md, version, maskedNumber, amountMinor, currencyCode, password, wrongTries, codesSent, fault },
    decided: authentication.result !== null,
  }
}
