// bench/answers-in.ts — minimal parser for HTTP answers. It parses only what the measured servers send, because it shares their
// processors.

const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: *(\d+)/i
/** Position of the status in `HTTP/1.1 200 OK`. */
const STATUS_AT = 9

type OnAnswer = (status: number, text: () => string) => void

/**
 * Returns a function that takes bytes as they arrive. It keeps only incomplete answers.
 * @param onAnswer called with the status of each complete answer; `text` returns the answer
 */
export function answersIn(onAnswer: OnAnswer): (buffer: Buffer, length: number) => void {
  let kept: Buffer | null = null
  return (buffer, length) => {
    const bytes = kept === null ? buffer.subarray(0, length) : Buffer.concat([kept, buffer.subarray(0, length)])
    const end = takeAll(bytes, onAnswer)
    kept = end === bytes.length ? null : Buffer.from(bytes.subarray(end))
  }
}

/** Handles all complete answers; returns the position of their end. */
function takeAll(bytes: Buffer, onAnswer: OnAnswer): number {
  let from = 0
  while (from < bytes.length) {
    const headEnd = bytes.indexOf(HEAD_END, from, 'latin1')
    if (headEnd === -1) break
    // An answer without a length (204, 304) has no body.
    const length = Number(LENGTH.exec(bytes.toString('latin1', from, headEnd))?.[1] ?? 0)
    const start = from
    const end = headEnd + HEAD_END.length + length
    if (end > bytes.length) break
    from = end
    const status = Number(bytes.toString('latin1', start + STATUS_AT, start + STATUS_AT + 3))
    onAnswer(status, () => bytes.toString('latin1', start, end))
  }
  return from
}
