import { siblingId } from '../../../../spec/core/ids.ts'
import { diffImageRoutes } from '../../../../spec/worktrees/diffImageRoutes.ts'
import { type DiffImageContents, diffImageBlob } from '../../../../spec/worktrees/diffImages.ts'
import { declarePng, makePng, red, redWebp } from '../../../kit/program/objects/images.ts'
import { sha256, type TestGateway } from '../../../kit/runtime/testGateway.ts'
import { bearer, type Heard, type Sent, slowBody } from './call.ts'
import { with_ } from './callers.ts'
import type { Cases } from './caseForm.ts'
import type { TroubledGateways } from './troubledGateways.ts'

const { getDiffImage, sendDiffImage } = diffImageRoutes
const png = makePng(8, 4, () => red)

async function connectedAgent({ ask, agent }: TestGateway) {
  const one = await agent()
  const facts = { hostname: 'box', platform: 'linux', arch: 'x64', version: '0' }
  await ask({ kind: 'agent', id: one.agentId }, { type: 'connect', facts, clis: [], forgot: [], gone: [] })
  return one
}

async function worktreeOn({ ask, newId }: TestGateway, agentId: string): Promise<string> {
  const id = newId('worktree')
  const create = {
    ...{ agentId, codebaseId: newId('codebase'), codebasePath: '/src/a', adopted: true, path: '/src/a' },
    ...{ branch: 'main', base: null, headSha: 'a'.repeat(40), main: true, createdAt: Date.now() },
  }
  await ask({ kind: 'worktree', id }, { type: 'create' }, create)
  return id
}

/** Answers the next reading on an agent, in its place. */
async function answerReading({ storage, blobs, ask }: TestGateway, agentId: string, before: Buffer, after: Buffer) {
  for (let tries = 0; tries < 200; tries++) {
    const [reading] = await storage.views.living('diffImage', [agentId])
    if (reading === undefined) {
      await new Promise((done) => setTimeout(done, 25))
      continue
    }
    const { id } = reading
    await blobs.append(diffImageBlob('before', id), 0, before)
    await blobs.append(diffImageBlob('after', id), 0, after)
    const describe = (bytes: Buffer, content: 'PNG' | 'WEBP') =>
      ({ content, size: bytes.length, sha256: sha256(bytes) }) as const
    const result: DiffImageContents = { before: describe(before, 'WEBP'), after: describe(after, 'PNG') }
    const event = { type: 'jobEnded', jobId: siblingId('job', id), outcome: 'SUCCEEDED', problem: null, result }
    await ask({ kind: 'diffImage', id }, event)
    return
  }
}

async function right(stage: TroubledGateways, after = png, query = '?path=a.png&view=side'): Promise<Sent> {
  const { agentId } = await connectedAgent(stage.world)
  const worktreeId = await worktreeOn(stage.world, agentId)
  // While the database is unavailable, no reading begins.
  void answerReading(stage.world, agentId, redWebp, after).catch(() => {})
  return await with_(stage, { params: { worktreeId }, query })
}

export async function sentByAgent(world: TestGateway, more: Readonly<Record<string, string>> = {}): Promise<Sent> {
  const { agentId, token } = await world.agent()
  const id = world.newId('diffImage')
  const worktreeId = world.newId('worktree')
  const create = {
    ...{ worktreeId, worktreePath: '/src/a', agentId, path: 'a.png', oldPath: 'a.png' },
    ...{ base: 'HEAD', head: null, createdAt: Date.now() },
  }
  await world.ask({ kind: 'diffImage', id }, { type: 'create' }, create)
  const jobId = siblingId('job', id)
  for (let tries = 0; tries < 200 && (await world.storage.views.get('job', jobId)) === undefined; tries++)
    await new Promise((done) => setTimeout(done, 10))
  const headers = { ...bearer(token), 'content-type': 'application/octet-stream', 'x-agent-epoch': '0', ...more }
  return { params: { jobId }, query: '?side=after', headers, body: png }
}

export const diffImageCases: readonly Cases[] = [
  {
    route: getDiffImage,
    right: (stage) => right(stage),
    own: {
      '304': async (stage) => {
        const sent = await right(stage)
        return { ...sent, headers: { ...sent.headers, 'if-none-match': '*' } }
      },
      '400 BAD_USER_INPUT': (stage) => right(stage, png, '?path=../a.png&view=side'),
      '404 NOT_FOUND': async (stage) => ({
        ...(await right(stage)),
        params: { worktreeId: stage.world.newId('worktree') },
      }),
      '403 FORBIDDEN': async (stage) => ({
        ...(await right(stage)),
        headers: bearer((await stage.world.agent()).token),
      }),
      '409 FAILED_PRECONDITION': async (stage) => {
        const { agentId } = await stage.world.agent()
        const worktreeId = await worktreeOn(stage.world, agentId)
        return await with_(stage, { params: { worktreeId }, query: '?path=a.png&view=side' })
      },
      '413 PAYLOAD_TOO_LARGE': (stage) => right(stage, declarePng(60_000, 60_000, Buffer.alloc(4))),
      '415 UNSUPPORTED_IMAGE': (stage) => right(stage, declarePng(8, 4, Buffer.alloc(4))),
      '500 INTERNAL_ERROR': async (stage) => await stage.whileActorsAreBroken(getDiffImage, await right(stage)),
      '429 RATE_LIMITED': async (stage): Promise<Heard> => await stage.pastRate(getDiffImage, await right(stage)),
    },
  },
  {
    route: sendDiffImage,
    right: ({ world }) => sentByAgent(world),
    own: {
      '400 BAD_USER_INPUT': ({ world }) => sentByAgent(world, { 'x-agent-epoch': 'one' }),
      '404 NOT_FOUND': async ({ world }) => ({ ...(await sentByAgent(world)), params: { jobId: world.newId('job') } }),
      '408 BAD_USER_INPUT': async ({ strict }) =>
        slowBody(strict.gateway.port, sendDiffImage, await sentByAgent(strict)),
      '409 STALE_EPOCH': ({ world }) => sentByAgent(world, { 'x-agent-epoch': '3' }),
      '409 FAILED_PRECONDITION': async ({ world }) => {
        const sent = await sentByAgent(world)
        const id = siblingId('diffImage', sent.params?.jobId ?? '')
        const problem = { code: 'OUTSIDE_ROOTS', message: 'No.' }
        await world.ask(
          { kind: 'diffImage', id },
          { type: 'jobEnded', jobId: sent.params?.jobId ?? '', outcome: 'FAILED', problem, result: null },
        )
        return sent
      },
      '413 PAYLOAD_TOO_LARGE': async ({ world }) => ({ ...(await sentByAgent(world)), body: Buffer.alloc(70_000) }),
      '415 BAD_USER_INPUT': ({ world }) => sentByAgent(world, { 'content-type': 'text/plain' }),
      '500 INTERNAL_ERROR': async (stage) => {
        const sent = await sentByAgent(stage.world)
        // So that this process has cached the credential.
        await stage.call(sendDiffImage, { ...sent, query: '?side=before' })
        return await stage.whileActorsAreBroken(sendDiffImage, sent)
      },
      '507 INSUFFICIENT_STORAGE': async (stage) => {
        const sent = await sentByAgent(stage.world)
        stage.world.blobs.free = 0
        try {
          return await stage.call(sendDiffImage, sent)
        } finally {
          stage.world.blobs.free = Number.POSITIVE_INFINITY
        }
      },
    },
  },
]
