// web/console/phone/qr-modules.ts — the modules of a QR code, as the path of an SVG.
import { encode } from 'uqr'

/** Modules of white around the code, as ISO/IEC 18004 requires. */
const QUIET_ZONE = 4

/** The dark modules, one unit each. `size`: width and height with the quiet zone. */
export function modulesOf(text: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .filter(Boolean)
    .join('')
  return { size, path }
}
