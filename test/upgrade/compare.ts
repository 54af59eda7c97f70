// test/upgrade/compare.ts — finds answers after a take-over that are not as recorded and are not meant to differ.
import { changesIn, isMeant, told } from '../recorded/compare.ts'
import { TAKE_OVER_DIFFERENCES } from '../recorded/differences.ts'
import type { Json } from '../recorded/json.ts'
import type { Answered } from './questions.ts'

/** Every change that is not meant, for people. */
export function unmeantIn(answered: readonly Answered[], recorded: readonly Answered[]): readonly string[] {
  const changes = answered.flatMap((now, index) => {
    const { account, method, path } = now.question
    return changesIn(`${account}: ${method} ${path}`, asJson(recorded[index]), asJson(now))
  })
  const isUnmeant = (change: (typeof changes)[number]) =>
    !TAKE_OVER_DIFFERENCES.some(difference => isMeant(change, difference))
  return changes.filter(isUnmeant).map(told)
}

function asJson(answered: Answered | undefined): Json {
  return (answered ?? null) as unknown as Json
}
