/** A deployment creates its job and its transfer by two messages, which may arrive in any order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobHandlers } from '../../../gateway/operations/agents/jobs.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'

const suffix = '01kaphycs20ttbh03crt4z199j'
const agentId = `agt_${suffix}`
const deploymentId = `dep_${suffix}`
const job = {
  kind: 'job',
  id: `job_${suffix}`,
  value: { lifecycle: 'OFFERED' },
  columns: { agentId, status: 'OFFERED' },
  init: { owner: { kind: 'deployment', id: deploymentId }, kind: 'DEPLOY', spec: {} },
}
const artifact = { id: `art_${suffix}`, path: 'dist/a', name: 'a', size: 5, sha256: 'ab' }
const dayMs = 86_400_000

interface Situation {
  readonly transfer?: object
  readonly artifact?: object | null
  readonly age?: number
}

async function accept({ transfer, age = 0, ...rest }: Situation) {
  const init = { ...inits.deployment, artifact, createdAt: 1_000_000, ...rest }
  const rows: Readonly<Record<string, object | undefined>> = {
    job,
    deployment: { kind: 'deployment', id: deploymentId, init },
    artifactTransfer: transfer,
  }
  const context = {
    principal: { kind: 'agent', agentId },
    presence: { epoch: () => 1 },
    actors: { peek: async ({ kind }: { readonly kind: string }) => rows[kind] },
    views: { get: async (kind: string) => rows[kind], members: async () => [], getMany: async () => new Map() },
    now: 1_000_000 + age,
  }
  const handler = jobHandlers.find(({ name }) => name === 'acceptJob')
  assert.ok(handler !== undefined && 'translate' in handler)
  const input = { jobId: job.id, epoch: 1, attempt: 1, takesSigningAssets: true, buildsWorktrees: true }
  const { messages } = await handler.translate(input as never, context as never)
  return messages.map((message) => (message && 'event' in message ? message.event.type : undefined))
}

test('an agent that accepts a deployment before its transfer exists must repeat the request', async () => {
  await assert.rejects(accept({}), {
    code: 'UNAVAILABLE',
    message: `The transfer atr_${suffix} is about to be created. Repeat the request.`,
  })
  assert.deepEqual(await accept({ transfer: { columns: { status: 'CREATED', terminal: false } } }), ['accept'])
})

test('a deployment without a file, or whose transfer was purged, waits for no transfer', async () => {
  assert.deepEqual(await accept({ artifact: null }), ['accept'])
  assert.deepEqual(await accept({ age: dayMs }), ['accept'])
})
