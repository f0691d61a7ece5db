import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * What the audit keeps of a call's arguments: the SHA-256 (hexadecimal) of their canonical JSON (RFC 8785), so that the same
 * arguments have the same hash however they were written. None at all are `{}`.
 *
 * RFC 8785 has no form for half characters (lone surrogates). A call that holds some is recorded too: each counts as U+FFFD, which
 * is what UTF-8 makes of it.
 * @param value as `JSON.parse` gives it, nested however deep
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
    if (!isHalfCharacter(error)) throw error
    return canonicalize(wellFormed(value)) as string
  }
}

const isHalfCharacter = (error: unknown): boolean => error instanceof Error && /surrogate/.test(error.message)

type Container = Record<string, unknown> | unknown[]

/** A copy without half characters. Without recursion: arguments may be nested deeper than the stack. */
function wellFormed(value: unknown): unknown {
  const root: { value?: unknown } = {}
  const open: { from: unknown; to: Container; key: string | number }[] = [{ from: value, to: root, key: 'value' }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { from, to, key } = next
    if (from === null || typeof from !== 'object') {
      put(to, key, typeof from === 'string' ? from.toWellFormed() : from)
      continue
    }
    const copy: Container = Array.isArray(from) ? [] : {}
    put(to, key, copy)
    for (const [name, child] of Object.entries(from)) open.push({ from: child, to: copy, key: name.toWellFormed() })
  }
  return root.value
}

/** `__proto__` is a name like any other. */
function put(to: Container, key: string | number, value: unknown): void {
  Object.defineProperty(to, key, { value, enumerable: true, configurable: true, writable: true })
}
