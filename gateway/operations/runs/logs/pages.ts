import type { StreamEntry } from '../../../../spec/core/actor.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { StreamPage } from '../../../../storage/ports/views.ts'
import type { TypedViews } from '../../typedViews.ts'

const fewest = 8
const most = 128

/** Reads from a sequence to the end of the stored entries, in growing pages. */
export async function* pagesFrom(views: TypedViews, name: string, sequence: number): AsyncGenerator<StreamPage> {
  let after = sequence - 1
  for (let limit = fewest; ; limit = Math.min(limit * 2, most)) {
    const page = await views.stream(name, { after, limit })
    yield page
    after = page.entries.at(-1)?.sequence ?? after
    if (page.entries.length < limit) return
  }
}

/** Reads the position of a stream without any entry. */
export async function headOf(views: TypedViews, name: string): Promise<StreamPage> {
  return await views.stream(name, { after: Number.MAX_SAFE_INTEGER, limit: 1 })
}

/** Reads backward from the head. The entries of each page are in their order. */
export async function* pagesBack(views: TypedViews, name: string, head: StreamPage): AsyncGenerator<StreamPage> {
  let end = head.next
  for (let limit = fewest; end > head.first; limit = Math.min(limit * 2, most)) {
    const begin = Math.max(head.first, end - limit)
    const page = await views.stream(name, { after: begin - 1, limit: end - begin })
    yield { ...page, entries: page.entries.filter(({ sequence }) => sequence < end) }
    end = begin
  }
}

export function historyGone(first: number): Failure {
  return new Failure('HISTORY_GONE', 'The entries after this position were deleted. Read again from the start.', {
    details: { first },
  })
}

export const isOutput = ({ kind }: StreamEntry): boolean => kind !== 'END'
