// bench/answer-reader.ts — finds the end of each answer on a connection. It reads no more of HTTP than servers on this
// machine say, because what it costs is taken from the processor they share.

const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: *(\d+)/i

/**
 * Takes chunks as they come.
 * @param onAnswer hears the status of each answer when it is complete, and can ask for all of its text
 */
export function createAnswerReader(onAnswer: (status: number, text: () => string) => void): (chunk: Buffer) => void {
  let kept: Buffer | null = null
  return chunk => {
    let bytes = kept === null ? chunk : Buffer.concat([kept, chunk])
    kept = null
    while (bytes.length > 0) {
      const length = lengthOf(bytes)
      if (length === null || bytes.length < length) {
        kept = bytes
        return
      }
      const answer = bytes.subarray(0, length)
      bytes = bytes.subarray(length)
      // `HTTP/1.1 200 OK`
      onAnswer(Number(answer.latin1Slice(9, 12)), () => answer.toString())
    }
  }
}

/** Bytes of the first answer with its head, or null when its head is not complete. */
function lengthOf(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf(HEAD_END, 0, 'latin1')
  if (headEnd === -1) return null
  const length = LENGTH.exec(bytes.latin1Slice(0, headEnd))?.[1]
  // 204 and 304 have no body.
  return headEnd + HEAD_END.length + Number(length ?? 0)
}
