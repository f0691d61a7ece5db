/** The legend of a state map: what the texts and the colors of its states and arrows mean. */
import type { HeatMeasure } from '../chart/stateHeat.ts'
import { format, messages } from '../messages.ts'
import { formatDuration } from '../parts/formatDuration.ts'

const { legend: texts } = messages.stateMaps

/** The levels of `getHeatLevel`, from the lowest to the highest. */
const heatLevels = [1, 2, 3, 4, 5]

interface StateMapLegendProps {
  readonly measure: HeatMeasure
  /** The period over which transitions are counted, ms. Undefined until it is known. */
  readonly periodMs: number | undefined
}

export function StateMapLegend({ measure, periodMs }: StateMapLegendProps) {
  return (
    <dl class="state-map-legend" aria-label={texts.title}>
      <div>
        <dt class="sample state-sample">12 · 3 min–2 h</dt>
        <dd>{texts.figures}</dd>
      </div>
      <div>
        <dt class="sample heat-sample">
          {heatLevels.map((level) => (
            <span key={level} data-heat={level} />
          ))}
        </dt>
        <dd>{measure === 'count' ? texts.heat : texts.time}</dd>
      </div>
      <div>
        <dt class="sample terminal-sample" />
        <dd>{texts.terminal}</dd>
      </div>
      {periodMs !== undefined && (
        <div>
          <dt class="sample rate-sample">6/h →</dt>
          <dd>{format(texts.rate, { duration: formatDuration(periodMs) })}</dd>
        </div>
      )}
    </dl>
  )
}
