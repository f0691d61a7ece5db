import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { describe } from 'node:test'
import type { Append } from '../../storage/ports/streams.ts'
import type { Storage } from '../../storage/storage.ts'
import { itIn, type OpenDatabase } from './storages.ts'

/** The contract of every `Streams`. */
export function streamsContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: streams`, () => {
    it('returns the appended entries in order', async ({ streams, views }) => {
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
      deepEqual(await streams.append(append('a', 0, [bytes, new Uint8Array()])), { next: 2 })
      deepEqual(await streams.append(append('a', 2, ['last'])), { next: 3 })
      const entries = await streams.read('a', -1, 10)
      deepEqual(
        entries.map(({ sequence, at, kind, data }) => ({ sequence, at, kind, data: [...data] })),
        [
          { sequence: 0, at, kind: 'stdout', data: [...bytes] },
          { sequence: 1, at, kind: 'stdout', data: [] },
          { sequence: 2, at, kind: 'stdout', data: [...Buffer.from('last')] },
        ],
      )
      deepEqual(
        (await streams.read('a', 0, 1)).map(({ sequence }) => sequence),
        [1],
      )
      const page = await views.stream('a', { after: 1, limit: 5 })
      deepEqual([page.first, page.next, page.ended, page.entries.length], [0, 3, false, 1])
    })

    it('finds the entry of a byte of the output', async ({ streams, views }) => {
      await streams.append(append('a', 0, ['one', '', 'three']))
      await streams.append({
        stream: 'a',
        sequence: 3,
        entries: [{ kind: 'END', data: new Uint8Array(9) }],
        at,
        end: true,
      })
      const placeOf = async (position: number) => Object.values(await views.outputPlace('a', position))
      deepEqual(await placeOf(0), [8, 0, 0])
      deepEqual(await placeOf(2), [8, 0, 2])
      deepEqual(await placeOf(3), [8, 2, 0])
      deepEqual(await placeOf(7), [8, 2, 4])
      deepEqual(await placeOf(8), [8, null, 0])
      deepEqual(await views.outputPlace('none', 0), { size: 0, sequence: null, offset: 0 })
    })

    it('is empty for a stream that has no entry', async ({ streams, views }) => {
      const { first, next, ended } = await streams.head('none')
      deepEqual({ first, next, ended }, { first: 0, next: 0, ended: false })
      deepEqual(await streams.read('none', -1, 10), [])
      deepEqual(await views.stream('none', { after: -1, limit: 10 }), { entries: [], first: 0, next: 0, ended: false })
    })

    it('skips appended entries that it already has', async ({ streams }) => {
      await streams.append(append('a', 0, ['0', '1', '2']))
      deepEqual(await streams.append(append('a', 0, ['0', '1'])), { next: 3 })
      deepEqual(await streams.append(append('a', 1, ['1', '2', '3', '4'])), { next: 5 })
      deepEqual(await texts(streams, 'a'), ['0', '1', '2', '3', '4'])
    })

    it('refuses a gap, and returns the next sequence', async ({ streams }) => {
      await rejects(streams.append(append('a', 1, ['1'])), { name: 'StreamGap', next: 0 })
      await streams.append(append('a', 0, ['0']))
      await rejects(streams.append(append('a', 2, ['2'])), { name: 'StreamGap', next: 1 })
      deepEqual(await texts(streams, 'a'), ['0'])
    })

    it('accepts no new entry after the end, but accepts repeats', async ({ streams }) => {
      await streams.append({ ...append('a', 0, ['0', '1']), end: true })
      deepEqual(await streams.append({ ...append('a', 0, ['0', '1']), end: true }), { next: 2 })
      await rejects(streams.append(append('a', 2, ['2'])), { name: 'Failure', code: 'FAILED_PRECONDITION' })
      equal((await streams.head('a')).ended, true)
      deepEqual(await streams.append({ ...append('b', 0, []), end: true }), { next: 0 })
      equal((await streams.head('b')).ended, true)
    })

    it('writes many streams at once, each in its order', async ({ streams }) => {
      const appends = Array.from({ length: 500 }, (_, index) =>
        append(`s${index % 20}`, Math.floor(index / 20), [`${index}`]),
      )
      await Promise.all(appends.map((one) => streams.append(one)))
      for (let stream = 0; stream < 20; stream++) {
        deepEqual(
          await texts(streams, `s${stream}`),
          Array.from({ length: 25 }, (_, index) => String(index * 20 + stream)),
        )
      }
    })

    it('refuses one append of a batch without the others', async ({ streams }) => {
      const results = await Promise.allSettled([
        streams.append(append('a', 0, ['0'])),
        streams.append(append('a', 5, ['5'])),
        streams.append(append('a', 1, ['1'])),
        streams.append(append('b', 0, ['0'])),
      ])
      deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
      )
      deepEqual(await texts(streams, 'a'), ['0', '1'])
    })

    it('lets two processes append to the same streams without a gap or a repeat', async (one, two) => {
      const run = async ({ streams }: Storage, name: string): Promise<number> => {
        let won = 0
        for (let index = 0; index < 60; index++) {
          const { next } = await streams.head('a')
          const entry = `${name}${index}`
          await Promise.all([streams.append(append('b', 0, ['same'])), streams.append(append('a', next, [entry]))])
          if ((await texts(streams, 'a'))[next] === entry) won++
        }
        return won
      }
      const won = await Promise.all([run(one, 'x'), run(two, 'y')])
      const entries = await one.streams.read('a', -1, 1_000)
      deepEqual(
        entries.map(({ sequence }) => sequence),
        entries.map((_, index) => index),
      )
      equal(entries.length, won[0] + won[1])
      ok(entries.length >= 60)
      deepEqual(await texts(one.streams, 'b'), ['same'])
    })
  })
}

const at = 1_763_636_195_000

function append(stream: string, sequence: number, data: readonly (string | Uint8Array)[]): Append {
  const entries = data.map((one) => ({ kind: 'stdout', data: typeof one === 'string' ? Buffer.from(one) : one }))
  return { stream, sequence, at, entries }
}

async function texts(streams: Storage['streams'], stream: string): Promise<readonly string[]> {
  const entries = await streams.read(stream, -1, 1_000)
  return entries.map(({ data }) => Buffer.from(data).toString())
}
