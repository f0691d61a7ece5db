/** Finds the path that an actor took among the chart's transitions. */
import type { ChartConnection, Hub, LabelLine } from './chartLayout.ts'
import { type Chart, type ChartEdge, isWithin } from './model.ts'

export interface TracedTransition {
  /** The paths of the active states before. Empty before the first transition. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly event: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface ActorTrace {
  readonly transitions: readonly TracedTransition[]
  /** The paths of the currently active states. */
  readonly current: readonly string[]
}

export interface TakenPath {
  /** The numbers of the actor's transitions, from 1, by the chart's transition. */
  readonly edges: ReadonlyMap<ChartEdge, readonly number[]>
  /** The same for the arrows to initial states, by the path of the initial state. */
  readonly starts: ReadonlyMap<string, readonly number[]>
  readonly visited: ReadonlySet<string>
  readonly current: ReadonlySet<string>
}

export function findTakenPath(chart: Chart, { transitions, current }: ActorTrace): TakenPath {
  const edges = new Map<ChartEdge, number[]>()
  const starts = new Map<string, number[]>()
  transitions.forEach((transition, index) => {
    for (const edge of findEdges(chart, transition)) edges.set(edge, [...(edges.get(edge) ?? []), index + 1])
    for (const path of findStarts(chart, transition)) starts.set(path, [...(starts.get(path) ?? []), index + 1])
  })
  const visited = transitions.flatMap(({ from, to }) => [...from, ...to])
  return {
    edges,
    starts,
    visited: addEnclosingStates(chart, [...visited, ...current]),
    current: addEnclosingStates(chart, current),
  }
}

/** Returns the label in the chart for each number: `after 10 s`, not `xstate.after.10000.run.STARTING`. */
export function getTransitionLabels({ edges, starts }: TakenPath): Map<number, string> {
  const named = [...edges].flatMap(([{ label, event }, numbers]) =>
    event === '' ? [] : numbers.map((number) => [number, label] as const),
  )
  return new Map([...[...starts.values()].flat().map((number) => [number, 'start'] as const), ...named])
}

function addEnclosingStates(chart: Chart, paths: readonly string[]): Set<string> {
  return new Set(chart.nodes.map(({ path }) => path).filter((path) => paths.some((one) => isWithin(one, path))))
}

/**
 * From the candidates of one state it selects the one that leads to the new states, otherwise the internal one. Then the deepest
 * states have priority, as in XState. Subsequent `always` transitions are included.
 */
function findEdges(chart: Chart, transition: TracedTransition): ChartEdge[] {
  const enabled = chart.edges.filter(
    (edge) => isActive(edge.source, transition.from) && handles(edge, transition.event),
  )
  const found = [...Map.groupBy(enabled, ({ source }) => source)].flatMap(([source, candidates]) => {
    const chains = candidates.map((edge) => [edge, ...findAlwaysChain(chart, edge, transition.to)])
    const arriving = chains.filter((chain) => leadsTo(chain.at(-1), transition.to))
    const entering = arriving.find(([edge]) => edge?.target != null && !isActive(edge.target, transition.from))
    const chain = entering ?? arriving.find(([edge]) => edge?.target === null) ?? arriving[0]
    return chain === undefined ? [] : [{ source, chain }]
  })
  const isOuter = (one: string) => found.some(({ source }) => source !== one && isWithin(source, one))
  return found.flatMap(({ source, chain }) => (isOuter(source) ? [] : chain))
}

/** Returns the chain of `always` transitions from the target of an edge to one of the states that became active. */
function findAlwaysChain(chart: Chart, edge: ChartEdge, to: readonly string[]): ChartEdge[] {
  const { target } = edge
  if (target === null || isActive(target, to)) return []
  const queue: ChartEdge[][] = [[]]
  const seen = new Set([target])
  for (const chain of queue) {
    const state = chain.at(-1)?.target ?? target
    for (const next of chart.edges) {
      if (next.event !== '' || next.target === null || !isWithin(state, next.source) || seen.has(next.target)) continue
      const longer = [...chain, next]
      if (isActive(next.target, to)) return longer
      seen.add(next.target)
      queue.push(longer)
    }
  }
  return []
}

function leadsTo(edge: ChartEdge | undefined, to: readonly string[]): boolean {
  return edge !== undefined && isActive(edge.target ?? edge.source, to)
}

function isActive(path: string, active: readonly string[]): boolean {
  return active.some((leaf) => isWithin(leaf, path))
}

/**
 * Returns whether an edge handles an event, which is named as in XState or as in the chart. `*` handles all events, and
 * `agent.*` all with that prefix.
 */
function handles({ event, label }: ChartEdge, name: string): boolean {
  if (event === name || label === name) return true
  return event === '*' || (event.endsWith('.*') && `${name}.`.startsWith(event.slice(0, -1)))
}

/** Returns the arrows to initial states, which only an actor's first transition uses. */
function findStarts(chart: Chart, { from, to }: TracedTransition): string[] {
  if (from.length > 0) return []
  return chart.nodes.flatMap(({ initial }) => (initial !== null && isActive(initial, to) ? [initial] : []))
}

/** Returns whether the path contains a transition of the connection. */
export function isConnectionTaken({ lines }: ChartConnection, path: TakenPath): boolean {
  return lines.some((line) => isLineTaken(line, path))
}

/** Returns whether the path contains a transition that shares this line. */
export function isLineTaken({ edges }: LabelLine | Hub['branches'][number], path: TakenPath): boolean {
  return edges.some((edge) => path.edges.has(edge))
}

/** Returns whether the path passes the hub. */
export function isHubTaken({ branches }: Hub, path: TakenPath): boolean {
  return branches.some((branch) => isLineTaken(branch, path))
}

/** Sorts the elements of the path to the end, so that no other line is drawn over them. */
export function sortTakenLast<T>(all: readonly T[], isTaken: (one: T) => boolean): readonly T[] {
  return all.toSorted((a, b) => Number(isTaken(a)) - Number(isTaken(b)))
}
