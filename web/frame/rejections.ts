// web/frame/rejections.ts — replaces what the gateway says to developers by what a shopper can do.
import type { Rejection } from '../protocol.ts'
import type { Texts } from './texts.ts'

/** The rejection with a message that a page may show. A 400 is a mistake of the page, whose developer needs the field. */
export function forShopper(rejected: Rejection, texts: Texts): Rejection {
  if (typeof rejected !== 'object' || !('statusCode' in rejected)) return rejected
  const { statusCode } = rejected
  if (statusCode === 400) return rejected
  if (statusCode >= 500) return { statusCode, message: texts.outcomeUnknown }
  return { statusCode, message: statusCode === 401 ? texts.expired : texts.unusable }
}
