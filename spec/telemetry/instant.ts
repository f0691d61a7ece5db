import * as v from 'valibot'
import type { TypeMetadata } from '../core/types.ts'

const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i

/** A day that no month has is moved on by `Date`: written again without its zone, it is another one. */
function isInstant(text: string): boolean {
  const written = form.exec(text)?.[1]?.toUpperCase()
  if (written === undefined || Number.isNaN(Date.parse(text.toUpperCase()))) return false
  // A zone may lead out of the years of four digits, which are all that can be written.
  const inRange = new Date(text.toUpperCase()).toISOString().length === 24
  return inRange && new Date(`${written}Z`).toISOString().startsWith(written)
}

const problem = 'must be a time in the format of RFC 3339, such as 2026-01-05T09:30:00.000Z'

/** A time as a caller gives it, with any zone; what is finer than milliseconds is cut off. */
export const instant = v.pipe(
  v.string(problem),
  v.check(isInstant, problem),
  v.metadata({ scalar: 'DateTime' } satisfies TypeMetadata),
  v.description('A time in the format of RFC 3339, such as `2026-01-05T09:30:00.000Z`.'),
  v.transform((text) => Date.parse(text.toUpperCase())),
)
