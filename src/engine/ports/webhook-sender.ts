// src/engine/ports/webhook-sender.ts — posts webhooks to servers of merchants.

/** Carries a message to somebody else's server. */
export interface WebhookSender {
  post(message: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    /** The whole exchange, name resolution included. Milliseconds. */
    readonly limitMs: number
  }): Promise<WebhookSendOutcome>
}

/** `refused`: the address is one that this gateway does not call; nothing was sent. */
export type WebhookSendOutcome =
  | { readonly outcome: 'answered'; readonly status: number }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly reason: string }
