/**
 * Faults in operator actions: which are accepted, what remains after a decision on an effect, and the sequence on which an action
 * is decided.
 */
import type { Lookout, Mutant } from './mutant.ts'

const properties: Lookout = { file: 'test/longRuns/props/operatorActions.test.ts' }
const outbox = (only: string): Lookout => ({ file: 'test/contracts/postgres.test.ts', only })
const inMemory = (only: string): Lookout => ({ file: 'test/contracts/memory.test.ts', only })

export const acts: readonly Mutant[] = [
  {
    name: 'act on a terminal actor',
    fault: 'A terminal actor takes events and moves of operators.',
    file: 'actors/decide/acts.ts',
    search: 'if (snapshot.columns.terminal) {',
    replace: 'if (snapshot.columns.terminal && snapshot.seq < 0) {',
    tests: [properties],
  },
  {
    name: 'act on an identity',
    fault: 'Identity kinds take acts of operators.',
    file: 'actors/decide/acts.ts',
    search: 'if (!operable) return',
    replace: 'if (!operable && snapshot.seq < 0) return',
    tests: [properties],
  },
  {
    name: 'act on what has moved on',
    fault: 'An act is carried out on another sequence than the one that was looked at.',
    file: 'actors/decide/decide.ts',
    search: 'message.expectedSequence !== snapshot.seq) {',
    replace: 'message.expectedSequence > snapshot.seq) {',
    tests: [properties],
  },
  {
    name: 'preview of another act',
    fault: 'A preview passes over that an effect has not failed.',
    file: 'gateway/operations/operators/operatorPreviews.ts',
    search: 'return failed.includes(act.effectId)',
    replace: 'return failed.length >= 0',
    tests: [properties],
  },
  {
    name: 'decided effect still counts',
    fault: 'An incident stays open though its effect was decided on.',
    file: 'actors/decide/decide.ts',
    search: '!known && logic.accepts(state, event)',
    replace: '!known && logic.definition.version > 9 && logic.accepts(state, event)',
    tests: [properties],
  },
  {
    name: 'decision on what has not failed',
    fault: 'An effect that is under way is given up.',
    file: 'storage/journal/commitSql.ts',
    search: 'else o.failed_at is not null and o.told = ',
    replace: 'else o.attempts >= 0 or o.told = ',
    tests: [outbox('loses a step that decides on what has not failed')],
    postgres: true,
  },
  {
    name: 'retried effect stays failed',
    fault: 'An effect that is to be tried again is left as it is.',
    file: 'storage/journal/commitSql.ts',
    search: "s.c_decision = 'retry' and",
    replace: "s.c_decision = 'never' and",
    tests: [outbox('until somebody decides: to try it again')],
    postgres: true,
  },
  {
    name: 'retried effect keeps its attempts',
    fault: 'An effect that is tried again has spent its attempts.',
    file: 'test/kit/runtime/memory/journal.ts',
    search: '{ ...rest, attempts: 0, due: at }',
    replace: '{ ...rest, due: at }',
    tests: [inMemory('until somebody decides: to try it again')],
  },
]
