import { type Principal, principalName } from '../../../spec/core/principal.ts'

/** As audit records name who called. For a run it is its machine, since whoever holds the run's token speaks from there. */
export function callerName(principal: Principal, address: string): string {
  if (principal.kind === 'run' || principal.kind === 'agent') return `agent:${principal.agentId}@${address}`
  return principalName(principal)
}
