// src/services/asking-again.ts — an effect whose acquirer has no answer yet is retried when there is one, not only after its wait. ADR 96.
import type { EffectId } from '../domain/ids.ts'
import type { Engine } from '../engine/engine.ts'
import type { Acquirer } from '../engine/ports/acquirer.ts'
import type { StoredEffect } from '../engine/ports/store.ts'

/**
 * Lets an effect be retried.
 * @param orderId of the order that it waits for
 */
export function askAgain(
  { acquirer, engine }: { readonly acquirer: Acquirer; readonly engine: Pick<Engine, 'hurry'> },
  { account, kind, id }: StoredEffect,
  orderId: EffectId,
): 'again' {
  void acquirer.awaitEnd?.({ orderId, account }).then(() => engine.hurry({ account, kind, id }))
  return 'again'
}
