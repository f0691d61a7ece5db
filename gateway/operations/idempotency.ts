/** The key and the fingerprint of a request, which are stored for 24 hours to detect repeats. */
import { type Principal, principalName } from '../../spec/core/principal.ts'
import { sha256Hex } from '../auth/tokens.ts'
import type { AskOptions } from '../messages.ts'

/** JSON with the keys of every object in order, so that equal inputs have equal texts. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  )
}

export function idempotencyOf(
  principal: Principal,
  operation: string,
  input: unknown,
): NonNullable<AskOptions['idempotency']> | undefined {
  if (input === null || typeof input !== 'object') return undefined
  const { idempotencyKey, ...rest } = input as Readonly<Record<string, unknown>>
  if (typeof idempotencyKey !== 'string') return undefined
  return {
    key: `${principalName(principal)}|${operation}|${idempotencyKey}`,
    inputHash: sha256Hex(sortedJson(rest)),
  }
}
