/** The buttons above a chart. They are beside it, so that they cover nothing of it. */
import { locale, messages } from '../messages.ts'
import type { ChartGestures } from './useChartGestures.ts'

const { toolbar: texts, keys } = messages.statechart
const percentFormat = new Intl.NumberFormat(locale, { style: 'percent' })

interface ChartToolbarProps {
  readonly zoom: number
  readonly gestures: ChartGestures
  readonly isFullScreen: boolean
  onToggleFullScreen(): void
}

export function ChartToolbar({ zoom, gestures, isFullScreen, onToggleFullScreen }: ChartToolbarProps) {
  return (
    <div class="chart-toolbar">
      <span class="hint">{keys}</span>
      <button type="button" aria-label={texts.zoomOut} title={texts.zoomOut} onClick={() => gestures.zoomBy(1 / 1.25)}>
        −
      </button>
      <button type="button" title={texts.originalSize} onClick={gestures.showOriginalSize}>
        {percentFormat.format(zoom)}
      </button>
      <button type="button" aria-label={texts.zoomIn} title={texts.zoomIn} onClick={() => gestures.zoomBy(1.25)}>
        +
      </button>
      <button type="button" onClick={gestures.fit}>
        {texts.fit}
      </button>
      {document.fullscreenEnabled && (
        <button type="button" onClick={onToggleFullScreen}>
          {isFullScreen ? texts.exitFullScreen : texts.fullScreen}
        </button>
      )}
    </div>
  )
}
