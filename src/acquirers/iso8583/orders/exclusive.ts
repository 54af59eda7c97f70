// src/acquirers/iso8583/orders/exclusive.ts — lets work on one order wait for the work on it before.

export type Exclusive = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

/** Work under one name runs one after another, in the order of the calls. */
export function createExclusive(): Exclusive {
  const last = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const begun = (last.get(name) ?? Promise.resolve()).then(work)
    const ended = begun.then(
      () => {},
      () => {},
    )
    last.set(name, ended)
    void ended.then(() => {
      if (last.get(name) === ended) last.delete(name)
    })
    return begun
  }
}
