// src/engine/ports/webhook-sender.ts — port: posts webhooks to merchants' servers.

/** Posts webhooks. Failures are outcomes, not rejections. */
export interface WebhookSender {
  post(message: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    /** Time limit of the whole exchange with name resolution, in milliseconds. */
    readonly limitMs: number
  }): Promise<WebhookSendOutcome>
}

/** `refused`: the gateway does not call this address; nothing was sent. */
export type WebhookSendOutcome =
  | { readonly outcome: 'answered'; readonly status: number }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly reason: string }
