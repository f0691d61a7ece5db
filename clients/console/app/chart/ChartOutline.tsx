/** The states of a chart without their texts, for the minimap. */
import type { ChartLayout } from '../../chart/chartLayout.ts'
import type { TakenPath } from '../../chart/takenPath.ts'
import { getStateTone } from '../parts/statusTone.ts'
import type { StateHeat } from './stateHeat.ts'

interface ChartOutlineProps {
  readonly layout: ChartLayout
  readonly path: TakenPath
  readonly heat: ReadonlyMap<string, StateHeat> | undefined
}

export function ChartOutline({ layout: { boxes }, path, heat }: ChartOutlineProps) {
  return (
    <>
      {boxes
        .filter(({ hasChildren }) => !hasChildren)
        .map(({ node, x, y, width, height }) => (
          <g
            key={node.path}
            class={path.current.has(node.path) ? 'current' : path.visited.has(node.path) ? 'visited' : undefined}
            data-tone={getStateTone(node.path)}
            data-heat={getHeatLevel(heat?.get(node.path))}
          >
            <rect class="box" x={x} y={y} width={width} height={height} rx={9} />
          </g>
        ))}
    </>
  )
}

/** Returns a level from 1 to 5. */
export function getHeatLevel(heat: StateHeat | undefined): number | undefined {
  return heat === undefined ? undefined : Math.ceil(heat.share * 5)
}
