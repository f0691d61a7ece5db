/** A property list in XML, of the few kinds of values that a profile has. */
export type PlistValue = string | number | readonly PlistValue[] | { readonly [key: string]: PlistValue }

const head = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
`

export function writePlist(value: PlistValue): string {
  return `${head}<plist version="1.0">${formatElement(value)}</plist>\n`
}

function formatElement(value: PlistValue): string {
  if (typeof value === 'string') return `<string>${escapeText(value)}</string>`
  if (typeof value === 'number') return `<integer>${Math.trunc(value)}</integer>`
  if (isList(value)) return `<array>${value.map(formatElement).join('')}</array>`
  const entries = Object.entries(value).map(([key, one]) => `<key>${escapeText(key)}</key>${formatElement(one)}`)
  return `<dict>${entries.join('')}</dict>`
}

// `Array.isArray` does not narrow readonly arrays.
const isList = (value: PlistValue): value is readonly PlistValue[] => Array.isArray(value)

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
