/** A statechart on the page: current states and the taken path are highlighted. For a kind, it shows how many actors each state has. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Box, ChartConnection, LabelLine } from '../../chart/chartLayout.ts'
import { type ActorTrace, findTakenPath, isConnectionTaken, isHubTaken, sortTakenLast } from '../../chart/takenPath.ts'
import {
  countConnection,
  countEdges,
  countLine,
  type EdgeCounts,
  getCountLevel,
  type TransitionCount,
} from '../../chart/transitionCounts.ts'
import { useAsyncData } from '../data/useQuery.ts'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Arrow } from './Arrow.tsx'
import { loadChartLayout } from './chartLayouts.ts'
import { HubDot } from './HubDot.tsx'
import { StateNode } from './StateNode.tsx'
import type { StateDuration } from './stateDurations.ts'
import { formatRate, type StateHeat } from './stateHeat.ts'
import { TransitionLabel } from './TransitionLabel.tsx'

interface StateChartProps {
  readonly hash: string
  readonly definition: string
  readonly title: string
  readonly trace: ActorTrace
  /** By path: the time that an actor spent in the state. */
  readonly durations?: ReadonlyMap<string, StateDuration>
  /** By path: how many actors have the state. */
  readonly heat?: ReadonlyMap<string, StateHeat>
  /** The transitions within the last `ms` milliseconds. */
  readonly throughput?: { readonly transitions: readonly TransitionCount[]; readonly ms: number } | undefined
  /** Called when a state is selected. */
  onSelectState?(path: string): void
}

const pad = 20

export function StateChart({
  hash,
  definition,
  title,
  trace,
  durations,
  heat,
  throughput,
  onSelectState,
}: StateChartProps) {
  const { data: chart, error } = useAsyncData(hash, () => loadChartLayout(hash, definition))
  const viewport = useRef<HTMLElement>(null)
  const [zoom, setZoom] = useState(1)
  const currentPaths = trace.current.join(' ')
  const hasHeat = (heat?.size ?? 0) > 0
  // Scroll to the current state, or, for a kind, to the state with the most actors.
  useLayoutEffect(() => {
    const box = viewport.current
    const target = box?.querySelector('.current .box') ?? box?.querySelector('.state[data-heat="5"] .box')
    if (!box || !target) return
    const [outer, inner] = [box.getBoundingClientRect(), target.getBoundingClientRect()]
    box.scrollBy({
      left: inner.left + inner.width / 2 - outer.left - outer.width / 2,
      top: inner.top + inner.height / 2 - outer.top - outer.height / 2,
    })
  }, [chart, currentPaths, zoom, hasHeat])
  if (chart === undefined && error !== undefined) return <ErrorMessage error={error} retriesAutomatically />
  if (chart === undefined)
    return (
      <p class="loading chart" role="status">
        Drawing the chart …
      </p>
    )
  const path = findTakenPath(chart.chart, trace)
  const counts = throughput && countEdges(chart.chart, throughput.transitions)
  const maxCount = Math.max(1, ...(counts?.edges.values() ?? []))
  const { width, height, boxes, connections, hubs, starts, dividers } = chart
  const ordered = sortTakenLast(connections, (one) => isConnectionTaken(one, path))
  return (
    <div class="figure">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section ref={viewport} class="chart" tabIndex={0} aria-label={`Chart: ${title}`}>
        <svg
          width={(width + 2 * pad) * zoom}
          height={(height + 2 * pad) * zoom}
          viewBox={`${-pad} ${-pad} ${width + 2 * pad} ${height + 2 * pad}`}
          role={onSelectState ? 'group' : 'img'}
          aria-label={describeChart(title, trace)}
        >
          {boxes.filter(hasBackground).map(({ node, x, y, width: w, height: h }) => (
            <rect key={node.path} class="chart-background" x={x} y={y} width={w} height={h} rx={12} />
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
              onSelect={onSelectState}
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
        </svg>
      </section>
      <div class="zoom">
        <button type="button" aria-label="Zoom out" onClick={() => setZoom(Math.max(0.25, zoom / 1.25))}>
          −
        </button>
        <button type="button" title="Original size" onClick={() => setZoom(1)}>
          {Math.round(zoom * 100)} %
        </button>
        <button type="button" aria-label="Zoom in" onClick={() => setZoom(Math.min(3, zoom * 1.25))}>
          +
        </button>
        <button type="button" onClick={() => setZoom(getFitZoom(viewport.current, width + 2 * pad, height + 2 * pad))}>
          Fit
        </button>
      </div>
    </div>
  )
}

/** Returns the zoom at which the whole chart is visible. */
function getFitZoom(box: HTMLElement | null, width: number, height: number): number {
  return box === null ? 1 : Math.min(1, box.clientWidth / width, (innerHeight * 0.78) / height)
}

function describeChart(title: string, { current, transitions }: ActorTrace): string {
  const now = current.length > 0 ? `, now in ${current.join(' and ')}` : ''
  return `${title}${now}${transitions.length > 0 ? `, after ${transitions.length} transitions` : ''}`
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
