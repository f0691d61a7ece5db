/** Selectors: who has been silent for how long. */
import type { AgentPresence, JobLease, PresenceContext } from './presenceState.ts'

/**
 * Milliseconds without a heartbeat after which an agent counts as disconnected, and after which it counts as lost. `leaseMs`: after this
 * time without a renewal, a job's lease expires.
 */
export const silenceMs = 45_000
export const lossMs = 180_000
export const leaseMs = 45_000

/** The message that an agent's silence requires. `undefined` if the agent is not silent, or if its state already shows the silence. */
export function silenceMessage(agent: AgentPresence, now: number): 'silent' | 'lost' | undefined {
  const silence = now - agent.aliveAt
  if (silence > lossMs && agent.status !== 'LOST') return 'lost'
  if (silence > silenceMs && agent.status === 'CONNECTED') return 'silent'
  return undefined
}

/** The agents that have been silent for more than `ms`. */
export function silentFor({ agents }: PresenceContext, ms: number, now: number): readonly string[] {
  return [...agents].flatMap(([id, { aliveAt }]) => (now - aliveAt > ms ? [id] : []))
}

/** The agents whose silence requires a message. */
export function agentsToReport({ agents }: PresenceContext, now: number): readonly string[] {
  return [...agents].flatMap(([id, agent]) => (silenceMessage(agent, now) === undefined ? [] : [id]))
}

/**
 * The jobs whose leases have expired. If the agent itself is silent, its own state decides. A lease expires only if the agent sends
 * heartbeats that do not name the job any more. Only the process that receives the agent's heartbeats has the names of its jobs.
 */
export function expiredLeases(
  { agents, leases }: PresenceContext,
  now: number,
): readonly (readonly [string, JobLease])[] {
  return [...leases].filter(([, lease]) => {
    if (now - lease.renewedAt <= leaseMs) return false
    const receivedAt = agents.get(lease.agentId)?.receivedAt
    return receivedAt !== undefined && now - receivedAt <= silenceMs
  })
}
