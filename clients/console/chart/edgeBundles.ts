/** Determines which transitions share a line, so that a dense chart stays legible. */
import { type Chart, type ChartEdge, isWithin } from './model.ts'

/** The transitions in one line of a label: one, or the same one of several states. */
export interface BundleLine {
  readonly label: string
  readonly guard: string | null
  readonly edges: readonly ChartEdge[]
}

/** All transitions between two states, or all that the same several states have to one target. */
export interface EdgeBundle {
  readonly sources: readonly string[]
  readonly target: string
  readonly lines: readonly BundleLine[]
  /** Whether it leads to a state that was declared earlier. States are declared in the order of a lifecycle. */
  readonly isBackward: boolean
}

type TargetedEdge = ChartEdge & { readonly target: string }

/** The minimum number of states with the same transition before their lines meet at a hub. */
const minHubSources = 3

export function bundleEdges(chart: Chart): EdgeBundle[] {
  const order = new Map(chart.nodes.map(({ path }, index) => [path, index]))
  const getOrder = (path: string) => order.get(path) ?? 0
  const isBackward = ({ source, target }: TargetedEdge) =>
    !areNested(source, target) && getOrder(target) < getOrder(source)
  const targeted = chart.edges.filter((edge): edge is TargetedEdge => edge.target !== null)

  const shared = findSharedEdges(
    targeted.filter(({ source, target }) => !areNested(source, target)),
    isBackward,
  )
  const rest = targeted.filter((edge) => !shared.some((edges) => edges.includes(edge)))
  const groups = [
    ...Map.groupBy(rest, ({ source, target }) => toKey(source, target)).values(),
    ...[
      ...Map.groupBy(shared, (edges) => toKey(edges[0]?.target, listSources(edges), edges.map(isBackward)[0])).values(),
    ].map((all) => all.flat()),
  ]
  return groups.flatMap((edges) => {
    const [first] = edges
    if (first === undefined) return []
    return [
      {
        sources: listSources(edges),
        target: first.target,
        lines: groupIntoLines(edges),
        isBackward: isBackward(first),
      },
    ]
  })
}

/**
 * Returns the transitions that many states share. If all but a few states of one set form another set, the few have their own lines,
 * and the others share the hub. For example, `jobEnded` and `terminate` have one hub, though one more state can be terminated.
 */
function findSharedEdges(
  edges: readonly TargetedEdge[],
  isBackward: (edge: TargetedEdge) => boolean,
): TargetedEdge[][] {
  const equalEdges = Map.groupBy(edges, (edge) => toKey(edge.target, isBackward(edge), edge.label, edge.guard)).values()
  const shared = [...equalEdges].filter((all) => listSources(all).length >= minHubSources)
  const counts = Map.groupBy(shared, (all) => toKey(listSources(all)))
  const repeatedSets = [...counts.values()].flatMap((lists) =>
    lists.length > 1 && lists[0] ? [listSources(lists[0])] : [],
  )
  return shared.map((all) => {
    const sources = listSources(all)
    const subsets = repeatedSets.filter((set) => set.every((source) => sources.includes(source)))
    const largest = subsets.toSorted((a, b) => b.length - a.length)[0] ?? sources
    return all.filter(({ source }) => largest.includes(source))
  })
}

/** Transitions of one state have a line each. Equal transitions of several states share one. */
function groupIntoLines(edges: readonly ChartEdge[]): BundleLine[] {
  const hasOneSource = listSources(edges).length === 1
  const groups = hasOneSource
    ? edges.map((edge) => [edge])
    : Map.groupBy(edges, ({ label, guard }) => toKey(label, guard)).values()
  return [...groups].flatMap((all) => all.slice(0, 1).map(({ label, guard }) => ({ label, guard, edges: all })))
}

/** Returns the bundles whose lines meet at the same hub. */
export function groupByHub(bundles: readonly EdgeBundle[]): EdgeBundle[][] {
  const shared = bundles.filter(({ sources }) => sources.length > 1)
  return [...Map.groupBy(shared, ({ sources, isBackward }) => toKey(sources, isBackward)).values()]
}

function listSources(edges: readonly ChartEdge[]): string[] {
  return [...new Set(edges.map(({ source }) => source))]
}

function areNested(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a)
}

function toKey(...parts: readonly unknown[]): string {
  return JSON.stringify(parts)
}

export function findInternalEdges(chart: Chart, path: string): ChartEdge[] {
  return chart.edges.filter((edge) => edge.source === path && edge.target === null)
}
