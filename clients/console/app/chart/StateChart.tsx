/** A statechart on the page: current states and the way are highlighted. For a kind, it shows how many actors each state has. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Flow, flowIn, flowOf, levelOf, type Passed, takenIn } from '../../chart/flow.ts'
import type { Box, Connection, LabelLine } from '../../chart/laidOut.ts'
import { findWay, isMet, isTaken, type Taken, takenLast } from '../../chart/way.ts'
import { useAnswer } from '../data/useQuery.ts'
import { Refused } from '../parts/Notice.tsx'
import { Arrow } from './Arrow.tsx'
import { HubDot } from './HubDot.tsx'
import { type Heat, rateOf } from './heat.ts'
import { Label } from './Label.tsx'
import { layoutOf } from './layouts.ts'
import { State } from './State.tsx'
import type { Stood } from './times.ts'

interface ChartProps {
  readonly hash: string
  readonly definition: string
  readonly title: string
  readonly taken: Taken
  /** By path: the time that an actor spent in the state. */
  readonly times?: ReadonlyMap<string, Stood>
  /** By path: how many actors have the state. */
  readonly heat?: ReadonlyMap<string, Heat>
  /** The transitions within the last `ms` milliseconds. */
  readonly flow?: { readonly passed: readonly Passed[]; readonly ms: number } | undefined
  /** Called when a state is selected. */
  onState?(path: string): void
}

const pad = 20

export function StateChart({ hash, definition, title, taken, times, heat, flow, onState }: ChartProps) {
  const { data: chart, refusal } = useAnswer(hash, () => layoutOf(hash, definition))
  const ground = useRef<HTMLElement>(null)
  const [zoom, setZoom] = useState(1)
  const here = taken.current.join(' ')
  const isHot = (heat?.size ?? 0) > 0
  // Scroll to the current state, or, for a kind, to the state with the most actors.
  useLayoutEffect(() => {
    const box = ground.current
    const lit = box?.querySelector('.current .box') ?? box?.querySelector('.state[data-heat="5"] .box')
    if (!box || !lit) return
    const [outer, inner] = [box.getBoundingClientRect(), lit.getBoundingClientRect()]
    box.scrollBy({
      left: inner.left + inner.width / 2 - outer.left - outer.width / 2,
      top: inner.top + inner.height / 2 - outer.top - outer.height / 2,
    })
  }, [chart, here, zoom, isHot])
  if (chart === undefined && refusal !== undefined) return <Refused refusal={refusal} byItself />
  if (chart === undefined)
    return (
      <p class="loading chart" role="status">
        Drawing the chart …
      </p>
    )
  const way = findWay(chart.chart, taken)
  const flows = flow && flowOf(chart.chart, flow.passed)
  const mostTaken = Math.max(1, ...(flows?.edges.values() ?? []))
  const { width, height, boxes, connections, hubs, starts, dividers } = chart
  const order = takenLast(connections, (one) => isTaken(one, way))
  return (
    <div class="figure">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section ref={ground} class="chart" tabIndex={0} aria-label={`${title}: the chart`}>
        <svg
          width={(width + 2 * pad) * zoom}
          height={(height + 2 * pad) * zoom}
          viewBox={`${-pad} ${-pad} ${width + 2 * pad} ${height + 2 * pad}`}
          role={onState ? 'group' : 'img'}
          aria-label={described(title, taken)}
        >
          {boxes.filter(isGround).map(({ node, x, y, width: w, height: h }) => (
            <rect key={node.path} class="ground" x={x} y={y} width={w} height={h} rx={12} />
          ))}
          {dividers.map(({ from, to }) => (
            <line key={`${from.x} ${from.y}`} class="divider" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
          ))}
          {starts.map((start) => (
            <g key={start.target} class={way.starts.has(start.target) ? 'edge taken' : 'edge'}>
              <circle class="dot" cx={start.dot.x} cy={start.dot.y} r={5} />
              <Arrow routes={start.routes} />
            </g>
          ))}
          {takenLast(hubs, (hub) => isMet(hub, way)).map((hub) => (
            <HubDot key={`${hub.at.x} ${hub.at.y}`} hub={hub} way={way} />
          ))}
          {order.map((one) => (
            <g
              key={nameOf(one)}
              class={isTaken(one, way) ? 'edge taken' : 'edge'}
              data-flow={flows && levelOf(flowIn(one, flows), mostTaken)}
            >
              <Arrow routes={one.routes} />
            </g>
          ))}
          {boxes.map((box) => (
            <State
              key={box.node.path}
              box={box}
              way={way}
              heat={heat?.get(box.node.path)}
              stood={times?.get(box.node.path)}
              onState={onState}
            />
          ))}
          {order.map((one) => (
            <Label
              key={nameOf(one)}
              one={one}
              way={way}
              rate={flow && flows && ((line) => rateIn(line, flows, flow.ms))}
            />
          ))}
        </svg>
      </section>
      <div class="zoom">
        <button type="button" aria-label="Smaller" onClick={() => setZoom(Math.max(0.25, zoom / 1.25))}>
          −
        </button>
        <button type="button" title="Its own size" onClick={() => setZoom(1)}>
          {Math.round(zoom * 100)} %
        </button>
        <button type="button" aria-label="Larger" onClick={() => setZoom(Math.min(3, zoom * 1.25))}>
          +
        </button>
        <button type="button" onClick={() => setZoom(fitting(ground.current, width + 2 * pad, height + 2 * pad))}>
          Whole
        </button>
      </div>
    </div>
  )
}

/** Returns the zoom at which the whole chart is visible. */
function fitting(box: HTMLElement | null, width: number, height: number): number {
  return box === null ? 1 : Math.min(1, box.clientWidth / width, (innerHeight * 0.78) / height)
}

function described(title: string, { current, steps }: Taken): string {
  const now = current.length > 0 ? `, now in ${current.join(' and ')}` : ''
  return `${title}${now}${steps.length > 0 ? `, after ${steps.length} steps` : ''}`
}

function isGround({ holds, node }: Box): boolean {
  return holds && node.parent !== null && node.kind !== 'region'
}

function rateIn(line: LabelLine, flows: Flow, ms: number): string {
  const count = takenIn(line, flows)
  return count === 0 ? '' : rateOf(count, ms)
}

function nameOf({ sources, target, label }: Connection): string {
  return `${sources} ${target} ${label.x} ${label.y}`
}
