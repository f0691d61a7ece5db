/** The content of a state: its name, its label, and its internal transitions, with their measures. */

import type { InternalRun, TextRun } from './chartLayout.ts'
import { type FontName, fonts } from './fonts.ts'
import { type Font, measureText } from './measure.ts'
import type { ChartEdge, ChartNode } from './model.ts'

/** The space for values that a page writes into states: how many actors have the state, and for how long. */
export interface ContentOptions {
  /** Whether each state without children has a line for figures at its bottom. */
  readonly figures: boolean
  /** Returns the only text of a state. Without it, a state has its name, and its label if that differs. */
  readonly getLabel?: (node: ChartNode) => string
}

export interface StateContent {
  readonly width: number
  readonly height: number
  readonly texts: readonly TextRun[]
  readonly internals: readonly InternalRun[]
}

const padX = 14
const padY = 10
const lineHeight = 16
/** Internal transitions wrap at this width, or at the state's own width if that is larger. */
const wrapWidth = 190
const gap = 12
/** The font of figures on the page, and their usual maximum width. */
const figuresFont: Font = { size: 10.5, bold: true }
const widestFigures = '50,000 · 48 min–23 h'

export function layoutContent(node: ChartNode, internals: readonly ChartEdge[], options: ContentOptions): StateContent {
  const texts = listTexts(node, options).map(([text, font], line) => {
    const width = measureText(text, fonts[font])
    return { text, font, width, x: padX, y: padY + 12 + line * lineHeight }
  })
  const hasFigures = options.figures && node.children.length === 0
  const figuresWidth = hasFigures ? measureText(widestFigures, figuresFont) : 0
  const widest = Math.max(figuresWidth, ...texts.map((run) => run.width))
  if (texts.length + internals.length === 0) return { width: 0, height: 0, texts, internals: [] }
  const wrapped = wrapInternals(internals, padY + texts.length * lineHeight + 6, Math.max(wrapWidth, widest))
  const last = wrapped.at(-1)?.y ?? (texts.at(-1)?.y ?? 0) - 2
  return {
    width: Math.ceil(Math.max(widest, ...wrapped.map((run) => run.x + run.width - padX)) + 2 * padX),
    height: Math.ceil(last + padY + 4) + (hasFigures ? lineHeight : 0),
    texts,
    internals: wrapped,
  }
}

/** The title of the picture has the name of the root. A label that equals the name, such as “Running” in RUNNING, is omitted. */
function listTexts(node: ChartNode, { getLabel }: ContentOptions): [text: string, font: FontName][] {
  const { parent, name, label } = node
  if (parent === null) return []
  if (getLabel !== undefined) return [[getLabel(node), 'name']]
  const normalize = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')
  return normalize(label) === normalize(name)
    ? [[name, 'name']]
    : [
        [name, 'name'],
        [label, 'label'],
      ]
}

/** Returns the text of a transition, with its guard. */
export function formatTransition({ label, guard }: ChartEdge): string {
  return guard === null ? label : `${label} [${guard}]`
}

function wrapInternals(edges: readonly ChartEdge[], top: number, limit: number): InternalRun[] {
  let x = 0
  let line = 0
  return edges.map((edge) => {
    const text = formatTransition(edge)
    // The ring before it takes 11 pixels.
    const width = measureText(text, fonts.internal) + 11
    if (x > 0 && x + width > limit) {
      x = 0
      line += 1
    }
    const run = { edge, text, font: 'internal' as const, width, x: padX + x, y: top + 12 + line * lineHeight }
    x += width + gap
    return run
  })
}
