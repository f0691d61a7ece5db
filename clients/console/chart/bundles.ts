/** Determines which transitions share a line, so that a dense chart stays legible. */
import { type Chart, type ChartEdge, isWithin } from './model.ts'

/** The transitions in one line of a label: one, or the same one of several states. */
export interface BundleLine {
  readonly label: string
  readonly guard: string | null
  readonly edges: readonly ChartEdge[]
}

/** All transitions between two states, or all that the same several states have to one target. */
export interface Bundle {
  readonly sources: readonly string[]
  readonly target: string
  readonly lines: readonly BundleLine[]
  /** Whether it leads to a state that was declared earlier. States are declared in the order of a lifecycle. */
  readonly back: boolean
}

type Leading = ChartEdge & { readonly target: string }

/** The minimum number of states with the same transition before their lines meet at a hub. */
const hubFrom = 3

export function bundlesOf(chart: Chart): Bundle[] {
  const order = new Map(chart.nodes.map(({ path }, index) => [path, index]))
  const place = (path: string) => order.get(path) ?? 0
  const isBack = ({ source, target }: Leading) => !nested(source, target) && place(target) < place(source)
  const leading = chart.edges.filter((edge): edge is Leading => edge.target !== null)

  const shared = sharedBy(
    leading.filter(({ source, target }) => !nested(source, target)),
    isBack,
  )
  const rest = leading.filter((edge) => !shared.some((edges) => edges.includes(edge)))
  const groups = [
    ...Map.groupBy(rest, ({ source, target }) => key(source, target)).values(),
    ...[...Map.groupBy(shared, (edges) => key(edges[0]?.target, sourcesOf(edges), edges.map(isBack)[0])).values()].map(
      (all) => all.flat(),
    ),
  ]
  return groups.flatMap((edges) => {
    const [first] = edges
    if (first === undefined) return []
    return [{ sources: sourcesOf(edges), target: first.target, lines: linesOf(edges), back: isBack(first) }]
  })
}

/**
 * Returns the transitions that many states share. If all but a few states of one set form another set, the few have their own lines,
 * and the others share the hub. For example, `jobEnded` and `terminate` have one hub, though one more state can be terminated.
 */
function sharedBy(edges: readonly Leading[], isBack: (edge: Leading) => boolean): Leading[][] {
  const alike = Map.groupBy(edges, (edge) => key(edge.target, isBack(edge), edge.label, edge.guard)).values()
  const wide = [...alike].filter((all) => sourcesOf(all).length >= hubFrom)
  const counts = Map.groupBy(wide, (all) => key(sourcesOf(all)))
  const often = [...counts.values()].flatMap((lists) => (lists.length > 1 && lists[0] ? [sourcesOf(lists[0])] : []))
  return wide.map((all) => {
    const own = sourcesOf(all)
    const inside = often.filter((set) => set.every((source) => own.includes(source)))
    const best = inside.toSorted((a, b) => b.length - a.length)[0] ?? own
    return all.filter(({ source }) => best.includes(source))
  })
}

/** Transitions of one state have a line each. Equal transitions of several states share one. */
function linesOf(edges: readonly ChartEdge[]): BundleLine[] {
  const single = sourcesOf(edges).length === 1
  const groups = single
    ? edges.map((edge) => [edge])
    : Map.groupBy(edges, ({ label, guard }) => key(label, guard)).values()
  return [...groups].flatMap((all) => all.slice(0, 1).map(({ label, guard }) => ({ label, guard, edges: all })))
}

/** Returns the bundles whose lines meet at the same hub. */
export function hubsOf(bundles: readonly Bundle[]): Bundle[][] {
  const shared = bundles.filter(({ sources }) => sources.length > 1)
  return [...Map.groupBy(shared, ({ sources, back }) => key(sources, back)).values()]
}

function sourcesOf(edges: readonly ChartEdge[]): string[] {
  return [...new Set(edges.map(({ source }) => source))]
}

function nested(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a)
}

function key(...parts: readonly unknown[]): string {
  return JSON.stringify(parts)
}

export function internalsOf(chart: Chart, path: string): ChartEdge[] {
  return chart.edges.filter((edge) => edge.source === path && edge.target === null)
}
