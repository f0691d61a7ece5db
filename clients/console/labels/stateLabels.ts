/** The labels of states in charts, in one language. */
import type { ConsoleMessages } from '../../../spec/messages/console/catalog.ts'
import type { ChartNode } from '../chart/model.ts'
import { createEnumLabels } from './enumLabels.ts'

type LabelMessages = Pick<ConsoleMessages, 'statuses' | 'kinds' | 'statechart'>

/** A status has the same label as its badge. Other states have the label of the machine's definition. */
export function createStateLabels(messages: LabelMessages): (node: ChartNode) => string {
  const { formatName, findStatusLabel } = createEnumLabels(messages)
  const regions: Readonly<Record<string, string>> = messages.statechart.regions
  return ({ path, name, kind, label }) => {
    if (kind === 'region') return (Object.hasOwn(regions, name) ? regions[name] : undefined) ?? formatName(name)
    const isStatus = !path.replace(/^lifecycle\./, '').includes('.')
    const statusLabel = isStatus ? findStatusLabel(name) : undefined
    return statusLabel ?? (label === name ? formatName(name) : label)
  }
}
