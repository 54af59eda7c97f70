// src/demo-shop/order-file.ts — stores the demo shop's orders in one file, which each change replaces.
import { open, readFile, rename } from 'node:fs/promises'

export interface OrderFile {
  /** The last written text; null before the first. */
  read(): Promise<string | null>
  /** Resolves when the text is on disk. A crash leaves this text or the one before. */
  write(text: string): Promise<void>
}

/** A file at `path`, readable by its owner only, created by the first write. */
export function orderFileAt(path: string): OrderFile {
  const draft = `${path}.new`
  let last: Promise<void> = Promise.resolve()

  async function replace(text: string): Promise<void> {
    const file = await open(draft, 'w', 0o600)
    try {
      await file.writeFile(text)
      // Before the rename: otherwise a power failure may leave an empty file under the name.
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  }

  return {
    async read() {
      try {
        return await readFile(path, 'utf8')
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      }
    },
    write(text) {
      // One at a time and in order. A failed write does not stop the next one.
      const written = last.then(() => replace(text))
      last = written.catch(() => {})
      return written
    },
  }
}
