// web/console/parts/qr-code.tsx — a QR code, black on white in every colour scheme, because cameras read nothing else well.
import { qrPathOf } from './qr-path.ts'

export interface QrCodeProps {
  readonly text: string
  /** What it is, for those who do not see it. */
  readonly name: string
}

export function QrCode({ text, name }: QrCodeProps) {
  const { size, dark } = qrPathOf(text)
  return (
    <svg class="qr" role="img" aria-label={name} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <path class="light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path class="dark" d={dark} />
    </svg>
  )
}
