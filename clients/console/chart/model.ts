/**
 * A statechart as the drawing sees it: states and transitions, without actions or functions.
 *
 *     definition --parseChart--> Chart --layoutChart--> LaidOutChart --renderChart--> SVG
 *
 * A path is the names from the root joined by dots; the root's own is ''.
 */

export type StateKind = 'atomic' | 'compound' | 'parallel' | 'region'

/** What a state says of itself. */
export interface ChartMeta {
  readonly label?: string
  readonly waitsFor?: string
  /** Milliseconds that it should take. */
  readonly expected?: number
  readonly lease?: string
  readonly unbounded?: string
}

export interface ChartNode {
  readonly path: string
  /** The last name of the path; the machine's id for the root. */
  readonly name: string
  /** In a person's words; the name where the state says nothing. */
  readonly label: string
  readonly kind: StateKind
  readonly parent: string | null
  readonly children: readonly string[]
  /** The path of the child that is entered first. */
  readonly initial: string | null
  readonly terminal: boolean
  readonly meta: ChartMeta
}

export interface ChartEdge {
  readonly source: string
  /** null for an internal transition: it changes data and stays where it is. */
  readonly target: string | null
  /** As XState names it: `cancel`, `xstate.after.10000.run.STARTING`; '' for `always`. */
  readonly event: string
  /** As a person reads it: `cancel`, `after 10 s`, `always`. */
  readonly label: string
  /** The guard's name; null where nothing guards. */
  readonly guard: string | null
}

export interface Chart {
  readonly id: string
  /** Parents stand before their children, in the order of the definition. */
  readonly nodes: readonly ChartNode[]
  readonly edges: readonly ChartEdge[]
}

/** Whether a state is another one or lies inside it. */
export function isWithin(path: string, outer: string): boolean {
  return outer === '' || path === outer || path.startsWith(`${outer}.`)
}
