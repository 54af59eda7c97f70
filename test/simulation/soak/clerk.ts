// test/simulation/soak/clerk.ts — somebody at a till, who takes turns with all others.

/** Customers whom a clerk serves at the same time. */
export const MOST_AT_ONCE = 3

export interface Clerk {
  /** Looks at what is under way, and begins something new while the shop is `open`. */
  act(open: boolean): Promise<void>
  /** How much is under way. */
  readonly underWay: number
}
