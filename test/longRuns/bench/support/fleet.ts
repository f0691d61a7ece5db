/** Agents that are enrolled, connected and send heartbeats. They execute no work. */
import type { Client } from 'graphql-ws'
import { graphql } from '../../../kit/program/graphql.ts'
import { asked, connect, once } from '../../../kit/program/socket.ts'

const heartbeatMs = 15_000

export interface Fleet {
  readonly agentIds: readonly string[]
  /** Enrolls more agents until there are `count`. */
  grow(count: number): Promise<void>
  /** Sends one heartbeat of the agent with this index. Resolves with its answer. */
  beat(index: number): Promise<void>
  stop(): Promise<void>
}

export function startFleet(url: string, agentPort: number, apiKey: string): Fleet {
  const agents: { readonly agentId: string; readonly client: Client; readonly epoch: number }[] = []
  const sendBeat = async (index: number): Promise<void> => {
    const agent = agents[index]
    if (agent === undefined) throw new Error(`There is no agent ${index}.`)
    const input = { epoch: agent.epoch, load: 0.5, freeMemoryBytes: 1e9, jobs: [] }
    await once(agent.client, 'agentHeartbeat', input, 'serverTime')
  }
  const timer = setInterval(() => {
    for (const index of agents.keys()) void sendBeat(index).catch(() => {})
  }, heartbeatMs)
  return {
    get agentIds() {
      return agents.map(({ agentId }) => agentId)
    },
    async grow(count) {
      while (agents.length < count) agents.push(await enroll(url, agentPort, apiKey, agents.length))
    },
    beat: sendBeat,
    async stop() {
      clearInterval(timer)
      for (const { client } of agents) await client.dispose()
    },
  }
}

async function enroll(url: string, agentPort: number, apiKey: string, n: number) {
  const key = { 'X-API-Key': apiKey }
  const { createEnrollmentToken } = await graphql<{ createEnrollmentToken: { token: string } }>(
    url,
    key,
    'mutation { createEnrollmentToken(input: {}) { token } }',
  )
  const machine = { hostname: `build-${n}.example.com`, platform: 'linux', arch: 'x64', version: '0.1.0' }
  const { enrollAgent } = await graphql<{ enrollAgent: { agentId: string; credential: string } }>(
    url,
    undefined,
    'mutation E($input: EnrollAgentInput!) { enrollAgent(input: $input) { agentId credential } }',
    { input: { token: createEnrollmentToken.token, name: `Build machine ${n}`, ...machine } },
  )
  const client = connect(`ws://localhost:${agentPort}/graphql`, { authorization: `Bearer ${enrollAgent.credential}` })
  const { data } = (await asked(
    client,
    'mutation C($input: AgentConnectInput!) { agentConnect(input: $input) { epoch } }',
    {
      input: { ...machine, clis: [{ name: 'coder', protocol: 'ACP', version: '1.0', healthy: true }], jobs: [] },
    },
  )) as { data: { agentConnect: { epoch: number } } }
  return { agentId: enrollAgent.agentId, client, epoch: data.agentConnect.epoch }
}
