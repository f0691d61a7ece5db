/** The units of charts: how a value is written, and which values the axis names. */

import { locale } from '../../messages.ts'
import { formatBytes } from '../formatBytes.ts'
import { formatDuration } from '../formatDuration.ts'
import { listDecimalTicks, listDurationTicks } from './valueTicks.ts'

export interface ChartUnit {
  format(value: number): string
  /** Returns ascending values from 0. The last one is at least `largest`. */
  listTicks(largest: number): readonly number[]
}

const counts = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
const decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })

export const countUnit: ChartUnit = {
  format: (value) => counts.format(value),
  listTicks: (largest) => listDecimalTicks(largest, 1),
}

/** A mean, such as the load of a machine. */
export const decimalUnit: ChartUnit = {
  format: (value) => (value > 0 && value < 0.05 ? `< ${decimals.format(0.1)}` : decimals.format(value)),
  listTicks: (largest) => listDecimalTicks(largest, 0.1),
}

/** Large counts: `1.2M`. */
export const compactUnit: ChartUnit = {
  format: (value) => compact.format(value),
  listTicks: (largest) => listDecimalTicks(largest, 1),
}

/** A share from 0 to 1. The axis always has all of it. */
export const shareUnit: ChartUnit = {
  format: (value) => percents.format(value),
  listTicks: () => [0, 0.25, 0.5, 0.75, 1],
}

/** Milliseconds. */
export const durationUnit: ChartUnit = {
  format: (value) => formatDuration(value),
  listTicks: listDurationTicks,
}

export const byteUnit: ChartUnit = {
  format: (value) => formatBytes(value),
  listTicks: (largest) => listDecimalTicks(largest, 1e6),
}

export function currencyUnit(currency: string): ChartUnit {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 2 })
  const cents = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 4 })
  return {
    format: (value) => (value > 0 && value < 0.1 ? cents : money).format(value),
    listTicks: (largest) => listDecimalTicks(largest, 0.0001),
  }
}

/** Returns a value of a chart. Null is shown as a dash. */
export function formatValue(unit: ChartUnit, value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : unit.format(value)
}
