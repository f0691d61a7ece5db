/** A QR code, dark on light in every color scheme: many readers do not know inverted ones. */
import { useMemo } from 'preact/hooks'
import { encode } from 'uqr'

/** The light edge that readers need, modules (ISO/IEC 18004). */
const edge = 4

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = useMemo(() => encode(text, { border: edge }), [text])
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
