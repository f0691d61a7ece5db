/** The labels of states in charts. */
import type { ChartNode } from '../../chart/model.ts'
import { messages } from '../messages.ts'
import { findStatusLabel, formatName } from '../parts/formatName.ts'

const regions: Readonly<Record<string, string>> = messages.statechart.regions

/** A status has the same label as its badge, in the language of the page. Other states have the label of the machine's definition. */
export function getStateLabel({ path, name, kind, label }: ChartNode): string {
  if (kind === 'region') return (Object.hasOwn(regions, name) ? regions[name] : undefined) ?? formatName(name)
  const isStatus = !path.replace(/^lifecycle\./, '').includes('.')
  const statusLabel = isStatus ? findStatusLabel(name) : undefined
  return statusLabel ?? (label === name ? formatName(name) : label)
}
