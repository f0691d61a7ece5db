import type { StreamEntry } from '../../../../spec/core/actor.ts'
import { runEventsMax } from '../../../../spec/runs/runLogs.ts'
import type { TypedViews } from '../../typedViews.ts'
import { headOf, historyGone, isOutput, pagesBack, pagesFrom } from './pages.ts'

export interface ReadEvent {
  /** The sequences of the first and the last piece of the event. */
  readonly sequence: number
  readonly lastSequence: number
  readonly type: string
  /** Undefined if the data alone is larger than the maximum size of the answer. */
  readonly data: unknown
  /** The size of the data as JSON. */
  readonly bytes: number
  readonly at: number
}

export interface ReadEvents {
  readonly events: readonly ReadEvent[]
  /** The sequence of the last entry that was read. */
  readonly last: number
  readonly moreBefore: boolean
  readonly more: boolean
  readonly over: boolean
}

interface Reading {
  readonly views: TypedViews
  readonly name: string
  readonly maxBytes: number
}

const decoder = new TextDecoder()

/** The types whose events are pieces of a text. */
const texts: ReadonlySet<string> = new Set(['MESSAGE', 'THOUGHT'])

const textOf = (data: unknown): string | undefined => {
  const { text, ...others } = (data ?? {}) as { readonly text?: unknown }
  return typeof text === 'string' && Object.keys(others).length === 0 ? text : undefined
}

function eventOf({ sequence, kind: type, data, at }: StreamEntry, maxBytes: number): ReadEvent {
  const fits = data.length <= maxBytes
  const value: unknown = fits ? JSON.parse(decoder.decode(data)) : undefined
  return { sequence, lastSequence: sequence, type, data: value, bytes: data.length, at }
}

/** Joins two events if the second continues the text of the first. */
function joined(before: ReadEvent | undefined, event: ReadEvent): ReadEvent | undefined {
  if (before?.type !== event.type || !texts.has(event.type)) return undefined
  const [first, more] = [textOf(before.data), textOf(event.data)]
  if (first === undefined || more === undefined) return undefined
  const { lastSequence, bytes } = event
  return { ...before, lastSequence, data: { text: first + more }, bytes: before.bytes + bytes }
}

function push(events: ReadEvent[], event: ReadEvent): void {
  const one = joined(events.at(-1), event)
  if (one === undefined) events.push(event)
  else events[events.length - 1] = one
}

export async function eventsAfter({ views, name, maxBytes }: Reading, after: number): Promise<ReadEvents> {
  const events: ReadEvent[] = []
  let [last, room, first, next, ended] = [after, maxBytes, 0, 0, false]
  for await (const page of pagesFrom(views, name, after + 1)) {
    ;({ first, next, ended } = page)
    if (after >= 0 && after + 1 < first) throw historyGone(first)
    for (const entry of page.entries) {
      const event = isOutput(entry) ? eventOf(entry, maxBytes) : undefined
      const cost = event === undefined || event.data === undefined ? 0 : event.bytes
      const isFull = event && events.length === runEventsMax && joined(events.at(-1), event) === undefined
      if (cost > room || isFull) return { events, last, moreBefore: after >= 0 || first > 0, more: true, over: false }
      if (event) push(events, event)
      room -= cost
      last = entry.sequence
    }
  }
  return { events, last, moreBefore: after >= 0 || first > 0, more: false, over: ended && last + 1 >= next }
}

export async function lastEvents({ views, name, maxBytes }: Reading, count: number): Promise<ReadEvents> {
  const head = await headOf(views, name)
  const entries: StreamEntry[] = []
  let [room, whole] = [maxBytes, true]
  let events: ReadEvent[] = []
  for await (const page of pagesBack(views, name, head)) {
    for (const entry of [...page.entries].reverse().filter(isOutput)) {
      const cost = entry.data.length > maxBytes ? 0 : entry.data.length
      whole &&= cost <= room
      if (!whole) break
      room -= cost
      entries.unshift(entry)
    }
    events = []
    for (const entry of entries) push(events, eventOf(entry, maxBytes))
    // One event more than requested: the first event may be the end of a longer message.
    if (!whole || events.length > count) break
  }
  const kept = events.slice(-count)
  const begins = kept[0]?.sequence ?? head.first
  return { events: kept, last: head.next - 1, moreBefore: begins > 0, more: false, over: head.ended }
}
