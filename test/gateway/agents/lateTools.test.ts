/** The plan, session or workflow of a run creates its tools by a message of their own, which may arrive after the agent has the job. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobHandlers } from '../../../gateway/operations/agents/jobs.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'

const suffix = '01kaphycs20ttbh03crt4z199j'
const agentId = `agt_${suffix}`
const runId = `run_${suffix}`
const job = {
  kind: 'job',
  id: `job_${suffix}`,
  value: { lifecycle: 'RUNNING' },
  columns: { agentId, status: 'RUNNING' },
  init: { owner: { kind: 'run', id: runId }, kind: 'AI', spec: {} },
}

async function accept({ hasTools, grant }: { readonly hasTools: boolean; readonly grant: object | undefined }) {
  const rows: Readonly<Record<string, object | undefined>> = {
    job,
    run: { kind: 'run', id: runId, init: { ...inits.run, hasTools } },
    toolGrant: grant,
  }
  const get = async (kind: string) => rows[kind]
  const context = {
    principal: { kind: 'agent', agentId },
    presence: { epoch: () => 1 },
    actors: { peek: async ({ kind }: { readonly kind: string }) => rows[kind] },
    views: { get, members: async () => [], getMany: async () => new Map() },
    secrets: { newSecret: () => ({ token: 't', hash: 'h' }) },
    now: 0,
  }
  const handler = jobHandlers.find(({ name }) => name === 'acceptJob')
  assert.ok(handler !== undefined && 'translate' in handler)
  const input = { jobId: job.id, epoch: 1, attempt: 1, takesSigningAssets: true, buildsWorktrees: true }
  return (await handler.translate(input as never, context as never)).messages.length
}

test('an agent that accepts a job before the tools of its run exist must repeat the request', async () => {
  await assert.rejects(accept({ hasTools: true, grant: undefined }), {
    code: 'UNAVAILABLE',
    message: `The tools of the run ${runId} are about to be created. Repeat the request.`,
  })
  assert.equal(await accept({ hasTools: true, grant: { init: {} } }), 2)
  assert.equal(await accept({ hasTools: false, grant: undefined }), 2, 'a run without tools waits for none')
})
