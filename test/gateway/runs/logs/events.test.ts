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

  it('have the pieces of a message together, and nothing else', async () => {
    const read = await eventsAfter({ views, name, maxBytes: 1_000 }, -1)
    deepEqual(shown(read), [
      [0, 1, { text: 'Good day.' }],
      [2, 2, { toolCallId: 'a' }],
      [3, 4, { text: 'Done.' }],
    ])
    deepEqual([read.last, read.moreBefore, read.more, read.over], [5, false, false, true])
  })

  it('keep thoughts and messages apart, and content that is no text', async () => {
    const content = ['MESSAGE', '{"content":{"type":"image"}}'] as const
    const mixed = storedStream([said('a'), ['THOUGHT', '{"text":"b"}'], content, content])
    equal((await eventsAfter({ views: mixed, name, maxBytes: 1_000 }, -1)).events.length, 4)
  })

  it('come in answers of the size that was asked for, which go on without a gap', async () => {
    const first = await eventsAfter({ views, name, maxBytes: 45 }, -1)
    deepEqual([shown(first), first.last, first.more, first.over], [[[0, 1, { text: 'Good day.' }]], 1, true, false])
    const second = await eventsAfter({ views, name, maxBytes: 1_000 }, first.last)
    deepEqual([shown(second)[0], second.moreBefore, second.over], [[2, 2, { toolCallId: 'a' }], true, true])
  })

  it('say of one that is too long how long it is', async () => {
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

  it('can be the last ones, the first of them whole', async () => {
    const two = await lastEvents({ views, name, maxBytes: 1_000 }, 2)
    deepEqual(shown(two), [
      [2, 2, { toolCallId: 'a' }],
      [3, 4, { text: 'Done.' }],
    ])
    deepEqual([two.last, two.moreBefore, two.over], [5, true, true])
    deepEqual(shown(await lastEvents({ views, name, maxBytes: 1_000 }, 9)).length, 3)
  })

  it('are read from the end as far as they are needed', async () => {
    const many = storedStream(Array.from({ length: 2_000 }, (_, number) => call(String(number))))
    equal((await lastEvents({ views: many, name, maxBytes: 10_000 }, 5)).events.length, 5)
    equal(many.entriesRead < 50, true)
  })

  it('are refused where those that follow are gone', async () => {
    const late = storedStream([call('a')], 9)
    await rejects(eventsAfter({ views: late, name, maxBytes: 1_000 }, 3), { code: 'HISTORY_GONE' })
    const kept = await eventsAfter({ views: late, name, maxBytes: 1_000 }, -1)
    deepEqual([kept.events.length, kept.moreBefore], [1, true])
  })

  it('are none after the retention, and none before them if the coding CLI wrote nothing', async () => {
    const mute = await lastEvents({ views: storedStream([end]), name, maxBytes: 1_000 }, 3)
    deepEqual([mute.events, mute.moreBefore, mute.over], [[], false, true])
    const deleted = await lastEvents({ views: storedStream([], 9), name, maxBytes: 1_000 }, 3)
    deepEqual([deleted.events, deleted.moreBefore], [[], true])
  })

  it('are none where there is no coding CLI', async () => {
    const none = storedStream([])
    const reads = [
      await eventsAfter({ views: none, name, maxBytes: 10 }, -1),
      await lastEvents({ views: none, name, maxBytes: 10 }, 3),
    ]
    for (const read of reads) deepEqual([read.events, read.last, read.over], [[], -1, false])
  })
})
