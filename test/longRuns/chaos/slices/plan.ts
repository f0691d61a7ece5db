/** The number of faults of a whole run, divided into slices that each start a world of their own. */
import { type FaultKindName, faultKind, faultKindNames } from '../faults/kinds.ts'
import type { Topology } from '../program/world.ts'

/** The other faults: kills of the program, of the embedded database and of agents, while agents execute work. */
export const kills = 'kills'

export interface PlannedSlice {
  /** Its position in the plan. It names the slice's file in the state folder. */
  readonly id: string
  readonly kind: FaultKindName | typeof kills
  readonly topology: Topology
  readonly count: number
  readonly seed: number
  /** The seconds that it takes on two cores without other load. */
  readonly estimate: number
}

export interface PlanOptions {
  readonly seed: number
  readonly only?: string | undefined
  readonly topology?: Topology | undefined
  /** Used instead of 200 or 20. */
  readonly count?: number | undefined
}

const total = { instant: 200, lasting: 20, kills: 300 }
const perSlice = { instant: 100, lasting: 10, kills: 60 }
/** Seconds. Start, rest and checks of a slice, then each fault. */
const takes = { slice: 22, instant: 0.9, restart: 4.2, clock: 1.5, lasting: 17, kill: 3 }

export function planOf({ seed, only, topology, count }: PlanOptions): readonly PlannedSlice[] {
  const slices: PlannedSlice[] = []
  const add = (kind: PlannedSlice['kind'], on: Topology, all: number, most: number, each: number): void => {
    for (let left = all; left > 0; left -= most) {
      const place = slices.length
      const part = Math.min(left, most)
      const id = `${String(place + 1).padStart(3, '0')}-${kind}-${on}`
      slices.push({
        id,
        kind,
        topology: on,
        count: part,
        seed: seed * 1_000 + place,
        estimate: takes.slice + part * each,
      })
    }
  }
  const chosen = (kind: string, on: Topology): boolean =>
    (only === undefined || only === kind) && (topology === undefined || topology === on)
  for (const kind of faultKindNames) {
    const { lasting, topologies } = faultKind(kind)
    for (const on of topologies) {
      // `kills` kills a single process, under a load that executes work.
      if (!chosen(kind, on) || (only === undefined && kind === 'killed-process' && on === 'embedded')) continue
      const each = lasting
        ? takes.lasting
        : kind === 'killed-process'
          ? takes.restart
          : kind.startsWith('clock')
            ? takes.clock
            : takes.instant
      add(
        kind,
        on,
        count ?? (lasting ? total.lasting : total.instant),
        lasting ? perSlice.lasting : perSlice.instant,
        each,
      )
    }
  }
  if (chosen(kills, 'embedded')) add(kills, 'embedded', count ?? total.kills, perSlice.kills, takes.kill)
  return slices
}
