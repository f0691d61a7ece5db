/** The label of an arrow: its events, and how often each was taken. */
import { guardGap } from '../../chart/labels.ts'
import type { Connection, LabelLine } from '../../chart/laidOut.ts'
import { isPassed, isTaken, type Way } from '../../chart/way.ts'

interface LabelProps {
  readonly one: Connection
  readonly way: Way
  /** Returns how often a line was taken, or '' for never. */
  readonly rate: ((line: LabelLine) => string) | undefined
}

export function Label({ one, way, rate }: LabelProps) {
  const { x, y, width, height } = one.label
  return (
    <g class={isTaken(one, way) ? 'edge taken' : 'edge'}>
      <rect class="pill" x={x} y={y} width={width} height={height} rx={7} />
      {one.lines.map((line) => (
        <text
          key={line.y}
          class={isPassed(line, way) ? 'event used' : 'event'}
          x={line.x}
          y={line.y}
          text-anchor="middle"
        >
          {line.event}
          {line.guard && (
            <tspan class="guard" dx={guardGap}>
              {line.guard}
            </tspan>
          )}
        </text>
      ))}
      {rate &&
        one.lines.map((line) => (
          <text key={line.y} class="rate" x={x + width + 4} y={line.y}>
            {rate(line)}
          </text>
        ))}
    </g>
  )
}
