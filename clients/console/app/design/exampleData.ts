/** The data that the page with the components shows. */
import type { PassedState } from '../chart/passedStates.ts'
import type { ChartSeries, TimeSlot } from '../parts/charts/chartSeries.ts'
import type { StatusTone } from '../parts/statusTone.ts'

export const tokens: readonly { readonly name: string; readonly use: string }[] = [
  { name: 'paper', use: 'the page' },
  { name: 'panel', use: 'the navigation' },
  { name: 'surface', use: 'cards and fields' },
  { name: 'ink', use: 'text' },
  { name: 'muted', use: 'text of less importance' },
  { name: 'line', use: 'lines between rows' },
  { name: 'edge', use: 'borders of fields and states' },
  { name: 'route', use: 'links, main actions, the taken path' },
  { name: 'route-tint', use: 'the selected item' },
  { name: 'clear', use: 'succeeded or healthy' },
  { name: 'working', use: 'working' },
  { name: 'caution', use: 'a person is needed' },
  { name: 'stop', use: 'failed, and actions that end or delete something' },
]

export const tones: readonly { readonly tone: StatusTone; readonly use: string }[] = [
  { tone: 'good', use: 'Succeeded or healthy' },
  { tone: 'working', use: 'Working' },
  { tone: 'attention', use: 'A person is needed' },
  { tone: 'failed', use: 'Failed' },
  { tone: 'idle', use: 'Ended, idle or queued' },
]

const lasted = (status: string, ms: number): PassedState => ({ status, duration: { ms, since: null } })

export const passedStates: readonly PassedState[] = [
  lasted('QUEUED', 48_000),
  lasted('ADMITTED', 240),
  lasted('STARTING', 1_900),
  lasted('RUNNING', 754_000),
  { status: 'FAILED', duration: undefined },
]

const hourMs = 3_600_000
const midnight = Date.UTC(2026, 0, 5)

export const chartSlots: readonly TimeSlot[] = Array.from({ length: 24 }, (_, hour) => ({
  from: new Date(midnight + hour * hourMs).toISOString(),
  to: new Date(midnight + (hour + 1) * hourMs).toISOString(),
}))

export const chartSeries: readonly ChartSeries[] = [
  { name: 'Succeeded', tone: 'good', values: chartSlots.map((_, hour) => 4 + ((hour * 7) % 11)) },
  { name: 'Failed', tone: 'failed', values: chartSlots.map((_, hour) => (hour * 3) % 4) },
]
