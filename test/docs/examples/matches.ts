/**
 * Compares an answer with the one that a document shows. Two IDs of one kind are equal, and so are two times, two tokens of one kind, two
 * absolute paths with the same last part, and two hashes of one type (SHA-1, SHA-256). `"…"` matches any value, or the rest of an array or
 * object.
 */
const anything = '…'

const shapes: readonly RegExp[] = [
  /^([a-z]{2,8}_)[0-9a-hjkmnp-tv-z]{26}(?:[:@].*)?$/,
  /^()\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^(svc_|agent_|enroll_)[A-Za-z0-9_-]{3,}…?$/,
  /^()[0-9a-f]{40}$/,
  /^()[0-9a-f]{64}$/,
  /^()[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^\/.*?([^/]+)$/,
]

/** The first difference. Undefined if there is none. */
export function difference(shown: unknown, given: unknown, path = '$'): string | undefined {
  if (shown === anything) return undefined
  if (Array.isArray(shown) && Array.isArray(given)) return differenceOfArrays(shown, given, path)
  if (isMap(shown) && isMap(given)) return differenceOfMaps(shown, given, path)
  if (shown === given || (typeof shown === 'string' && typeof given === 'string' && alike(shown, given)))
    return undefined
  return `${path} is ${JSON.stringify(given)}, and the document shows ${JSON.stringify(shown)}`
}

function alike(shown: string, given: string): boolean {
  return shapes.some((shape) => {
    const left = shape.exec(shown)
    const right = shape.exec(given)
    return left !== null && right !== null && left[1] === right[1]
  })
}

function differenceOfArrays(shown: readonly unknown[], given: readonly unknown[], path: string): string | undefined {
  const open = shown.at(-1) === anything
  const wanted = open ? shown.slice(0, -1) : shown
  if (open ? given.length < wanted.length : given.length !== wanted.length) {
    return `${path} has ${given.length} items, and the document shows ${wanted.length}: ${JSON.stringify(given)}`
  }
  return first(wanted.map((item, index) => difference(item, given[index], `${path}[${index}]`)))
}

type Fields = Readonly<Record<string, unknown>>

function differenceOfMaps(shown: Fields, given: Fields, path: string): string | undefined {
  const { [anything]: rest, ...wanted } = shown
  const missing = Object.keys(wanted).filter((key) => !(key in given))
  const added = rest === undefined ? Object.keys(given).filter((key) => !(key in wanted)) : []
  if (missing.length + added.length > 0) {
    return `${path}: the answer lacks ${missing.join(', ') || 'nothing'} and has ${added.join(', ') || 'nothing'} besides`
  }
  return first(Object.keys(wanted).map((key) => difference(wanted[key], given[key], `${path}.${key}`)))
}

function first(differences: readonly (string | undefined)[]): string | undefined {
  return differences.find((one) => one !== undefined)
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
