import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Feed, FeedItem, StreamItem } from '../../storage/ports/feed.ts'
import { newId } from '../kit/runtime/writes.ts'
import { itIn, type OpenDatabase } from './storages.ts'

/** The contract of every `Feed`. */
export function feedContract(name: string, open: OpenDatabase): void {
  // Waits until each process has the other one in its list.
  const it = itIn(open, () => sleep(100))

  describe(`${name}: feed`, () => {
    it('notifies its own process immediately and in order, by actor and by kind', async ({ feed }) => {
      const [run, job] = [newId('run'), newId('job')]
      const heard: string[] = []
      const ends = [
        feed.onActor(run, ({ seq }) => heard.push(`actor ${seq}`)),
        feed.onKind('job', ({ seq }) => heard.push(`job ${seq}`)),
      ]
      feed.publish([item('run', run, 1), item('job', job, 5), item('run', newId('run'), 9), item('run', run, 2)])
      deepEqual(heard, ['actor 1', 'job 5', 'actor 2'])
      for (const end of ends) end()
      feed.publish([item('run', run, 3)])
      equal(heard.length, 3)
    })

    it('notifies its own process of streams, with their entries', async ({ feed }) => {
      const heard: StreamItem[] = []
      feed.onStream('run:log', (one) => heard.push(one))
      const told = {
        stream: 'run:log',
        ended: true,
        entries: [{ sequence: 0, at: 1, kind: 'k', data: new Uint8Array() }],
      }
      feed.publishStream(told)
      feed.publishStream({ stream: 'other', ended: false })
      deepEqual(heard, [told])
    })

    it('lets a listener end its own subscription, and one function have two subscriptions', async ({ feed }) => {
      const run = newId('run')
      let count = 0
      const listener = (): void => {
        count++
      }
      const end = feed.onActor(run, listener)
      feed.onActor(run, listener)
      const once = feed.onActor(run, () => once())
      feed.publish([item('run', run, 1)])
      end()
      end()
      feed.publish([item('run', run, 2)])
      equal(count, 3)
    })

    it('sends hints to the other process, and not back to its own', async (one, two) => {
      const run = newId('run')
      const here: FeedItem[] = []
      const there: FeedItem[] = []
      const streams: StreamItem[] = []
      one.feed.onActor(run, (told) => here.push(told))
      two.feed.onActor(run, (told) => there.push(told))
      two.feed.onStream('s "1"', (told) => streams.push(told))
      await untilKnown(one.feed, two.feed)
      one.feed.publish([item('run', run, 4)])
      one.feed.publishStream({ stream: 's "1"', ended: true })
      await until(() => there.length > 0 && streams.length > 0)
      deepEqual(there, [{ ref: { kind: 'run', id: run }, seq: 4 }])
      deepEqual(streams, [{ stream: 's "1"', ended: true }])
      await sleep(50)
      equal(here.length, 1)
    })

    it('sends hints about a thousand actors at once', async (one, two) => {
      const heard = new Set<string>()
      await untilKnown(one.feed, two.feed)
      two.feed.onKind('run', ({ ref }) => heard.add(ref.id))
      one.feed.publish(Array.from({ length: 1_000 }, () => item('run', newId('run'), 1)))
      await until(() => heard.size === 1_000)
      ok(true)
    })
  })
}

function item(kind: 'run' | 'job', id: string, seq: number): FeedItem {
  return { ref: { kind, id }, seq }
}

/** A process sends no hints to another one until it has it in its list. When that happens, the other one reads again. */
async function untilKnown(from: Feed, to: Feed): Promise<void> {
  const id = newId('job')
  let received = false
  to.onActor(id, () => {
    received = true
  })
  await until(() => {
    if (!received) from.publish([item('job', id, 1)])
    return received
  })
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 400) throw new Error('The condition was not met in time.')
    await sleep(5)
  }
}
