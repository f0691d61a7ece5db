/**
 * The model of a statechart for drawing: states and transitions, without actions or functions.
 *
 * ```
 * definition --parseChart--> Chart --layoutChart--> LaidOutChart --renderChart--> SVG
 * ```
 *
 * A path consists of the names from the root, joined by dots. The path of the root is ''.
 */

export type StateKind = 'atomic' | 'compound' | 'parallel' | 'region'

/** The metadata of a state. */
export interface ChartMeta {
  readonly label?: string
  readonly waitsFor?: string
  /** The expected duration in milliseconds. */
  readonly expected?: number
  readonly lease?: string
  readonly unbounded?: string
}

export interface ChartNode {
  readonly path: string
  /** The last name of the path. For the root, the machine's ID. */
  readonly name: string
  /** A label for people. Equals the name if the state has none. */
  readonly label: string
  readonly kind: StateKind
  readonly parent: string | null
  readonly children: readonly string[]
  /** The path of the initial child. */
  readonly initial: string | null
  readonly terminal: boolean
  readonly meta: ChartMeta
}

export interface ChartEdge {
  readonly source: string
  /** null for an internal transition: it changes data and keeps the state. */
  readonly target: string | null
  /** The name in XState: `cancel`, `xstate.after.10000.run.STARTING`, or '' for `always`. */
  readonly event: string
  /** A label for people: `cancel`, `after 10 s`, `always`. */
  readonly label: string
  /** The guard's name, or null if there is no guard. */
  readonly guard: string | null
}

export interface Chart {
  readonly id: string
  /** Parents are before their children, in the order of the definition. */
  readonly nodes: readonly ChartNode[]
  readonly edges: readonly ChartEdge[]
}

/** Returns whether a state is another one or is inside it. */
export function isWithin(path: string, outer: string): boolean {
  return outer === '' || path === outer || path.startsWith(`${outer}.`)
}
