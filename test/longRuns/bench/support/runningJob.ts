/** An agent with a running job, as the control plane sees it: enrolled, connected, its worktree reported, its offer accepted. */
import { type Connection, openConnection } from '../../../../clients/agent/connection/connection.ts'
import {
  acceptJob,
  agentConnect,
  agentHeartbeat,
  agentJobOffered,
  appendJobLog,
  enrollAgent,
  type JobOffer,
  type Operation,
  reportCodebases,
} from '../../../../clients/agent/operations.ts'
import { graphql } from '../../../kit/program/graphql.ts'

export interface RunningJob {
  readonly jobId: string
  readonly worktreeId: string
  /** The credential of the agent. */
  readonly credential: string
  /** Appends output. Durable when it resolves. */
  append(first: number, chunks: readonly string[]): Promise<void>
  close(): void
}

const facts = { version: '0', hostname: 'bench', platform: 'linux', arch: 'x64', clis: [], jobs: [] }

export async function startRunningJob(url: string, agentUrl: string, key: string): Promise<RunningJob> {
  const credential = { 'X-API-Key': key }
  const { createEnrollmentToken } = await graphql<{ createEnrollmentToken: { token: string } }>(
    url,
    credential,
    'mutation { createEnrollmentToken(input: {}) { token } }',
  )
  const who = { token: createEnrollmentToken.token, hostname: 'bench', platform: 'linux', arch: 'x64', version: '0' }
  const enrolled = await graphql<{ enrollAgent: { credential: string; agentId: string } }>(
    url,
    undefined,
    enrollAgent.document,
    { input: who },
  )
  const connection = await openConnection(agentUrl, enrolled.enrollAgent.credential)
  const { epoch, heartbeatSeconds } = await ask(connection, agentConnect, facts)
  const offered = new Promise<JobOffer>((resolve) => {
    connection.subscribe<{ agentJobOffered: JobOffer }>(agentJobOffered, { epoch }, (data) =>
      resolve(data.agentJobOffered),
    )
  })
  const worktreeId = await reportWorktree(connection, epoch, enrolled.enrollAgent.agentId, url, key)
  await graphql(
    url,
    credential,
    'mutation ($input: CreateAgentRunInput!) { createAgentRun(input: $input) { run { id } } }',
    { input: { worktreeId, kind: 'PLAN', title: 'bench', task: { command: 'true' } } },
  )
  const { jobId, attempt } = await offered
  const fence = { epoch, jobId, attempt }
  await ask(connection, acceptJob, fence)
  // An agent without heartbeats is lost after three minutes, and its job with it.
  const beat = { epoch, load: 0, freeMemoryBytes: 1_000_000_000, jobs: [{ jobId, attempt }] }
  const heart = setInterval(() => void ask(connection, agentHeartbeat, beat).catch(() => {}), heartbeatSeconds * 1_000)
  heart.unref()
  return {
    jobId,
    worktreeId,
    credential: enrolled.enrollAgent.credential,
    async append(first, chunks) {
      await ask(connection, appendJobLog, {
        ...fence,
        chunks: chunks.map((dataBase64, index) => ({ sequence: first + index, stream: 'STDOUT' as const, dataBase64 })),
      })
    },
    close() {
      clearInterval(heart)
      connection.close()
    },
  }
}

async function ask<I, P>(connection: Connection, operation: Operation<I, P>, input: I): Promise<P> {
  const data = await connection.request<Record<string, P>>(operation.document, { input })
  return data[operation.field] as P
}

async function reportWorktree(
  connection: Connection,
  epoch: number,
  agentId: string,
  url: string,
  key: string,
): Promise<string> {
  const path = `/bench/${agentId}`
  const report = {
    path,
    branch: 'main',
    syncState: 'CLEAN' as const,
    availability: 'PRESENT' as const,
    lastCheckedAt: new Date().toISOString(),
    worktrees: [{ path, branch: 'main' }],
  }
  await connection.request(reportCodebases.document, { input: { epoch, codebases: [report] } })
  const { worktrees } = await graphql<{ worktrees: { nodes: { id: string; path: string }[] } }>(
    url,
    { 'X-API-Key': key },
    '{ worktrees(first: 100) { nodes { id path } } }',
  )
  const worktree = worktrees.nodes.find((one) => one.path === path)
  if (worktree === undefined) throw new Error('the reported worktree does not exist')
  return worktree.id
}
