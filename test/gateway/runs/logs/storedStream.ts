import type { StreamEntry } from '../../../../spec/core/actor.ts'
import type { Views } from '../../../../storage/ports/views.ts'

const encoder = new TextEncoder()

/** Views with one stream, which ends with an entry END; `first` is the lowest sequence that is kept. */
export function storedStream(
  entries: readonly (readonly [kind: string, data: string | Uint8Array])[],
  first = 0,
): Views & { readonly entriesRead: number } {
  const stored: StreamEntry[] = entries.map(([kind, data], index) => ({
    sequence: first + index,
    at: 1_763_636_195_000 + index,
    kind,
    data: typeof data === 'string' ? encoder.encode(data) : data,
  }))
  let entriesRead = 0
  const views: Pick<Views, 'stream'> & { readonly entriesRead: number } = {
    get entriesRead() {
      return entriesRead
    },
    stream: async (_name, { after, limit }) => {
      const page = stored.filter(({ sequence }) => sequence > after).slice(0, limit)
      entriesRead += page.length
      return { entries: page, first, next: first + stored.length, ended: stored.at(-1)?.kind === 'END' }
    },
  }
  return views as Views & { readonly entriesRead: number }
}
