/** A statechart on the page: current states lit, the way marked, and, for a kind, how many stand where. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { headInset, headPath, roundedPath } from '../../chart/draw/path.ts'
import { type Flow, flowOf, type Passed } from '../../chart/flow.ts'
import { guardGap } from '../../chart/labels.ts'
import type { Box, Connection, LabelLine, LaidOutChart, Routes } from '../../chart/laidOut.ts'
import { findWay, type Taken, type Way } from '../../chart/way.ts'
import { type Heat, rateOf } from '../data/heat.ts'
import { layoutOf } from './layouts.ts'

interface ChartProps {
  readonly hash: string
  readonly definition: string
  readonly title: string
  readonly taken: Taken
  /** By path: who stands there. */
  readonly heat?: ReadonlyMap<string, Heat>
  /** What was taken within so many milliseconds. */
  readonly flow?: { readonly passed: readonly Passed[]; readonly ms: number } | undefined
  /** A state was chosen. */
  onState?(path: string): void
}

const pad = 20

export function StateChart({ hash, definition, title, taken, heat, flow, onState }: ChartProps) {
  const [chart, setChart] = useState<LaidOutChart>()
  useEffect(() => {
    let current = true
    void layoutOf(hash, definition).then((done) => current && setChart(done))
    return () => {
      current = false
    }
  }, [hash, definition])
  const ground = useRef<HTMLElement>(null)
  const [zoom, setZoom] = useState(1)
  const here = taken.current.join(' ')
  // What is lit is what one wants to see first.
  useLayoutEffect(() => {
    const box = ground.current
    const lit = box?.querySelector('.current .box')
    if (!box || !lit) return
    const [outer, inner] = [box.getBoundingClientRect(), lit.getBoundingClientRect()]
    box.scrollBy({
      left: inner.left + inner.width / 2 - outer.left - outer.width / 2,
      top: inner.top + inner.height / 2 - outer.top - outer.height / 2,
    })
  }, [chart, here, zoom])
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
  const order = connections.toSorted((a, b) => Number(isTaken(a, way)) - Number(isTaken(b, way)))
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
          {hubs.map(({ at, branches }) => (
            <g key={`${at.x} ${at.y}`} class="edge">
              {branches.map(({ source, routes, edges }) => (
                <g key={source} class={edges.some((edge) => way.edges.has(edge)) ? 'edge taken' : 'edge'}>
                  <Lines routes={routes} />
                </g>
              ))}
              <circle class="dot" cx={at.x} cy={at.y} r={4} />
            </g>
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
            <State key={box.node.path} box={box} way={way} heat={heat?.get(box.node.path)} onState={onState} />
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

/** So that all of it is seen. */
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

function isTaken({ lines }: Connection, way: Way): boolean {
  return lines.some(({ edges }) => edges.some((edge) => way.edges.has(edge)))
}

function takenIn({ edges }: LabelLine, flows: Flow): number {
  return edges.reduce((sum, edge) => sum + (flows.edges.get(edge) ?? 0), 0)
}

function flowIn({ lines }: Connection, flows: Flow): number {
  return lines.reduce((sum, line) => sum + takenIn(line, flows), 0)
}

function rateIn(line: LabelLine, flows: Flow, ms: number): string {
  const count = takenIn(line, flows)
  return count === 0 ? '' : rateOf(count, ms)
}

/** From 1 to 5 as a fifth of the most that any is taken, by orders of magnitude; none where it was not. */
function levelOf(count: number, most: number): number | undefined {
  return count === 0 ? undefined : Math.max(1, Math.ceil((5 * Math.log1p(count)) / Math.log1p(most)))
}

function nameOf({ sources, target, label }: Connection): string {
  return `${sources} ${target} ${label.x} ${label.y}`
}

function Lines({ routes }: { readonly routes: Routes }) {
  return (
    <>
      {routes.map((points) => (
        <path key={roundedPath(points)} class="line" d={roundedPath(points)} />
      ))}
    </>
  )
}

function Arrow({ routes }: { readonly routes: Routes }) {
  const last = routes.at(-1) ?? []
  return (
    <>
      <Lines routes={routes.slice(0, -1)} />
      <path class="line" d={roundedPath(last, headInset)} />
      <path class="head" d={headPath(last)} />
    </>
  )
}

interface StateProps {
  readonly box: Box
  readonly way: Way
  readonly heat: Heat | undefined
  readonly onState: ((path: string) => void) | undefined
}

function State({ box, way, heat, onState }: StateProps) {
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
  const level = heat === undefined ? undefined : Math.ceil(heat.share * 5)
  return (
    <g class={`state${node.terminal ? ' terminal' : ''}${place}`} data-heat={level}>
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
      {heat && (
        <text class="heat">
          {heat.badge.map((line, index) => (
            <tspan key={line} x={x + width + 6} y={y + 10 + 13 * index}>
              {line}
            </tspan>
          ))}
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

interface LabelProps {
  readonly one: Connection
  readonly way: Way
  /** How often a line was taken; '' for never. */
  readonly rate: ((line: LabelLine) => string) | undefined
}

function Label({ one, way, rate }: LabelProps) {
  const { x, y, width, height } = one.label
  return (
    <g class={isTaken(one, way) ? 'edge taken' : 'edge'}>
      <rect class="pill" x={x} y={y} width={width} height={height} rx={7} />
      {one.lines.map((line) => (
        <text
          key={line.y}
          class={line.edges.some((edge) => way.edges.has(edge)) ? 'event used' : 'event'}
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
