/** JSON in one form for equal values: RFC 8785. */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? 'null'
}

/** SHA-256 (hexadecimal) of the canonical form. */
export function canonicalSha256(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}
