// test/simulation/mortal.ts — a process that can be killed: after its death nothing it had begun reaches the world, and
// nothing the world answers reaches it.
import type { AccountImages } from '../../src/engine/ports/account-images.ts'
import type { Acquirer } from '../../src/engine/ports/acquirer.ts'
import type { Clock } from '../../src/engine/ports/clock.ts'
import type { Store } from '../../src/engine/ports/store.ts'

export interface Life {
  alive: boolean
}

/** Never settles: what a dead process waits for. */
const never = new Promise<never>(() => {})

/** The same object as seen from inside a process: calls made after its death do nothing, answers come to nobody. */
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

/** `onCommit` is called before each commit and may end the life: then the commit is not written. */
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

/** The acquirer's answers may be lost to a process that dies meanwhile; what it was asked, it has done. */
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
