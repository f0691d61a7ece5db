import { type Principal, principalName } from '../../../spec/core/principal.ts'

/** The caller's name in audit records. The caller of a run's tool is the run's agent with its address, because the agent has the run's token. */
export function callerName(principal: Principal, address: string): string {
  if (principal.kind === 'run' || principal.kind === 'agent') return `agent:${principal.agentId}@${address}`
  return principalName(principal)
}
