/** Memory, disk space and sizes of files: `12.3 GB`. */
import type { Locale } from '../pages/locales.ts'

const units = [
  { bytes: 1e9, unit: 'gigabyte', maximumFractionDigits: 1 },
  { bytes: 1e6, unit: 'megabyte', maximumFractionDigits: 0 },
  { bytes: 1e3, unit: 'kilobyte', maximumFractionDigits: 0 },
  { bytes: 1, unit: 'byte', unitDisplay: 'long', maximumFractionDigits: 0 },
] as const

/** Creates the formats of a language once, because each takes some time. */
export function bytesFormatOf(locale: Locale): (size: number) => string {
  const formats = units.map(({ bytes, ...options }) => ({
    bytes,
    format: new Intl.NumberFormat(locale, { style: 'unit', ...options }),
  }))
  return (size) => {
    const found = formats.find(({ bytes }) => size >= bytes) ?? formats.at(-1)
    return found === undefined ? '' : found.format.format(size / found.bytes)
  }
}
