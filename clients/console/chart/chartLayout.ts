/** A chart with coordinates: all elements have positions in pixels, relative to the chart's corner. */
import type { FontName } from './fonts.ts'
import type { Chart, ChartEdge, ChartNode } from './model.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Rect extends Point {
  readonly width: number
  readonly height: number
}

/** A text with the start of its baseline. */
export interface TextRun extends Point {
  readonly text: string
  readonly font: FontName
  readonly width: number
}

/** An internal transition in the list inside its state. */
export interface InternalRun extends TextRun {
  readonly edge: ChartEdge
}

export interface Box extends Rect {
  readonly node: ChartNode
  readonly texts: readonly TextRun[]
  readonly internals: readonly InternalRun[]
  /** Whether it contains other boxes. Its runs are then in a header. */
  readonly hasChildren: boolean
}

/** One line of a connection's label, with its middle and its baseline. */
export interface LabelLine extends Point {
  /** One transition, or the same one of several states. */
  readonly edges: readonly ChartEdge[]
  readonly event: string
  readonly guard: string
}

/** Polylines. There is one, except for an edge that the layout had to cut at a border. */
export type Routes = readonly (readonly Point[])[]

/** All transitions between the same two states, or, from a hub, all that the same several states have to one. */
export interface ChartConnection {
  readonly sources: readonly string[]
  readonly target: string
  readonly routes: Routes
  readonly label: Rect
  readonly lines: readonly LabelLine[]
}

/** The point where the lines of several states with the same transitions meet. */
export interface Hub {
  readonly at: Point
  readonly branches: readonly {
    readonly source: string
    readonly edges: readonly ChartEdge[]
    readonly routes: Routes
  }[]
}

/** The arrow from the dot to the initial state. */
export interface InitialArrow {
  readonly target: string
  readonly dot: Point
  readonly routes: Routes
}

/** A dashed line between two regions of a parallel state. */
export interface Divider {
  readonly from: Point
  readonly to: Point
}

export interface ChartLayout {
  readonly chart: Chart
  readonly width: number
  readonly height: number
  readonly boxes: readonly Box[]
  readonly connections: readonly ChartConnection[]
  readonly hubs: readonly Hub[]
  readonly starts: readonly InitialArrow[]
  readonly dividers: readonly Divider[]
}

/** Returns every line of the chart except the dividers. */
export function listRoutes({ connections, hubs, starts }: ChartLayout): Routes {
  const branches = hubs.flatMap((hub) => hub.branches)
  return [...connections, ...branches, ...starts].flatMap(({ routes }) => routes)
}
