/** Texts and sizes that are stored unchanged, and values that are refused. */
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { creation, detailOf, snapshotOf } from '../../kit/runtime/writes.ts'
import type { It } from '../storages.ts'
import { members, written } from './journals.ts'

export function values(it: It): void {
  it('keeps empty strings, line ends, quotes and every script', async ({ journal, views }) => {
    const texts = [
      '',
      '\n',
      'a\r\nb\tc',
      '\u0001',
      '"\\"',
      "'",
      '{}',
      '{"a":1}',
      'null',
      'NULL',
      '\\x1e',
      '🛤️ 信号所',
      '\u007f',
    ]
    const writes = texts.map((text) =>
      creation('worktree', {
        columns: { uniqueKey: `k${text}`, phase: text, scopeId: text },
        snapshot: snapshotOf({ text }),
        init: JSON.stringify({ text }),
        members: [{ key: text, value: text }],
        entry: { event: text, detail: detailOf(text) },
      }),
    )
    await written(journal, writes)
    // A list of one empty text needs special care, so it is tested alone.
    const alone = creation('worktree', {
      columns: { phase: '' },
      entry: { event: '', detail: '{}' },
      members: members({ '': '' }),
    })
    await written(journal, [alone])
    const found = await journal.load([...writes, alone].map(({ ref }) => ref))
    for (const [index, write] of writes.entries()) {
      const loaded = found.get(write.ref.id)
      deepEqual(loaded?.columns, write.columns)
      deepEqual(loaded.members, [[texts[index], texts[index]]])
      deepEqual([loaded.snapshot, loaded.init], [write.snapshot, write.init])
      const [entry] = await views.history({ id: write.ref.id, limit: 1 })
      equal(entry?.event, texts[index])
      deepEqual(entry?.payload, { event: texts[index] })
    }
    equal(found.get(alone.ref.id)?.columns.phase, '')
    deepEqual(found.get(alone.ref.id)?.members, [['', '']])
  })

  it('refuses a text that it cannot store, and names the column', async ({ journal }) => {
    for (const bad of ['a\0b', 'a\x1eb', '\x1f', '\ud800']) {
      const write = creation('worktree', { columns: { uniqueKey: bad } })
      await rejects(journal.commit([write], []), (error: Error & { repeatable?: boolean }) => {
        equal(error.name, 'CommitFailed')
        equal(error.repeatable, false)
        return /unique_key contains/.test(error.message)
      })
    }
    // Escaped in JSON, it is a normal text.
    const escaped = creation('run', { snapshot: snapshotOf({ text: '\0' }), members: members({ m: '\0' }) })
    await written(journal, [escaped])
    equal((await journal.load([escaped.ref])).get(escaped.ref.id)?.snapshot, escaped.snapshot)
  })

  it('writes snapshots of any size', async ({ journal }) => {
    const writes = [1_900, 2_100, 50_000].map((size) =>
      creation('run', { snapshot: snapshotOf({ pad: 'x'.repeat(size) }) }),
    )
    await written(journal, writes)
    const found = await journal.load(writes.map(({ ref }) => ref))
    for (const write of writes) equal(found.get(write.ref.id)?.snapshot, write.snapshot)
  })
}
