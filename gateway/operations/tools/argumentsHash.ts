import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * The hash of a call's arguments that the audit stores: the SHA-256 (hexadecimal) of their canonical JSON (RFC 8785). The same
 * arguments have the same hash, independent of their formatting. Omitted arguments count as `{}`.
 *
 * RFC 8785 does not permit lone surrogates. Calls that contain them are recorded too: each counts as U+FFFD, as in UTF-8.
 * @param value a value that `JSON.parse` returned, of any depth
 */
export function hashArguments(value: unknown): string {
  return createHash('sha256')
    .update(canonical(value === undefined ? {} : value))
    .digest('hex')
}

function canonical(value: unknown): string {
  try {
    return canonicalize(value) as string
  } catch (error) {
    if (!isLoneSurrogate(error)) throw error
    return canonicalize(copyWellFormed(value)) as string
  }
}

const isLoneSurrogate = (error: unknown): boolean => error instanceof Error && /surrogate/.test(error.message)

type Container = Record<string, unknown> | unknown[]

/** Copies the value without lone surrogates. It does not recurse: arguments may be nested deeper than the stack permits. */
function copyWellFormed(value: unknown): unknown {
  const root: { value?: unknown } = {}
  const open: { from: unknown; to: Container; key: string | number }[] = [{ from: value, to: root, key: 'value' }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { from, to, key } = next
    if (from === null || typeof from !== 'object') {
      defineField(to, key, typeof from === 'string' ? from.toWellFormed() : from)
      continue
    }
    const copy: Container = Array.isArray(from) ? [] : {}
    defineField(to, key, copy)
    for (const [name, child] of Object.entries(from)) open.push({ from: child, to: copy, key: name.toWellFormed() })
  }
  return root.value
}

/** Defines a property. An assignment to `__proto__` would change the prototype instead. */
function defineField(to: Container, key: string | number, value: unknown): void {
  Object.defineProperty(to, key, { value, enumerable: true, configurable: true, writable: true })
}
