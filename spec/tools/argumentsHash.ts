import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** SHA-256 (hexadecimal) of the arguments as canonical JSON (RFC 8785). */
export function hashArguments(given: unknown): string {
  return createHash('sha256')
    .update(canonicalize(given) ?? 'null')
    .digest('hex')
}
