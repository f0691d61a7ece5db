/** A state of the chart: current, visited, its time, and, for a kind, how many actors have it. */
import type { Box } from '../../chart/chartLayout.ts'
import type { TakenPath } from '../../chart/takenPath.ts'
import { format, messages } from '../messages.ts'
import { getStateTone } from '../parts/statusTone.ts'
import { getHeatLevel } from './ChartOutline.tsx'
import type { StateDuration } from './stateDurations.ts'
import type { StateHeat } from './stateHeat.ts'
import { getStateLabel } from './stateLabel.ts'
import { TimeInState } from './TimeInState.tsx'

interface StateNodeProps {
  readonly box: Box
  readonly path: TakenPath
  readonly heat: StateHeat | undefined
  readonly duration: StateDuration | undefined
  readonly onSelect: ((path: string) => void) | undefined
}

export function StateNode({ box, path, heat, duration, onSelect }: StateNodeProps) {
  const { node, x, y, width, height, hasChildren, texts, internals } = box
  const visit = path.current.has(node.path) ? ' current' : path.visited.has(node.path) ? ' visited' : ''
  if (hasChildren)
    return (
      <g class="header">
        {texts.map((run) => (
          <text key={`${run.font} ${run.y}`} class={run.font} x={run.x} y={run.y}>
            {run.text}
          </text>
        ))}
      </g>
    )
  const select = onSelect && (() => onSelect(node.path))
  const middle = x + width / 2
  const label = getStateLabel(node)
  // The name is what the API and the journal have.
  const tooltip = [
    label,
    node.name,
    node.meta.waitsFor && format(messages.statechart.waitsFor, { what: node.meta.waitsFor }),
    heat?.description,
  ].filter(Boolean)
  const figures = heat?.figures ?? (visit !== '' && duration && <TimeInState duration={duration} />)
  return (
    <g
      class={`state${node.terminal ? ' terminal' : ''}${visit}`}
      data-heat={getHeatLevel(heat)}
      data-tone={getStateTone(node.path)}
    >
      <title>{tooltip.join('\n')}</title>
      <rect class="box" x={x} y={y} width={width} height={height} rx={9} />
      {node.terminal && <rect class="inner" x={x + 3.5} y={y + 3.5} width={width - 7} height={height - 7} rx={6} />}
      {texts.map((run) => (
        <text key={`${run.font} ${run.y}`} class={run.font} x={middle} y={run.y} text-anchor="middle">
          {run.text}
        </text>
      ))}
      {internals.map((run) => (
        <text key={`${run.y}`} class={path.edges.has(run.edge) ? 'internal used' : 'internal'} x={run.x + 11} y={run.y}>
          {run.text}
        </text>
      ))}
      {figures && (
        <text class="figures" x={middle} y={y + height - 9} text-anchor="middle">
          {figures}
        </text>
      )}
      {select && heat && (
        <a
          href={`#${node.path}`}
          aria-label={format(messages.statechart.listActors, { state: label, figures: heat.description })}
          onClick={(event) => {
            event.preventDefault()
            select()
          }}
        >
          <rect class="hit-area" x={x} y={y} width={width} height={height} rx={9} />
        </a>
      )}
    </g>
  )
}
