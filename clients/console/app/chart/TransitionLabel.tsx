/** The label of an arrow: its events, and how often each was taken. */
import type { ChartConnection, LabelLine } from '../../chart/chartLayout.ts'
import { guardGap } from '../../chart/labels.ts'
import { isConnectionTaken, isLineTaken, type TakenPath } from '../../chart/takenPath.ts'

interface TransitionLabelProps {
  readonly connection: ChartConnection
  readonly path: TakenPath
  /** Returns how often a line was taken, or '' for never. */
  readonly formatLineRate: ((line: LabelLine) => string) | undefined
}

export function TransitionLabel({ connection, path, formatLineRate }: TransitionLabelProps) {
  const { x, y, width, height } = connection.label
  return (
    <g class={isConnectionTaken(connection, path) ? 'edge taken' : 'edge'}>
      <rect class="pill" x={x} y={y} width={width} height={height} rx={7} />
      {connection.lines.map((line) => (
        <text
          key={line.y}
          class={isLineTaken(line, path) ? 'event used' : 'event'}
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
      {formatLineRate &&
        connection.lines.map((line) => (
          <text key={line.y} class="rate" x={x + width + 4} y={line.y}>
            {formatLineRate(line)}
          </text>
        ))}
    </g>
  )
}
