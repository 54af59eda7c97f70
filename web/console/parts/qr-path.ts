// web/console/parts/qr-path.ts — a QR code as the path of an SVG.
import { encode } from 'uqr'

/** Light modules around the code that the standard demands. */
const BORDER = 4

export interface QrPath {
  /** Modules along a side, with the border. */
  readonly size: number
  /** The dark modules, each a square of 1. */
  readonly dark: string
}

export function qrPathOf(text: string): QrPath {
  const { size, data } = encode(text, { ecc: 'M', border: BORDER })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { size, dark: squares.join('') }
}
