// web/console/phone/qr-code.tsx — a text as a QR code, dark on white in every colour scheme, because cameras expect that.
import { modulesOf } from './qr-modules.ts'

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = modulesOf(text)
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
