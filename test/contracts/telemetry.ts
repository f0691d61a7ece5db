import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe } from 'node:test'
import type { StoredTelemetry, TelemetryQuery, TelemetryRecord } from '../../spec/telemetry/record.ts'
import type { Storage } from '../../storage/storage.ts'
import { itIn, type OpenDatabase } from './storages.ts'

/** The contract of every `Telemetry`. */
export function telemetryContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: telemetry`, () => {
    it('returns the stored records, newest first', async ({ telemetry }) => {
      const whole = record(1, {
        recordId: 'r-1',
        severityText: 'エラー',
        severityNumber: 17,
        eventName: 'e',
        body: { text: 'a "quoted" \\ back\nline\u001e\u001f\u0001', list: [1, 2.5, null, true, ''] },
        attributes: { 'http.status': 500, constructor: 'x', nested: { deep: [{}] } },
        resource: { service: 'shop' },
        traceId: 'a'.repeat(32),
        spanId: 'b'.repeat(16),
        sessionId: '日本語',
      })
      deepEqual(await telemetry.append([record(0, { body: '' }), whole]), { kept: 2, duplicates: 0 })
      deepEqual(await telemetry.append([record(2, { body: '"text that is JSON"' })]), { kept: 1, duplicates: 0 })
      const found = await all(telemetry, { kind: 'CONSOLE_LOG' })
      deepEqual(found.map(withoutNumber), [record(2, { body: '"text that is JSON"' }), whole, record(0, { body: '' })])
      const numbers = found.map(({ number }) => number)
      equal(new Set(numbers).size, 3)
    })

    it('keeps one record of each record ID, in one append, in two appends and in two processes', async (one, two) => {
      const named = (recordId: string, body: string) => record(0, { recordId, body })
      deepEqual(await one.telemetry.append([named('a', 'first'), named('a', 'second'), named('b', 'b')]), {
        kept: 2,
        duplicates: 1,
      })
      deepEqual(await two.telemetry.append([named('a', 'third'), named('c', 'c'), record(0, { body: 'no name' })]), {
        kept: 2,
        duplicates: 1,
      })
      // Record IDs of another kind are separate.
      const event = record(0, { kind: 'ANALYTICS_EVENT', recordId: 'a', eventName: 'e' })
      deepEqual(await two.telemetry.append([event]), { kept: 1, duplicates: 0 })
      deepEqual((await all(one.telemetry, { kind: 'CONSOLE_LOG' })).map(({ body }) => body).sort(), [
        'b',
        'c',
        'first',
        'no name',
      ])
    })

    it('keeps one record of each record ID, if 64 appends send it to two processes at once', async (one, two) => {
      const kept = await Promise.all(
        Array.from({ length: 64 }, (_, index) => {
          const own = ['x', 'y', 'z'].map((recordId) => record(index, { recordId }))
          const { telemetry } = index % 2 === 0 ? one : two
          return telemetry.append(index % 3 === 0 ? own.reverse() : own)
        }),
      )
      equal(
        kept.reduce((sum, { kept: count }) => sum + count, 0),
        3,
      )
      equal(
        kept.reduce((sum, { duplicates }) => sum + duplicates, 0),
        64 * 3 - 3,
      )
      equal((await all(one.telemetry, { kind: 'CONSOLE_LOG' })).length, 3)
    })

    it('keeps record IDs for seven days', async ({ telemetry, housekeeping }) => {
      const keep = { journalDays: 90, streamDays: 90, telemetryDays: 90, toolCallDays: 90 }
      await telemetry.append([record(0, { recordId: 'a' })])
      await housekeeping(at + 7 * dayMs, keep)
      equal((await telemetry.append([record(1, { recordId: 'a' })])).kept, 0)
      await housekeeping(at + 7 * dayMs + 1, keep)
      equal((await telemetry.append([record(2, { recordId: 'a' })])).kept, 1)
    })

    it('lists records of the same time in one order, page by page', async (one, two) => {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (index % 2 === 0 ? one : two).telemetry.append([record(index % 3, { body: `${index}` })]),
        ),
      )
      const whole = await all(one.telemetry, { kind: 'CONSOLE_LOG' })
      equal(whole.length, 50)
      const pages: StoredTelemetry[] = []
      for (;;) {
        const page = await two.telemetry.read({ kind: 'CONSOLE_LOG' }, pages.at(-1), 7)
        pages.push(...page)
        if (page.length < 7) break
      }
      deepEqual(pages, whole)
    })

    const stored = [
      record(0, { body: '100% sure_thing', severityNumber: 9, sessionId: 's1' }),
      record(1, { body: '100 percent', severityNumber: 17, sessionId: 's2', traceId: 'c'.repeat(32) }),
      record(2, { body: { message: '接続に失敗しました' }, severityNumber: 13, sessionId: 's1' }),
      record(3, { body: 'no severity', eventName: 'Checkout' }),
      record(4, { kind: 'ANALYTICS_EVENT', body: '100%', sessionId: 's1', eventName: 'Checkout' }),
    ]
    const questions: readonly [words: string, query: Partial<TelemetryQuery>, found: readonly number[]][] = [
      ['everything of a kind', {}, [3, 2, 1, 0]],
      ['the other kind', { kind: 'ANALYTICS_EVENT' }, [4]],
      ['from a time, inclusive', { from: at + 2 }, [3, 2]],
      ['to a time, exclusive', { to: at + 2 }, [1, 0]],
      ['a severity and above', { severityMin: 13 }, [2, 1]],
      ['a session', { sessionId: 's1' }, [2, 0]],
      ['a trace', { traceId: 'c'.repeat(32) }, [1]],
      ['an event', { eventName: 'Checkout' }, [3]],
      ['a text in any case', { text: 'PERCENT' }, [1]],
      ['a text in the name of an event', { text: 'check' }, [3]],
      ['a text within JSON', { text: '失敗' }, [2]],
      ['characters with a meaning in LIKE', { text: '0% sure_' }, [0]],
      ['a back-slash', { text: '\\' }, []],
      ['all at once', { sessionId: 's1', severityMin: 10, text: '失敗', from: at, to: at + 3 }, [2]],
    ]
    it('finds the records that match a query', async ({ telemetry }) => {
      await telemetry.append(stored)
      for (const [words, query, expected] of questions) {
        const found = await all(telemetry, { kind: 'CONSOLE_LOG', ...query })
        deepEqual(
          found.map(({ observedTimestamp }) => observedTimestamp - at),
          expected,
          words,
        )
      }
    })

    it('gives each record once to a reader that follows two writing processes', async (one, two) => {
      const start = await one.telemetry.streamEnd()
      const writing = Promise.all(
        [one, two].map(async ({ telemetry }, writer) => {
          for (let round = 0; round < 40; round++) {
            const own = Array.from({ length: 1 + (round % 4) }, (_, n) =>
              record(0, { body: `${writer} ${round} ${n}` }),
            )
            const kind = round % 5 === 0 ? 'ANALYTICS_EVENT' : 'CONSOLE_LOG'
            await telemetry.append(own.map((each) => ({ ...each, kind })))
          }
        }),
      )
      const seen: StoredTelemetry[] = []
      let position = start
      let hasWritten = false
      void writing.then(() => {
        hasWritten = true
      })
      for (let isLast = false; !isLast; ) {
        isLast = hasWritten
        const page = await two.telemetry.readAfter('CONSOLE_LOG', position, 7)
        seen.push(...page.records.map(({ record: each }) => each))
        for (const { position: each } of page.records) {
          ok(each.tx > position.tx || (each.tx === position.tx && each.number > position.number))
          position = each
        }
        position = page.position
        isLast &&= !page.more && !page.heldBack
      }
      await writing
      const stored = await all(one.telemetry, { kind: 'CONSOLE_LOG' })
      const numbers = (of: readonly StoredTelemetry[]) => of.map(({ number }) => number).sort((a, b) => a - b)
      deepEqual(numbers(seen), numbers(stored))
      equal(stored.length, 2 * 80)
      // Records are whole, and those of one append stay in its order.
      deepEqual(withoutNumber(seen[0] as StoredTelemetry), record(0, { body: seen[0]?.body ?? null }))
      const of = seen.map(({ body }) => String(body))
      for (const body of of) if (body.endsWith(' 1')) ok(of.indexOf(body) > of.indexOf(body.replace(/1$/, '0')))
    })

    it('can be continued after each record, and not after records that its retention removed', async (one, two) => {
      const keep = { journalDays: 90, streamDays: 90, telemetryDays: 30, toolCallDays: 90 }
      const start = await one.telemetry.streamEnd()
      await one.telemetry.append([record(0, { body: 'old' })])
      await one.telemetry.append([record(80 * dayMs, { body: 'new' }), record(80 * dayMs, { body: 'newer' })])
      const read = async (after: typeof start) => {
        const { records, gone } = await two.telemetry.readAfter('CONSOLE_LOG', after, 10)
        return {
          bodies: records.map(({ record: { body } }) => body),
          gone,
          positions: records.map((each) => each.position),
        }
      }
      const [first, second, third] = (await read(start)).positions as [typeof start, typeof start, typeof start]
      deepEqual((await read(first)).bodies, ['new', 'newer'])
      deepEqual((await read(second)).bodies, ['newer'])
      await one.housekeeping(at + 80 * dayMs, keep)
      deepEqual([(await read(start)).gone, (await read(start)).bodies], [true, []])
      deepEqual([(await read(second)).gone, (await read(second)).bodies], [false, ['newer']])
      deepEqual((await read(third)).bodies, [])
    })

    it('is deleted after its retention', async ({ telemetry, housekeeping }) => {
      const keep = { journalDays: 90, streamDays: 90, telemetryDays: 30, toolCallDays: 90 }
      await telemetry.append([record(0, {}), record(80 * dayMs, {})])
      await housekeeping(at + 80 * dayMs, keep)
      deepEqual(
        (await all(telemetry, { kind: 'CONSOLE_LOG' })).map(({ observedTimestamp }) => observedTimestamp - at),
        [80 * dayMs],
      )
    })
  })
}

const dayMs = 86_400_000
/** The partitions of this month and the next two are created when a world opens. */
const at = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 3)

function record(after: number, own: Partial<TelemetryRecord>): TelemetryRecord {
  return {
    kind: 'CONSOLE_LOG',
    recordId: null,
    timestamp: at - 1_000,
    observedTimestamp: at + after,
    severityText: null,
    severityNumber: null,
    eventName: null,
    body: 'b',
    attributes: {},
    resource: {},
    traceId: null,
    spanId: null,
    sessionId: null,
    ...own,
  }
}

function all(telemetry: Storage['telemetry'], query: TelemetryQuery): Promise<readonly StoredTelemetry[]> {
  return telemetry.read(query, undefined, 1_000)
}

function withoutNumber({ number: _, ...own }: StoredTelemetry): TelemetryRecord {
  return own
}
