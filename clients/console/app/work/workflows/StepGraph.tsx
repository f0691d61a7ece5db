/** The steps of a workflow as a graph, from left to right. */
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { type GraphStep, layoutSteps, type Place } from './layoutSteps.ts'

export interface ShownStep extends GraphStep {
  readonly title: string
  /** Shown if it has no status. */
  readonly kind?: string
  /** Of the step of a run. */
  readonly status?: string
}

interface StepGraphProps {
  readonly label: string
  readonly steps: readonly ShownStep[]
  /** The name of the selected step. */
  readonly selected?: string | undefined
  onSelect?(name: string): void
}

// In pixels.
const size = { width: 192, height: 52 }
const gap = { x: 36, y: 14 }
/** Room for the focus ring. */
const margin = 4

const leftOf = ({ column }: Place) => margin + column * (size.width + gap.x)
const topOf = ({ row }: Place) => margin + row * (size.height + gap.y)

export function StepGraph({ label, steps, selected, onSelect }: StepGraphProps) {
  const { places, arrows, columnCount, rowCount } = layoutSteps(steps)
  const width = columnCount * (size.width + gap.x) - gap.x + 2 * margin
  const height = rowCount * (size.height + gap.y) - gap.y + 2 * margin
  if (steps.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section class="step-graph" aria-label={label} tabIndex={0}>
      <div style={{ width: `${width}px`, height: `${height}px` }}>
        <svg width={width} height={height} aria-hidden="true">
          {arrows.map((places) => {
            const path = drawArrow(places)
            return <path key={path} d={path} />
          })}
        </svg>
        <ol>
          {steps.map((step, index) => {
            const place = places[index] ?? { column: 0, row: 0 }
            const position = {
              left: `${leftOf(place)}px`,
              top: `${topOf(place)}px`,
              width: `${size.width}px`,
              height: `${size.height}px`,
            }
            return (
              // A step that is written has no unique name yet.
              <li key={index} style={position} data-status={step.status}>
                {onSelect ? (
                  <button
                    type="button"
                    class="step-node"
                    aria-pressed={step.name === selected}
                    onClick={() => onSelect(step.name)}
                  >
                    <StepText step={step} />
                  </button>
                ) : (
                  <span class="step-node">
                    <StepText step={step} />
                  </span>
                )}
              </li>
            )
          })}
        </ol>
      </div>
    </section>
  )
}

function StepText({ step: { title, kind, status } }: { readonly step: ShownStep }) {
  return (
    <>
      <span class="step-title" title={title}>
        {title}
      </span>
      {status === undefined ? <span class="hint">{kind}</span> : <StatusBadge status={status} />}
    </>
  )
}

/** A line through the middle of the free places, from the right edge of the first step to the left edge of the last one. */
function drawArrow(places: readonly Place[]): string {
  const middle = (place: Place) => topOf(place) + size.height / 2
  const parts: string[] = []
  places.forEach((place, index) => {
    const before = places[index - 1]
    if (before === undefined) {
      parts.push(`M${leftOf(place) + size.width} ${middle(place)}`)
      return
    }
    const [x, y] = [leftOf(place), middle(place)]
    const half = x - gap.x / 2
    parts.push(`C${half} ${middle(before)} ${half} ${y} ${x} ${y}`)
    if (index < places.length - 1) parts.push(`H${x + size.width}`)
  })
  return parts.join('')
}
