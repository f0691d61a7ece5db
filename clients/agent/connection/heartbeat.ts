import { freemem, loadavg } from 'node:os'
import { ConnectionLost, messageOf } from '../failures.ts'
import type { Logger } from '../log.ts'
import { type AgentCli, type AgentDestination, type Attempt, agentHeartbeat } from '../operations.ts'
import type { Session } from './uplink.ts'

export interface Pulse {
  jobs(): Attempt[]
  clis(): AgentCli[]
  destinations(): readonly AgentDestination[]
  onStop(attempt: Attempt): Promise<void>
  log: Logger
}

/**
 * Renews the leases of the running jobs during the session. The interval does not wait for responses. A heartbeat without a response
 * ends the connection. Returns a function that sends a heartbeat immediately, for urgent changes.
 */
export function beat(session: Session, pulse: Pulse, ended: AbortSignal): () => void {
  let sent = { clis: '', destinations: '' }
  const once = async () => {
    if (ended.aborted) return
    const clis = pulse.clis()
    const destinations = [...pulse.destinations()]
    const now = { clis: JSON.stringify(clis), destinations: JSON.stringify(destinations) }
    try {
      const news = {
        ...(now.clis === sent.clis ? {} : { clis }),
        ...(now.destinations === sent.destinations ? {} : { destinations }),
      }
      const facts = { load: loadavg()[0] ?? 0, freeMemoryBytes: freemem(), jobs: pulse.jobs() }
      const { stop } = await session.ask(agentHeartbeat, { ...facts, ...news })
      sent = now
      for (const attempt of stop) await pulse.onStop(attempt)
    } catch (error) {
      if (!(error instanceof ConnectionLost)) pulse.log.warn('A heartbeat was not taken.', { reason: messageOf(error) })
    }
  }
  const timer = setInterval(once, session.heartbeatSeconds * 1000)
  ended.addEventListener('abort', () => clearInterval(timer), { once: true })
  void once()
  return () => void once()
}
