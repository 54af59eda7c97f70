// test/api/scenario-run.ts — plays a scenario over one transport in one version, and compares the outcome.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { NEWEST_NOTIFICATIONS } from '../../src/domain/counter/notifications.ts'
import { PACE_MS, type Shop } from '../support/shop.ts'
import { type Asked, CODE_OF_BEFORE, type Scenario } from './scenario-table.ts'

/** How a transaction has ended, in the words of the transport's version. */
export interface End {
  readonly result: unknown
  readonly read: string
  readonly amounts: readonly unknown[]
  readonly type: unknown
  readonly userMessage: unknown
  readonly authCode: unknown
}

/** Outcome of a decision or a cancel in its immediate answer; `unsaid` where the version does not say it. */
export type Said = boolean | 'unsaid'

/** One transaction, as a till follows it. */
export interface Followed {
  /** The notifications so far, oldest first. */
  told(): Promise<readonly string[]>
  sign(accepted: boolean): Promise<Said>
  cancel(): Promise<Said>
  /** Null while it runs. */
  end(): Promise<End | null>
}

/** A till on one transport in one version. */
export interface Transport {
  readonly name: string
  /** Older than REST v2 and socket v1. */
  readonly older: boolean
  open(): Promise<{
    readonly shop: Shop
    /** Starts it. A request that this version does not have is started in the newest version and followed in this one. */
    start(asked: Asked, play: string): Promise<Followed>
  }>
}

/** Types that the answers of the older versions know. */
const OLDER_TYPES: ReadonlySet<unknown> = new Set(['SALE', 'REFUND'])

/** Steps of the simulator after which a transaction fails its test: ten minutes. */
const MOST_STEPS = 1_200

/** Plays a scenario and compares everything in its row. */
export async function play(scenario: Scenario, { older, open }: Transport): Promise<void> {
  const { shop, start } = await open()
  if (scenario.settings !== undefined)
    await shop.till.ask('PATCH', '/sandbox/terminals/VCMDEMOSIP0/settings', { body: scenario.settings })
  let authCode = ''
  if (scenario.before !== undefined) {
    const before = await start(scenario.before, 'chip_pin_approved')
    const { authCode: given } = await until(shop, () => before.end())
    authCode = String(given)
  }
  const { asked } = scenario
  const followed = await start(asked.authCode === CODE_OF_BEFORE ? { ...asked, authCode } : asked, scenario.play)
  for (const act of scenario.acts) {
    await until(shop, async () => ((await followed.told()).at(-1) === act.at ? true : null))
    const said = await settled(shop, 'sign' in act ? followed.sign(act.sign) : followed.cancel())
    if (said !== 'unsaid') equal(said, 'sign' in act ? act.taken : act.done)
  }
  const end = await until(shop, () => followed.end())
  compare(scenario, await followed.told(), end, older)
}

function compare(scenario: Scenario, told: readonly string[], end: End, older: boolean): void {
  const { result, read, amounts, userMessage } = scenario
  deepEqual(told, older ? scenario.told.filter(each => !NEWEST_NOTIFICATIONS.has(each)) : scenario.told)
  equal(end.result, result)
  equal(end.read, older ? read.replace(/\/UNKNOWN$/, '/NONE') : read)
  const [base, cashback, gratuity] = amounts
  const total = read.startsWith('UNKNOWN/') ? 0 : base + cashback + gratuity
  deepEqual(end.amounts, [base, cashback, gratuity, total])
  const type = scenario.type === undefined ? scenario.asked.transactionType : (scenario.type ?? undefined)
  equal(end.type, older && !OLDER_TYPES.has(type) ? undefined : type)
  if (older || userMessage === undefined) equal(end.userMessage, undefined)
  else match(String(end.userMessage), userMessage)
}

/** Advances time until there is a value. */
async function until<Found>(shop: Shop, look: () => Promise<Found | null>): Promise<Found> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const found = await look()
    if (found !== null) return found
    await shop.clock.advance(PACE_MS)
  }
  throw new Error('it did not come to that')
}

/** Advances time until the promise is settled. */
async function settled<Answer>(shop: Shop, asked: Promise<Answer>): Promise<Answer> {
  let done = false
  const noted = asked.finally(() => (done = true))
  noted.catch(() => {})
  for (let step = 0; step < MOST_STEPS && !done; step += 1) await shop.clock.advance(step === 0 ? 0 : PACE_MS)
  ok(done, 'nobody answered')
  return noted
}
