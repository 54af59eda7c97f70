// src/engine/ports/node-link.ts — port: calls between the nodes of one gateway. ADR 70.

/**
 * What became of a call. `not_sent`: it has certainly not been performed. `lost`: it was sent, and whether it was performed is not
 * known, because no answer came in time or the node has failed at it.
 */
export type CallOutcome =
  | { readonly outcome: 'answered'; readonly body: unknown }
  | { readonly outcome: 'not_sent' }
  | { readonly outcome: 'lost' }

/**
 * Performs a call of another node. What it gets is from a node of the same gateway, so its shape is trusted.
 * @param from address of the caller, for a call back
 * @param traceparent the caller's place in a trace; null when the call belongs to none
 */
export type CallHandler = (body: unknown, from: string, traceparent: string | null) => Promise<unknown>

export interface CallOptions {
  /** The caller's place in a trace, as `Tracing` gives it. Default: none. */
  readonly traceparent?: string
}

export interface NodeLink {
  /** Addresses of the other live nodes, as of the last claim of lanes. Empty for a single node. */
  readonly others: readonly string[]
  /** Sets the others. Called at each claim. */
  know(others: readonly string[]): void
  /** Registers the handler of a call. Names are unique. */
  handle(name: string, handler: CallHandler): void
  /**
   * Calls another node. Never rejects.
   * @param body goes as JSON
   * @param limitMs time limit in milliseconds, for the connection and the answer together
   */
  call(address: string, name: string, body: unknown, limitMs: number, options?: CallOptions): Promise<CallOutcome>
}

/** For the only node of a gateway. */
export const NO_LINK: NodeLink = {
  others: [],
  know() {},
  handle() {},
  call: async () => ({ outcome: 'not_sent' }),
}
