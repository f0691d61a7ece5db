/**
 * Faults in operator actions: which are accepted, what remains after a decision on an effect, and the sequence on which an action
 * is decided.
 */
import type { Lookout, Mutant } from './mutant.ts'

const properties: Lookout = { file: 'test/longRuns/props/operatorActions.test.ts' }
const outbox = (only: string): Lookout => ({ file: 'test/contracts/postgres.test.ts', only })
const inMemory = (only: string): Lookout => ({ file: 'test/contracts/memory.test.ts', only })

export const operatorActionFaults: readonly Mutant[] = [
  {
    name: 'operator action on a terminal actor',
    fault: 'A terminal actor accepts events and forced transitions.',
    file: 'actors/decide/operatorActions.ts',
    search: 'if (!columns.terminal) return undefined',
    replace: 'if (!columns.terminal || columns.incidents >= 0) return undefined',
    tests: [properties],
  },
  {
    name: 'operator action on an identity',
    fault: 'Identity kinds accept operator actions.',
    file: 'actors/decide/operatorActions.ts',
    search: 'if (operable) return undefined',
    replace: 'if (operable || kind.length > 0) return undefined',
    tests: [properties],
  },
  {
    name: 'operator action on an earlier sequence',
    fault: 'An operator action is performed although the actor has a later sequence than in its preview.',
    file: 'actors/decide/decide.ts',
    search: 'message.expectedSequence !== snapshot.seq) {',
    replace: 'message.expectedSequence > snapshot.seq) {',
    tests: [properties],
  },
  {
    name: 'preview of an effect that has not failed',
    fault: 'A preview does not check whether the effect has failed.',
    file: 'gateway/operations/operators/operatorPreviews.ts',
    search: 'return hasFailed ?',
    replace: 'return hasFailed !== undefined ?',
    tests: [properties],
  },
  {
    name: 'decided effect still counts',
    fault: 'An incident stays open although an operator has decided on its effect.',
    file: 'actors/decide/decide.ts',
    search: '!known && logic.accepts(state, event)',
    replace: '!known && logic.definition.version > 9 && logic.accepts(state, event)',
    tests: [properties],
  },
  {
    name: 'decision on an effect that has not failed',
    fault: 'An effect that is still being attempted can be given up.',
    file: 'storage/journal/commitSql.ts',
    search: 'else o.failed_at is not null and o.told = ',
    replace: 'else o.attempts >= 0 or o.told = ',
    tests: [outbox('loses a transition that decides on an effect that has not failed')],
    postgres: true,
  },
  {
    name: 'retried effect stays failed',
    fault: 'An effect that an operator retries stays failed.',
    file: 'storage/journal/commitSql.ts',
    search: "s.c_decision = 'retry' and",
    replace: "s.c_decision = 'never' and",
    tests: [outbox('until an operator retries it')],
    postgres: true,
  },
  {
    name: 'retried effect keeps its attempts',
    fault: 'An effect that an operator retries keeps the number of its attempts.',
    file: 'test/kit/runtime/memory/journal.ts',
    search: '{ ...rest, attempts: 0, failures: 0, due: at }',
    replace: '{ ...rest, due: at }',
    tests: [inMemory('until an operator retries it')],
  },
]
