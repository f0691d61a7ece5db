/** The answers of tools that differ from GraphQL's: a model cannot request fields, and each repeated field costs tokens. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as v from 'valibot'
import type { Query } from '../../../gateway/operations/handler.ts'
import { operations } from '../../../gateway/operations/operations.ts'
import type { RequestContext } from '../../../gateway/operations/requestContext.ts'
import { builtinTools } from '../../../gateway/operations/tools/builtin.ts'
import { runMembers } from '../../../machines/runs/runKeys.ts'
import { workflowMembers } from '../../../machines/work/workflowKeys.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'
import { creation, snapshotOf } from '../../kit/runtime/writes.ts'

const tools = builtinTools(operations)
const { journal, views } = openMemoryStorage()

const workflow = (name: string) =>
  creation('workflow', {
    snapshot: snapshotOf({ version: 1, rules: {}, draftRules: {} }),
    columns: { status: 'PUBLISHED' },
    members: [workflowMembers.draft, workflowMembers.published].map((key) => ({ key, value: { name, steps: [] } })),
  } as never)
const [first, second] = [workflow('checks'), workflow('deploy')]
const run = creation('run', {
  init: JSON.stringify({ kind: 'SESSION', ownerId: 's', worktreeId: 'w', parentRunId: null, spec: {} }),
  snapshot: snapshotOf({
    queue: { queuedAt: null, limit: 0 },
    times: { admitted: null, started: null, ended: null },
    job: { ready: true },
    question: { id: 'q', answered: false },
    pause: { isRequested: false, revision: 0 },
    problem: null,
    exit: null,
  }),
  columns: { status: 'WAITING_FOR_INPUT' },
  members: [{ key: runMembers.question, value: { title: 'May I?' } }],
} as never)
before(async () => {
  await journal.commit([first, second, run], [])
})

async function answer(name: string, input: object): Promise<Readonly<Record<string, unknown>>> {
  const operation = tools.get(name)?.operation as Query
  ok(operation.input)
  return (await operation.read(v.parse(operation.input, input) as never, { views } as RequestContext)) as never
}

describe('the result of a tool', () => {
  it('has the fields of one object that GraphQL loads only if they are requested', async () => {
    const found = await answer('get_run', { id: run.ref.id })
    deepEqual(
      [found.question, found.phase, found.result, found.sessionId],
      [{ title: 'May I?', toolCall: null, options: [] }, 'EXECUTING', null, 's'],
    )
    const { properties } = (tools.get('get_run')?.outputSchema ?? {}) as { readonly properties: object }
    for (const field of ['question', 'phase', 'blockedBy', 'result', 'status']) ok(field in properties, field)
  })

  it('has these fields for each object of a page, and has each object once', async () => {
    const { nodes, ...page } = await answer('get_workflows', { first: 1 })
    deepEqual(
      (nodes as { id: string; published: object; draft: object }[]).map(({ id, published, draft }) => [
        id,
        published,
        draft,
      ]),
      [[second.ref.id, { name: 'deploy', steps: [] }, { name: 'deploy', steps: [] }]],
    )
    deepEqual(Object.keys(page).sort(), ['pageInfo', 'totalCount'])
  })

  it('is null if the object does not exist', async () => {
    equal(await answer('get_run', { id: `run_${'0'.repeat(26)}` }), null)
  })

  it('is that of GraphQL if nothing must differ', () => {
    equal(
      tools.get('get_health')?.operation,
      operations.find(({ name }) => name === 'health'),
    )
  })
})
