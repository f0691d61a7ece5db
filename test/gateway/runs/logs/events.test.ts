/** The messages of a run's coding CLI, read as whole messages in answers of a limited size. */
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventsAfter, lastEvents, type ReadEvents } from '../../../../gateway/operations/runs/logs/events.ts'
import { storedStream } from './storedStream.ts'

const name = 'events'
const said = (text: string) => ['MESSAGE', JSON.stringify({ text })] as const
const call = (id: string) => ['TOOL_CALL', JSON.stringify({ toolCallId: id })] as const
const end = ['END', '{}'] as const

const shown = ({ events }: ReadEvents) =>
  events.map(({ sequence, lastSequence, data }) => [sequence, lastSequence, data])

describe('the events of a run', () => {
  const views = storedStream([said('Good '), said('day.'), call('a'), said('Done'), said('.'), end])

  it('have the pieces of a message joined, and no other events', async () => {
    const read = await eventsAfter({ views, name, maxBytes: 1_000 }, -1)
    deepEqual(shown(read), [
      [0, 1, { text: 'Good day.' }],
      [2, 2, { toolCallId: 'a' }],
      [3, 4, { text: 'Done.' }],
    ])
    deepEqual([read.last, read.moreBefore, read.more, read.over], [5, false, false, true])
  })

  it('do not join messages with thoughts or with content that is not text', async () => {
    const content = ['MESSAGE', '{"content":{"type":"image"}}'] as const
    const mixed = storedStream([said('a'), ['THOUGHT', '{"text":"b"}'], content, content])
    equal((await eventsAfter({ views: mixed, name, maxBytes: 1_000 }, -1)).events.length, 4)
  })

  it('are returned in pages of the requested size, without a gap', async () => {
    const first = await eventsAfter({ views, name, maxBytes: 45 }, -1)
    deepEqual([shown(first), first.last, first.more, first.over], [[[0, 1, { text: 'Good day.' }]], 1, true, false])
    const second = await eventsAfter({ views, name, maxBytes: 1_000 }, first.last)
    deepEqual([shown(second)[0], second.moreBefore, second.over], [[2, 2, { toolCallId: 'a' }], true, true])
  })

  it('have the size instead of the data of an event that is too long', async () => {
    const long = storedStream([call('x'.repeat(2_000)), call('b')])
    const read = await eventsAfter({ views: long, name, maxBytes: 1_000 }, -1)
    deepEqual(
      read.events.map(({ data, bytes }) => [data, bytes]),
      [
        [undefined, 2_017],
        [{ toolCallId: 'b' }, 18],
      ],
    )
  })

  it('can be limited to the last ones, of which the first is complete', async () => {
    const two = await lastEvents({ views, name, maxBytes: 1_000 }, 2)
    deepEqual(shown(two), [
      [2, 2, { toolCallId: 'a' }],
      [3, 4, { text: 'Done.' }],
    ])
    deepEqual([two.last, two.moreBefore, two.over], [5, true, true])
    deepEqual(shown(await lastEvents({ views, name, maxBytes: 1_000 }, 9)).length, 3)
  })

  it('are read from the end only as far as necessary', async () => {
    const many = storedStream(Array.from({ length: 2_000 }, (_, number) => call(String(number))))
    equal((await lastEvents({ views: many, name, maxBytes: 10_000 }, 5)).events.length, 5)
    equal(many.entriesRead < 50, true)
  })

  it('are refused if the events after the position were deleted', async () => {
    const late = storedStream([call('a')], 9)
    await rejects(eventsAfter({ views: late, name, maxBytes: 1_000 }, 3), { code: 'HISTORY_GONE' })
    const kept = await eventsAfter({ views: late, name, maxBytes: 1_000 }, -1)
    deepEqual([kept.events.length, kept.moreBefore], [1, true])
  })

  it('are empty after the retention, and if the coding CLI wrote nothing', async () => {
    const mute = await lastEvents({ views: storedStream([end]), name, maxBytes: 1_000 }, 3)
    deepEqual([mute.events, mute.moreBefore, mute.over], [[], false, true])
    const deleted = await lastEvents({ views: storedStream([], 9), name, maxBytes: 1_000 }, 3)
    deepEqual([deleted.events, deleted.moreBefore], [[], true])
  })

  it('are empty if the run has no coding CLI', async () => {
    const none = storedStream([])
    const reads = [
      await eventsAfter({ views: none, name, maxBytes: 10 }, -1),
      await lastEvents({ views: none, name, maxBytes: 10 }, 3),
    ]
    for (const read of reads) deepEqual([read.events, read.last, read.over], [[], -1, false])
  })
})
