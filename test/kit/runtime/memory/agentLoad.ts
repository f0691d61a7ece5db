import type { Vitals } from '../../../../actors/ports/presence.ts'
import { loadHoursDays } from '../../../../spec/agents/agentLoad.ts'
import type { AgentLoad, AgentLoadQuery } from '../../../../storage/ports/agentLoad.ts'
import type { MemoryState } from './state.ts'

const minuteMs = 60_000
const hourMs = 3_600_000

export function keepLoad(state: MemoryState, agentId: string, at: number, vitals: Vitals): void {
  const minutes = state.loads.get(agentId) ?? new Map<number, Vitals>()
  const minute = at - (at % minuteMs)
  if (!minutes.has(minute)) minutes.set(minute, vitals)
  state.loads.set(agentId, minutes)
}

/** Keeps the minutes for as long as PostgreSQL keeps the hours. */
export function removeOldLoads(state: MemoryState, now: number): void {
  for (const minutes of state.loads.values()) {
    for (const at of minutes.keys()) if (at < now - (now % hourMs) - loadHoursDays * 24 * hourMs) minutes.delete(at)
  }
}

/** An hour counts where it begins. */
export function readAgentLoad(state: MemoryState, { agentId, edges, minutes }: AgentLoadQuery): AgentLoad {
  const samples = [...(state.loads.get(agentId) ?? [])].map(([at, vitals]) => ({
    ...vitals,
    at: minutes ? at : at - (at % hourMs),
  }))
  const found = edges.slice(1).flatMap((until, index) => {
    const within = samples.filter(({ at }) => at >= (edges[index] ?? until) && at < until)
    if (within.length === 0) return []
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const [loads, memories] = [within.map(({ load }) => load), within.map((one) => one.freeMemoryBytes)]
    const figures = {
      load: mean(loads),
      loadMax: Math.max(...loads),
      freeMemoryBytes: Math.round(mean(memories)),
      freeMemoryBytesMin: Math.min(...memories),
    }
    return [[index, figures] as const]
  })
  return new Map(found)
}
