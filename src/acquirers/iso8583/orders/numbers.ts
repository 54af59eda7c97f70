// src/acquirers/iso8583/orders/numbers.ts — counts audit numbers and reference numbers, durably and over all processes.
import type { Clock } from '../../../engine/ports/clock.ts'
import type { Store } from '../../../engine/ports/store.ts'

export interface Numbers {
  /** The next audit number of an identity, 000001 to 999999, then from the beginning. */
  stan(identity: string): Promise<string>
  /** The next reference number: last digit of the year, day of the year, and eight digits that count. */
  rrn(): Promise<string>
}

const KIND = 'iso8583-number'
/** No merchant account can have this id: hosts tell terminals apart over all accounts. */
const ACCOUNT = '(iso8583)'
const HIGHEST_STAN = 999_999
const HIGHEST_COUNT = 100_000_000
/** Other processes may count at the same moment. More in a row means that the store does not work. */
const MOST_RACES = 50
const DAY_MS = 86_400_000

export function createNumbers(store: Store, clock: Clock): Numbers {
  /** One at a time in this process, so that only processes race. */
  let last: Promise<unknown> = Promise.resolve()

  async function count(id: string): Promise<number> {
    for (let race = 0; race < MOST_RACES; race += 1) {
      const stored = await store.load({ account: ACCOUNT, kind: KIND, id })
      const before = stored === null ? 0 : (JSON.parse(stored.body) as { readonly last: number }).last
      const version = stored?.version ?? 0
      const result = await store.commit({
        ...{ account: ACCOUNT, kind: KIND, id, expectedVersion: version, version: version + 1 },
        ...{ body: JSON.stringify({ last: before + 1 }), parent: '', live: false, lockKey: null, at: clock.now() },
        ...{ events: [], effects: [], effectsDone: [], timers: null, idempotency: null },
      })
      if (result === 'written') return before + 1
    }
    throw new Error(`the counter ${id} was changed by others ${MOST_RACES} times in a row`)
  }

  function next(id: string): Promise<number> {
    const counted = last.then(() => count(id))
    last = counted.catch(() => {})
    return counted
  }

  return {
    async stan(identity) {
      const number = await next(`stan/${identity}`)
      return String(((number - 1) % HIGHEST_STAN) + 1).padStart(6, '0')
    },
    async rrn() {
      const number = await next('rrn')
      const now = clock.now()
      const year = new Date(now).getUTCFullYear()
      const day = Math.floor((now - Date.UTC(year, 0, 1)) / DAY_MS) + 1
      return `${year % 10}${String(day).padStart(3, '0')}${String(number % HIGHEST_COUNT).padStart(8, '0')}`
    },
  }
}
