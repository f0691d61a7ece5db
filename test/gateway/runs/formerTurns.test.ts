import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFollowUp, readFormerTurns } from '../../../gateway/operations/runs/formerTurns.ts'
import type { TypedViews } from '../../../gateway/operations/typedViews.ts'
import type { RowQuery } from '../../../storage/ports/views.ts'

const idOf = (number: number): string => `run_${String(number).padStart(3, '0')}`

/**
 * Views of one session with so many former runs, and of the run that follows.
 * @param retries the number of a run by the number of its retry
 * @param ends when runs ended, if not in the order of their numbers
 */
function sessionOf(
  count: number,
  answer: string,
  retries: Readonly<Record<number, number>> = {},
  ends: Readonly<Record<number, number>> = {},
): TypedViews {
  const run = (number: number, spec: object) => {
    const retryOf = retries[number] === undefined ? {} : { retryOf: idOf(retries[number]) }
    return {
      id: idOf(number),
      init: { ownerId: 'sess_1', title: `turn ${number}`, spec, ...retryOf },
      context: { times: { ended: number === count ? null : (ends[number] ?? number) } },
    }
  }
  const runs = Array.from({ length: count + 1 }, (_, number) =>
    run(number, number === 1 ? {} : { prompt: `ask ${number}` }),
  )
  const views: Partial<Record<keyof TypedViews, unknown>> = {
    get: async (_: string, id: string) => runs.find((one) => one.id === id),
    list: async ({ where, terminal, descending, limit }: RowQuery) => {
      assert.deepEqual([where, terminal, descending], [{ scopeId: 'sess_1' }, true, true])
      return runs.slice(0, count).reverse().slice(0, limit)
    },
    count: async ({ terminal }: RowQuery) => (terminal ? count : count + 1),
    members: async () => [{ key: 'result', value: { text: answer } }],
  }
  return views as TypedViews
}

test('the former turns are in order with prompt and answer, and a command has its title instead of a prompt', async () => {
  assert.deepEqual(await readFormerTurns('run_003', sessionOf(3, 'done')), {
    turns: [
      { prompt: 'ask 0', answer: 'done' },
      { prompt: '(the command: turn 1)', answer: 'done' },
      { prompt: 'ask 2', answer: 'done' },
    ],
    omitted: 0,
  })
  assert.equal(await readFormerTurns('run_009', sessionOf(3, 'done')), null)
})

test('of more than 50 turns, or more than 256 Ki characters, the oldest are left out and counted', async () => {
  const many = await readFormerTurns('run_060', sessionOf(60, 'done'))
  assert.deepEqual([many?.turns.length, many?.turns[0]?.prompt, many?.omitted], [50, 'ask 10', 10])
  const long = await readFormerTurns('run_010', sessionOf(10, 'x'.repeat(60_000)))
  assert.deepEqual([long?.turns.length, long?.turns.at(-1)?.prompt, long?.omitted], [4, 'ask 9', 6])
})

test('a run that was retried is not part of the conversation', async () => {
  const found = await readFormerTurns('run_004', sessionOf(4, 'done', { 3: 2, 4: 3 }))
  assert.deepEqual([found?.turns.map(({ prompt }) => prompt), found?.omitted], [['ask 0', '(the command: turn 1)'], 0])
})

test('former turns are in the order of their ends, not of their IDs, since a queued follow-up already has an ID', async () => {
  const found = await readFormerTurns('run_004', sessionOf(4, 'done', {}, { 2: 9 }))
  assert.deepEqual(
    found?.turns.map(({ prompt }) => prompt),
    ['ask 0', '(the command: turn 1)', 'ask 3', 'ask 2'],
  )
})

test('only a run that continues a conversation is a follow-up', () => {
  assert.equal(isFollowUp({ prompt: 'a', continues: { conversation: null, required: false } }), true)
  for (const spec of [{ prompt: 'a' }, {}, null, 'continues', []]) assert.equal(isFollowUp(spec), false)
})
