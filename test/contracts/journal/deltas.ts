/** Loads of an actor of which the caller has an earlier state: either the changes since then are read, or the whole actor. */
import { deepEqual } from 'node:assert/strict'
import type { Journal, KnownState, StoredActor, Write } from '../../../actors/ports/journal.ts'
import { mostChanges, mostTransitions } from '../../../storage/journal/changes.ts'
import { creation, nextWrite } from '../../kit/runtime/writes.ts'
import type { It } from '../storages.ts'
import { members, written } from './journals.ts'

function stateOf(first: Write, { seq, at }: Write, owner = 'one'): KnownState {
  return { seq, owner, createdAt: first.at, changedAt: at }
}

async function load(journal: Journal, { ref }: Write, known: KnownState): Promise<StoredActor | undefined> {
  return (await journal.load([{ ...ref, known }])).get(ref.id)
}

/** The members that were read, and the keys of removed members; undefined if the whole actor was read. */
async function read(journal: Journal, write: Write, known: KnownState): Promise<unknown[]> {
  const stored = await load(journal, write, known)
  return [Object.fromEntries(stored?.members ?? []), stored?.delta?.removed.toSorted()]
}

/** An actor with the members a, b and c, and then each of the changes as a transition of its own. */
async function changed(journal: Journal, changes: readonly Parameters<typeof members>[0][]): Promise<Write[]> {
  const writes = [creation('worktreeQueue', { members: members({ a: 1, b: 2, c: 3 }) })]
  for (const change of changes) writes.push(nextWrite(writes.at(-1) as Write, 'one', { members: members(change) }))
  for (const write of writes) await written(journal, [write])
  return writes
}

export function deltas(it: It): void {
  it('reads only the members that changed since a known state', async ({ journal }, { journal: other }) => {
    const [first, second, last] = (await changed(journal, [{ a: 10 }, { b: 20, d: 4 }])) as [Write, Write, Write]
    for (const reader of [journal, other]) {
      deepEqual(await read(reader, first, stateOf(first, first)), [{ a: 10, b: 20, d: 4 }, []])
      deepEqual(await read(reader, first, stateOf(first, second)), [{ b: 20, d: 4 }, []])
    }
    const stored = await load(journal, first, stateOf(first, second))
    deepEqual([stored?.seq, stored?.snapshot], [last.seq, last.snapshot])
  })

  it('reads no members if the known state is the stored one', async ({ journal }) => {
    const [first, last] = (await changed(journal, [{ a: 10 }])) as [Write, Write]
    const stored = await load(journal, first, stateOf(first, last))
    deepEqual([stored?.members, stored?.delta], [[], { removed: [] }])
  })

  it('names a member that was removed', async ({ journal }) => {
    const [first] = (await changed(journal, [{ a: undefined }])) as [Write]
    deepEqual(await read(journal, first, stateOf(first, first)), [{}, ['a']])
  })

  it('reads a member that was removed and added again', async ({ journal }) => {
    const [first] = (await changed(journal, [{ a: undefined }, { a: 10 }])) as [Write]
    deepEqual(await read(journal, first, stateOf(first, first)), [{ a: 10 }, []])
  })

  it('names a removed member if another one was added', async ({ journal }) => {
    const [first] = (await changed(journal, [{ a: undefined }, { d: 4 }])) as [Write]
    deepEqual(await read(journal, first, stateOf(first, first)), [{ d: 4 }, ['a']])
  })

  it('names all removed members, and a member that was added and removed in between', async ({ journal }) => {
    const [first] = (await changed(journal, [
      { a: undefined, b: undefined, c: undefined, d: 4 },
      { d: undefined },
    ])) as [Write]
    deepEqual(await read(journal, first, stateOf(first, first)), [{}, ['a', 'b', 'c', 'd']])
  })

  it('reads the whole actor if the known state did not lead to the stored one', async ({ journal }) => {
    const [first, last] = (await changed(journal, [{ a: 10 }])) as [Write, Write]
    const known = stateOf(first, first)
    const whole = [{ a: 10, b: 2, c: 3 }, undefined]
    // Transactions were lost: the stored state is older, or its history has another transition with that sequence.
    deepEqual(await read(journal, first, { ...stateOf(first, last), seq: last.seq + 1 }), whole)
    deepEqual(await read(journal, first, { ...known, owner: 'two' }), whole)
    deepEqual(await read(journal, first, { ...known, changedAt: known.changedAt + 1 }), whole)
    // The actor was purged and created again.
    deepEqual(await read(journal, first, { ...known, createdAt: known.createdAt - 1 }), whole)
  })

  it('reads the whole actor after a transition that changed many members, and after many transitions', async ({
    journal,
  }) => {
    const many = Object.fromEntries(Array.from({ length: mostChanges }, (_, n) => [`m${n}`, n]))
    const [first, second, third] = (await changed(journal, [many, { ...many, a: 10 }])) as [Write, Write, Write]
    deepEqual(await read(journal, first, stateOf(first, first)), [{ ...many, a: 10, b: 2, c: 3 }, undefined])
    deepEqual(await read(journal, first, stateOf(first, second)), [{ ...many, a: 10, b: 2, c: 3 }, undefined])
    deepEqual(await read(journal, first, stateOf(first, third)), [{}, []])
    const [made] = (await changed(journal, [many])) as [Write]
    deepEqual(await read(journal, made, stateOf(made, made)), [many, []])

    const steps = Array.from({ length: mostTransitions + 1 }, (_, n) => ({ a: n }))
    const [old, next] = (await changed(journal, steps)) as [Write, Write]
    deepEqual(await read(journal, old, stateOf(old, old)), [{ a: mostTransitions, b: 2, c: 3 }, undefined])
    deepEqual(await read(journal, old, stateOf(old, next)), [{ a: mostTransitions }, []])
  })

  it('loads actors with and without a known state together, and leaves out those that do not exist', async ({
    journal,
  }) => {
    const [first] = (await changed(journal, [{ a: 10 }])) as [Write]
    const [second] = (await changed(journal, [])) as [Write]
    const absent = creation('worktreeQueue')
    const known = stateOf(first, first)
    const found = await journal.load([
      { ...first.ref, known },
      second.ref,
      { ...absent.ref, known: stateOf(absent, absent) },
    ])
    deepEqual(
      [...found.values()].map(({ id, members, delta }) => [id, members.length, delta]).sort(),
      [
        [first.ref.id, 1, { removed: [] }],
        [second.ref.id, 3, undefined],
      ].sort(),
    )
  })
}
