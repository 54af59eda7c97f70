// src/peers/body-text.ts — reads the body of a request up to a length.

/** The text of a body; null when it is longer, in bytes. @throws Error when the connection breaks */
export async function bodyText(request: AsyncIterable<unknown>, longest: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += (chunk as Buffer).length
    if (length > longest) return null
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
