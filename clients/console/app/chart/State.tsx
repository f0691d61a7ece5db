/** A state of the chart: current, visited, its time, and, for a kind, how many actors have it. */
import type { Box } from '../../chart/laidOut.ts'
import type { Way } from '../../chart/way.ts'
import { aspectOfState } from '../parts/aspects.ts'
import type { Heat } from './heat.ts'
import { Lasting } from './Lasting.tsx'
import type { Stood } from './times.ts'

interface StateProps {
  readonly box: Box
  readonly way: Way
  readonly heat: Heat | undefined
  readonly stood: Stood | undefined
  readonly onState: ((path: string) => void) | undefined
}

export function State({ box, way, heat, stood, onState }: StateProps) {
  const { node, x, y, width, height, holds, runs, internals } = box
  const place = way.current.has(node.path) ? ' current' : way.visited.has(node.path) ? ' visited' : ''
  if (holds)
    return (
      <g class="header">
        {runs.map((run) => (
          <text key={`${run.face} ${run.y}`} class={run.face} x={run.x} y={run.y}>
            {run.text}
          </text>
        ))}
      </g>
    )
  const choose = onState && (() => onState(node.path))
  const middle = x + width / 2
  const tips = [node.label, node.meta.waitsFor && `Waits for ${node.meta.waitsFor}.`, heat?.words].filter(Boolean)
  const figures = heat?.figures ?? (place !== '' && stood && <Lasting stood={stood} />)
  const level = heat === undefined ? undefined : Math.ceil(heat.share * 5)
  return (
    <g
      class={`state${node.terminal ? ' terminal' : ''}${place}`}
      data-heat={level}
      data-aspect={aspectOfState(node.path)}
    >
      <title>{tips.join('\n')}</title>
      <rect class="box" x={x} y={y} width={width} height={height} rx={9} />
      {node.terminal && <rect class="inner" x={x + 3.5} y={y + 3.5} width={width - 7} height={height - 7} rx={6} />}
      {runs.map((run) => (
        <text key={`${run.face} ${run.y}`} class={run.face} x={middle} y={run.y} text-anchor="middle">
          {run.text}
        </text>
      ))}
      {internals.map((run) => (
        <text key={`${run.y}`} class={way.edges.has(run.edge) ? 'internal used' : 'internal'} x={run.x + 11} y={run.y}>
          {run.text}
        </text>
      ))}
      {figures && (
        <text class="figures" x={middle} y={y + height - 9} text-anchor="middle">
          {figures}
        </text>
      )}
      {choose && heat && (
        <a
          href={`#${node.path}`}
          aria-label={`${node.name}: ${heat.words}. List them`}
          onClick={(event) => {
            event.preventDefault()
            choose()
          }}
        >
          <rect class="press" x={x} y={y} width={width} height={height} rx={9} />
        </a>
      )}
    </g>
  )
}
