/** An agent that does only what the test tells it to: its credential, one socket, and the agent's operations one by one. */
import type { Client } from 'graphql-ws'
import { graphql } from './graphql.ts'
import { connect, once, type Subscription, subscribe } from './socket.ts'
import type { TestProgram } from './testProgram.ts'

export interface Offer {
  readonly signal: string
  readonly jobId: string
  readonly attempt: number
  readonly kind: string
  readonly answer: unknown
}

export interface BareAgent {
  readonly agentId: string
  readonly credential: string
  readonly client: Client
  readonly epoch: number
  readonly offers: Subscription<Offer>
  /** A mutation with the epoch of this connection. @throws the errors */
  say<T>(name: string, input: Readonly<Record<string, unknown>>, selection?: string): Promise<T>
  /** Another connection of the same agent. */
  again(): Promise<BareAgent>
  close(): Promise<void>
}

const facts = { version: '0', hostname: 'bare', platform: 'linux', arch: 'x64' }

export async function enroll(
  stage: TestProgram,
  name: string,
): Promise<{ agentId: string; credential: string; token: string }> {
  const { createEnrollmentToken } = await stage.ask<{ createEnrollmentToken: { token: string } }>(
    'mutation { createEnrollmentToken(input: {}) { token } }',
  )
  const { token } = createEnrollmentToken
  const { enrollAgent } = await graphql<{ enrollAgent: { agentId: string; credential: string } }>(
    stage.url,
    undefined,
    'mutation ($input: EnrollAgentInput!) { enrollAgent(input: $input) { agentId credential } }',
    { input: { token, name, ...facts } },
  )
  return { ...enrollAgent, token }
}

export async function startBareAgent(stage: TestProgram, name: string): Promise<BareAgent> {
  const { credential } = await enroll(stage, name)
  return await connectBareAgent(stage, credential)
}

export async function connectBareAgent(stage: TestProgram, credential: string): Promise<BareAgent> {
  const url = `http://127.0.0.1:${stage.ports.agent}`
  const client = connect(url, { authorization: `Bearer ${credential}` }, { lazyCloseTimeout: 2_000 })
  const { agentId, epoch } = await once<{ agentId: string; epoch: number }>(
    client,
    'agentConnect',
    {
      ...facts,
      clis: [],
      jobs: [],
    },
    'agentId epoch',
  ).catch(async (error) => {
    await client.dispose()
    throw error
  })
  const offers = subscribe<Offer>(
    client,
    'subscription ($epoch: Int!) { agentJobOffered(epoch: $epoch) { signal jobId attempt kind answer { optionId text } } }',
    { epoch },
  )
  const beat = setInterval(() => {
    void once(client, 'agentHeartbeat', { epoch, load: 0, freeMemoryBytes: 0, jobs: [] }, 'serverTime').catch(() => {})
  }, 10_000)
  const close = async () => {
    clearInterval(beat)
    // It fails where the server refuses a connection that a heartbeat has just begun, because the agent is revoked.
    try {
      await client.dispose()
    } catch {}
  }
  stage.onEnd(close)
  return {
    agentId,
    credential,
    client,
    epoch,
    offers,
    say: (field, input, selection = 'jobId attempt status') => once(client, field, { epoch, ...input }, selection),
    again: () => connectBareAgent(stage, credential),
    close,
  }
}

/** Reports a codebase with a worktree for each branch. Returns the IDs of the worktrees by branch. */
export async function reportWorktree(
  stage: TestProgram,
  agent: BareAgent,
  path: string,
  branches = ['main'],
  observedOrigin: string | null = null,
): Promise<Record<string, string>> {
  const worktrees = branches.map((branch) => ({
    path: branch === 'main' ? path : `${path}-${branch}`,
    branch,
    headSha: 'a'.repeat(40),
  }))
  const lastCheckedAt = new Date().toISOString()
  const state = {
    observedOrigin,
    branch: 'main',
    syncState: 'NO_UPSTREAM',
    availability: 'PRESENT',
    lastCheckedAt,
    worktrees,
  }
  await agent.say('reportCodebases', { codebases: [{ path, ...state }] }, 'accepted')
  const page = await stage.ask<{ worktrees: { nodes: { id: string; branch: string }[] } }>(
    'query ($agentId: ID!) { worktrees(agentId: $agentId) { nodes { id branch } } }',
    { agentId: agent.agentId },
  )
  return Object.fromEntries(page.worktrees.nodes.map(({ id, branch }) => [branch, id]))
}
