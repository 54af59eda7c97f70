// web/console/transactions/export-button.tsx — saves what is listed as a CSV file, all pages of it.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { csvOf } from './csv.ts'
import { MOST_ROWS, readAll } from './export.ts'
import type { Source } from './source.ts'

export interface ExportButtonProps<Item> {
  readonly gateway: Gateway
  readonly source: Source<Item>
  readonly query: string
}

export function ExportButton<Item>({ gateway, source, query }: ExportButtonProps<Item>) {
  const [said, setSaid] = useState('')
  const [reading, setReading] = useState<AbortController | null>(null)
  const current = useRef<AbortController | null>(null)
  useEffect(() => () => current.current?.abort(), [])
  const stop = () => {
    current.current?.abort()
    setReading(null)
    setSaid('Stopped. Nothing was saved.')
  }
  const save = async () => {
    const ended = new AbortController()
    current.current = ended
    setReading(ended)
    setSaid('Reading…')
    const { signal } = ended
    const onProgress = (rows: number) => setSaid(`${rows.toLocaleString()} rows read…`)
    const read = await readAll(gateway, source, query, { signal, onProgress }).catch(() => null)
    if (read === null || signal.aborted) return
    setReading(null)
    if ('problem' in read) return setSaid(read.problem)
    const { rows, isCut } = read
    download(`tollgate-${source.field}-${new Date().toISOString().slice(0, 10)}.csv`, csvOf(source.columns, rows))
    const cut = `Only the newest ${MOST_ROWS.toLocaleString()} are in the file: choose a period to save the others.`
    setSaid(isCut ? cut : `${rows.length.toLocaleString()} rows saved.`)
  }
  return (
    <p class="export">
      {reading === null ? (
        <button type="button" onClick={() => void save()}>
          Export as CSV
        </button>
      ) : (
        <button type="button" onClick={stop}>
          Stop the export
        </button>
      )}
      <span role="status" class="quiet">
        {said}
      </span>
    </p>
  )
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
