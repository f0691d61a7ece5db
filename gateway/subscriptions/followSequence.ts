/** Follows items that have a sequence without gaps: entries of a stream, or transitions of an actor. */
import type { TopicItem } from '../operations/handler.ts'
import type { FollowSink } from './following.ts'

export interface SequencedItem {
  readonly sequence: number
  readonly item: TopicItem
}

export interface SequencedPage {
  /** Items that continue the position. If the position is beyond the end of an ended source: only its last item. */
  readonly items: readonly SequencedItem[]
  /** The position of the next read: that of the last item, or a later one if the items up to it are not kept any more. */
  readonly last: number
  readonly more: boolean
  readonly ended: boolean
}

export interface Sequenced {
  /** The position after which following begins. */
  start(): Promise<number>
  /** `receive(undefined)` is a hint that storage has more items. */
  listen(receive: (items: readonly SequencedItem[] | undefined, ended: boolean) => void): () => void
  read(after: number): Promise<SequencedPage>
  /** The first item may have a gap before it: it is the first that is stored. */
  readonly mayBeginLater: boolean
}

export function followSequence(source: Sequenced, sink: FollowSink): () => void {
  let last = -1
  let began = false
  let stopped = false
  let reading = true
  /** Items arrived while stored items were read, so the read must continue. */
  let more = false

  const stop = (): void => {
    stopped = true
    unlisten()
  }

  const unlisten = source.listen((items, ended) => {
    if (stopped) return
    if (reading) {
      more = true
      return
    }
    for (const { sequence, item } of items ?? []) {
      if (stopped) return
      if (sequence <= last) continue
      if (sequence !== last + 1) {
        void catchUp()
        return
      }
      last = sequence
      void sink.item(item, false)
    }
    if (stopped) return
    if (items === undefined) void catchUp()
    else if (ended && items.at(-1)?.sequence !== last) {
      // The position is beyond the end.
      void catchUp()
    } else if (ended) {
      stop()
      sink.end()
    }
  })

  async function catchUp(): Promise<void> {
    reading = true
    try {
      if (!began) last = await source.start()
      do {
        more = false
        const page = await source.read(last)
        for (const { sequence, item } of page.items) {
          if (stopped) return
          const isBeyondEnd = page.ended && sequence <= last
          if (sequence !== last + 1 && !isBeyondEnd && (began || !source.mayBeginLater))
            throw new Error(`sequence ${sequence} follows ${last}`)
          began = true
          last = sequence
          await sink.item(item, true)
        }
        last = page.last
        if (page.ended && !stopped) {
          stop()
          sink.end()
          return
        }
        more ||= page.more
      } while (more && !stopped)
      began = true
      reading = false
    } catch (error) {
      if (stopped) return
      stop()
      sink.fail(error)
    }
  }

  void catchUp()
  return stop
}
