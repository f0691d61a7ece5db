/** The content of a state: its name, its label, and its internal transitions, with their measures. */
import { type FaceName, faces } from './faces.ts'
import type { InternalRun, Run } from './laidOut.ts'
import { type Face, textWidth } from './measure.ts'
import type { ChartEdge, ChartNode } from './model.ts'

/** The space for values that a page writes into states: how many actors have the state, and for how long. */
export interface Room {
  /** Whether each state without children has a line for figures at its bottom. */
  readonly figures: boolean
}

export interface Content {
  readonly width: number
  readonly height: number
  readonly runs: readonly Run[]
  readonly internals: readonly InternalRun[]
}

const padX = 14
const padY = 10
const lineHeight = 16
/** Internal transitions wrap at this width, or at the state's own width if that is larger. */
const flowWidth = 190
const gap = 12
/** The font of figures on the page, and their usual maximum width. */
const figuresFace: Face = { size: 10.5, bold: true }
const widestFigures = '50,000 · 48 min–23 h'

export function contentOf(node: ChartNode, internals: readonly ChartEdge[], room: Room): Content {
  const runs = wordsOf(node).map(([text, face], line) => {
    const width = textWidth(text, faces[face])
    return { text, face, width, x: padX, y: padY + 12 + line * lineHeight }
  })
  const figures = room.figures && node.children.length === 0
  const foot = figures ? textWidth(widestFigures, figuresFace) : 0
  const widest = Math.max(foot, ...runs.map((run) => run.width))
  if (runs.length + internals.length === 0) return { width: 0, height: 0, runs, internals: [] }
  const flowed = flow(internals, padY + runs.length * lineHeight + 6, Math.max(flowWidth, widest))
  const last = flowed.at(-1)?.y ?? (runs.at(-1)?.y ?? 0) - 2
  return {
    width: Math.ceil(Math.max(widest, ...flowed.map((run) => run.x + run.width - padX)) + 2 * padX),
    height: Math.ceil(last + padY + 4) + (figures ? lineHeight : 0),
    runs,
    internals: flowed,
  }
}

/** The title of the picture has the name of the root. A label that equals the name, such as “Running” in RUNNING, is omitted. */
function wordsOf({ parent, name, label }: ChartNode): [text: string, face: FaceName][] {
  if (parent === null) return []
  const says = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')
  return says(label) === says(name)
    ? [[name, 'name']]
    : [
        [name, 'name'],
        [label, 'label'],
      ]
}

/** Returns the text of a transition, with its guard. */
export function transitionText({ label, guard }: ChartEdge): string {
  return guard === null ? label : `${label} [${guard}]`
}

function flow(edges: readonly ChartEdge[], top: number, limit: number): InternalRun[] {
  let x = 0
  let line = 0
  return edges.map((edge) => {
    const text = transitionText(edge)
    // The ring before it takes 11 pixels.
    const width = textWidth(text, faces.internal) + 11
    if (x > 0 && x + width > limit) {
      x = 0
      line += 1
    }
    const run = { edge, text, face: 'internal' as const, width, x: padX + x, y: top + 12 + line * lineHeight }
    x += width + gap
    return run
  })
}
