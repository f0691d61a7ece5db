import type { StreamEntry } from '../../spec/core/actor.ts'
import type { Append } from '../ports/streams.ts'

/** The current end of a stream. */
export interface Head {
  readonly first: number
  readonly next: number
  readonly ended: boolean
  /** Whether anything was ever written to it. */
  readonly exists: boolean
}

export const absentHead: Head = Object.freeze({ first: 0, next: 0, ended: false, exists: false })

export type Admission =
  | { readonly type: 'written'; readonly head: Head; readonly entries: readonly StreamEntry[] }
  | { readonly type: 'gap'; readonly next: number }
  | { readonly type: 'ended' }

/** Computes the effect of an append on a stream. Returns the same head if the append has nothing new. */
export function admit(head: Head, append: Append): Admission {
  if (append.sequence > head.next) return { type: 'gap', next: head.next }
  const known = Math.min(head.next - append.sequence, append.entries.length)
  const fresh = append.entries.slice(known)
  const ends = append.end === true && !head.ended
  if (head.ended && fresh.length > 0) return { type: 'ended' }
  // A repeat of what is long written must not end the stream early.
  const reaches = append.sequence + append.entries.length >= head.next
  if (fresh.length === 0 && !(ends && reaches)) return { type: 'written', head, entries: [] }
  const entries = fresh.map(({ kind, data }, index) => ({ sequence: head.next + index, at: append.at, kind, data }))
  return {
    type: 'written',
    head: { first: head.first, next: head.next + fresh.length, ended: head.ended || ends, exists: true },
    entries,
  }
}
