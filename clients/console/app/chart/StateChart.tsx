/** A statechart on the page: current states and the taken path are highlighted. For a kind, it shows how many actors each state has. */
import { useRef } from 'preact/hooks'
import type { ChartForm } from '../../../../spec/pages/chartPath.ts'
import type { ChartLayout, Rect } from '../../chart/chartLayout.ts'
import { type ActorTrace, findTakenPath, type TakenPath } from '../../chart/takenPath.ts'
import type { TransitionCount } from '../../chart/transitionCounts.ts'
import { useAsyncData } from '../data/useQuery.ts'
import { format, locale, messages } from '../messages.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { ChartDrawing } from './ChartDrawing.tsx'
import { ChartOutline } from './ChartOutline.tsx'
import { ChartViewport } from './ChartViewport.tsx'
import { type ChartId, loadChartLayout } from './chartLayouts.ts'
import type { StateDuration } from './stateDurations.ts'
import type { StateHeat } from './stateHeat.ts'
import { getStateLabel } from './stateLabel.ts'
import { useElementWidth } from './useElementWidth.ts'

const texts = messages.statechart
const listFormat = new Intl.ListFormat(locale)

interface StateChartProps {
  readonly id: ChartId
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

/** From this width on, in pixels, the states follow each other from left to right. */
const wideWidth = 640

export function StateChart(props: StateChartProps) {
  const ref = useRef<HTMLDivElement>(null)
  const width = useElementWidth(ref)
  return (
    <div ref={ref} class="chart-frame">
      {width !== undefined && <LaidOutChart {...props} form={width < wideWidth ? 'down' : 'right'} />}
    </div>
  )
}

const margin = 20

function LaidOutChart({ form, ...props }: StateChartProps & { readonly form: ChartForm }) {
  const { id, title, trace, heat, onSelectState } = props
  const { data: layout, error } = useAsyncData(`${id.kind} ${id.hash} ${form}`, () => loadChartLayout(id, form))
  if (layout === undefined && error !== undefined) return <ErrorMessage error={error} retriesAutomatically />
  if (layout === undefined)
    return (
      <p class="loading chart" role="status">
        {texts.drawing}
      </p>
    )
  const path = findTakenPath(layout.chart, trace)
  return (
    <ChartViewport
      label={format(texts.title, { title })}
      description={describeChart(layout, title, path)}
      size={{ width: layout.width + 2 * margin, height: layout.height + 2 * margin }}
      margin={margin}
      focus={findFocus(layout, path, heat)}
      hasLinks={onSelectState !== undefined}
      outline={<ChartOutline layout={layout} path={path} heat={heat} />}
    >
      <ChartDrawing {...props} layout={layout} path={path} onSelect={onSelectState} />
    </ChartViewport>
  )
}

/** Returns the first current state, or, for a kind, the state with the most actors. */
function findFocus(
  { boxes }: ChartLayout,
  { current }: TakenPath,
  heat: ReadonlyMap<string, StateHeat> | undefined,
): Rect | undefined {
  const states = boxes.filter(({ hasChildren }) => !hasChildren)
  const focus =
    states.find(({ node }) => current.has(node.path)) ?? states.find(({ node }) => heat?.get(node.path)?.share === 1)
  return focus && { x: focus.x + margin, y: focus.y + margin, width: focus.width, height: focus.height }
}

function describeChart({ boxes }: ChartLayout, title: string, { current }: TakenPath): string {
  const states = boxes
    .filter(({ node, hasChildren }) => !hasChildren && current.has(node.path))
    .map(({ node }) => getStateLabel(node))
  return states.length === 0 ? title : format(texts.now, { title, states: listFormat.format(states) })
}
