/** A list counts its rows only if a request asks for their number: on a million runs, a count takes a second. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { graphql } from 'graphql'
import { buildCatalogSchema } from '../../../gateway/graphql/schema/schema.ts'
import { pageOfRows } from '../../../gateway/operations/core/connections.ts'
import type { Executor } from '../../../gateway/operations/execute.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { builtinTools } from '../../../gateway/operations/tools/builtin.ts'
import { serveBuiltin } from '../../../gateway/operations/tools/builtinCalls.ts'
import type { TypedViews } from '../../../gateway/operations/typedViews.ts'

/** Views without rows, whose count is seven. They record how often they are asked to count. */
function countingViews() {
  let counts = 0
  const views = {
    list: async () => [],
    count: async () => {
      counts++
      return 7
    },
  } as unknown as TypedViews
  const page = () => pageOfRows(views, { kind: 'run' }, {}, () => ({}))
  const executor = { execute: page, executeTool: page } as unknown as Executor
  return { executor, counts: () => counts }
}

test('a query without totalCount does not count, and one with it gets the number', async () => {
  const { executor, counts } = countingViews()
  const schema = buildCatalogSchema({ operations, objectTypes }, executor)
  const ask = (source: string) => graphql({ schema, source, contextValue: {} })
  assert.deepEqual((await ask('{ runs { nodes { id } } }')).errors, undefined)
  assert.equal(counts(), 0)
  const { data } = await ask('{ runs { totalCount } }')
  assert.equal((data as { runs: { totalCount: number } } | null)?.runs.totalCount, 7)
  assert.equal(counts(), 1)
})

test('the result of a tool has the total count', async () => {
  const { executor } = countingViews()
  const tool = builtinTools(operations).get('get_runs') ?? assert.fail('there is no tool get_runs')
  const { structuredContent } = await serveBuiltin(tool, executor).call({}, { context: {} } as never)
  assert.equal((structuredContent as { totalCount: number }).totalCount, 7)
})
