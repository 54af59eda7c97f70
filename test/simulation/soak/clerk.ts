// test/simulation/soak/clerk.ts — a clerk at a till.

/** Upper bound of customers that a clerk serves at once. */
export const MOST_AT_ONCE = 3

export interface Clerk {
  /** Continues open transactions, and starts new ones while the shop is `open`. */
  act(open: boolean): Promise<void>
  /** Number of open transactions. */
  readonly underWay: number
}
