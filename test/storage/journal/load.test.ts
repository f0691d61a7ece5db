import { deepEqual, fail } from 'node:assert/strict'
import { test } from 'node:test'
import { loadChanged, loadWhole } from '../../../storage/journal/load.ts'
import type { Sql } from '../../../storage/sql/sql.ts'

test('without an actor, no statement is sent', async () => {
  const sql = { unsafe: () => fail('a statement was sent') } as unknown as Sql
  deepEqual(await loadWhole(sql, []), new Map())
  deepEqual(await loadChanged(sql, []), new Map())
})
