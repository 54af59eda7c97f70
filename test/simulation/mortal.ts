// test/simulation/mortal.ts — simulates a process that can be killed: afterwards none of its calls has an effect, and no
// answer reaches it.
import type { AccountImages } from '../../src/engine/ports/account-images.ts'
import type { Acquirer } from '../../src/engine/ports/acquirer.ts'
import type { Clock } from '../../src/engine/ports/clock.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'

export interface Life {
  alive: boolean
}

/** Never settles: calls of a killed process. */
const never = new Promise<never>(() => {})

/** The object as a killable process sees it: calls after the kill do nothing, and answers are dropped. */
function withinLife<T extends object>(target: T, life: Life, before: (method: string) => void = () => {}): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name, object)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (!life.alive) return never
        before(String(name))
        if (!life.alive) return never
        const result: unknown = value.apply(object, args)
        return result instanceof Promise ? result.then(answer => (life.alive ? answer : never)) : result
      }
    },
  })
}

/** `onCommit` is called before and after each commit, and may kill the process; a commit killed before is not written. */
export function mortalStore(store: Store, life: Life, onCommit: (when: 'before' | 'after') => void): Store {
  const seen = withinLife(store, life)
  return new Proxy(seen, {
    get(object, name) {
      if (name !== 'commit') return Reflect.get(object, name, object)
      return async (...args: Parameters<Store['commit']>) => {
        if (life.alive) onCommit('before')
        if (!life.alive) return never
        const result = await store.commit(...args)
        if (life.alive) onCommit('after')
        return life.alive ? result : never
      }
    },
  })
}

export function mortalImages(images: AccountImages, life: Life): AccountImages {
  return withinLife(images, life)
}

export function mortalMemory(memory: SimulatedMemory, life: Life): SimulatedMemory {
  return withinLife(memory, life)
}

/** The acquirer performs each order, but a process killed meanwhile does not receive the answer. */
export function mortalAcquirer(acquirer: Acquirer, life: Life): Acquirer {
  return withinLife(acquirer, life)
}

export function mortalClock(clock: Clock, life: Life): Clock {
  return {
    now: () => clock.now(),
    alarm: (at, callback) =>
      clock.alarm(at, () => {
        if (life.alive) callback()
      }),
    onSetBack: listener => clock.onSetBack(ms => life.alive && listener(ms)),
  }
}
