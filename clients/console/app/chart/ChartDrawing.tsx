/** The content of a chart: backgrounds, arrows, states and labels, in the order in which they cover each other. */
import type { Box, ChartConnection, ChartLayout, LabelLine } from '../../chart/chartLayout.ts'
import { isConnectionTaken, isHubTaken, sortTakenLast, type TakenPath } from '../../chart/takenPath.ts'
import {
  countConnection,
  countEdges,
  countLine,
  type EdgeCounts,
  getCountLevel,
  type TransitionCount,
} from '../../chart/transitionCounts.ts'
import { Arrow } from './Arrow.tsx'
import { HubDot } from './HubDot.tsx'
import { StateNode } from './StateNode.tsx'
import type { StateDuration } from './stateDurations.ts'
import { formatRate, type StateHeat } from './stateHeat.ts'
import { TransitionLabel } from './TransitionLabel.tsx'

interface ChartDrawingProps {
  readonly layout: ChartLayout
  readonly path: TakenPath
  readonly durations?: ReadonlyMap<string, StateDuration>
  readonly heat?: ReadonlyMap<string, StateHeat>
  readonly throughput?: { readonly transitions: readonly TransitionCount[]; readonly ms: number } | undefined
  readonly onSelect: ((path: string) => void) | undefined
}

export function ChartDrawing({ layout, path, durations, heat, throughput, onSelect }: ChartDrawingProps) {
  const counts = throughput && countEdges(layout.chart, throughput.transitions)
  const maxCount = Math.max(1, ...(counts?.edges.values() ?? []))
  const { boxes, connections, hubs, starts, dividers } = layout
  const ordered = sortTakenLast(connections, (one) => isConnectionTaken(one, path))
  return (
    <>
      {boxes.filter(hasBackground).map(({ node, x, y, width, height }) => (
        <rect key={node.path} class="chart-background" x={x} y={y} width={width} height={height} rx={12} />
      ))}
      {dividers.map(({ from, to }) => (
        <line key={`${from.x} ${from.y}`} class="divider" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      ))}
      {starts.map((start) => (
        <g key={start.target} class={path.starts.has(start.target) ? 'edge taken' : 'edge'}>
          <circle class="dot" cx={start.dot.x} cy={start.dot.y} r={5} />
          <Arrow routes={start.routes} />
        </g>
      ))}
      {sortTakenLast(hubs, (hub) => isHubTaken(hub, path)).map((hub) => (
        <HubDot key={`${hub.at.x} ${hub.at.y}`} hub={hub} path={path} />
      ))}
      {ordered.map((one) => (
        <g
          key={getConnectionKey(one)}
          class={isConnectionTaken(one, path) ? 'edge taken' : 'edge'}
          data-flow={counts && getCountLevel(countConnection(one, counts), maxCount)}
        >
          <Arrow routes={one.routes} />
        </g>
      ))}
      {boxes.map((box) => (
        <StateNode
          key={box.node.path}
          box={box}
          path={path}
          heat={heat?.get(box.node.path)}
          duration={durations?.get(box.node.path)}
          onSelect={onSelect}
        />
      ))}
      {ordered.map((one) => (
        <TransitionLabel
          key={getConnectionKey(one)}
          connection={one}
          path={path}
          formatLineRate={throughput && counts && ((line) => formatLineRate(line, counts, throughput.ms))}
        />
      ))}
    </>
  )
}

function hasBackground({ hasChildren, node }: Box): boolean {
  return hasChildren && node.parent !== null && node.kind !== 'region'
}

function formatLineRate(line: LabelLine, counts: EdgeCounts, ms: number): string {
  const count = countLine(line, counts)
  return count === 0 ? '' : formatRate(count, ms)
}

function getConnectionKey({ sources, target, label }: ChartConnection): string {
  return `${sources} ${target} ${label.x} ${label.y}`
}
