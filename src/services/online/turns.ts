// src/services/online/turns.ts — work under one name is done one after the other, in the order in which it came.

export type Turns = <T>(name: string, work: () => Promise<T>) => Promise<T>

export function createTurns(): Turns {
  const latest = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const before = latest.get(name)
    const turn = before === undefined ? work() : before.then(work, work)
    latest.set(name, turn)
    const leave = (): void => {
      if (latest.get(name) === turn) latest.delete(name)
    }
    turn.then(leave, leave)
    return turn
  }
}
