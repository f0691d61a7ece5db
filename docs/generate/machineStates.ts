/** What a machine says of its states, as a table: what each is, whom it waits for, who ends it, what it takes. */
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { isOwnEvent } from '../../actors/decide/logic.ts'
import { formatDelay } from '../../clients/console/chart/formatDelay.ts'
import type { StateMeta } from '../../machines/framework/define.ts'

export function statesTable(machine: AnyStateMachine): readonly string[] {
  return ['| state | label | waits for | ends | accepts |', '|---|---|---|---|---|', ...leaves(machine.root).map(row)]
}

function leaves(node: AnyStateNode): AnyStateNode[] {
  const children = Object.values(node.states)
  return children.length === 0 ? [node] : children.flatMap(leaves)
}

function row(leaf: AnyStateNode): string {
  const { label = '', waitsFor = '' } = metaOf(leaf)
  const name = code(leaf.path.join('.'))
  const terminal = leaf.tags.includes('terminal')
  const cells = [terminal ? `**${name}**` : name, label, waitsFor, ends(leaf).join('; '), accepted(leaf)]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function ends(leaf: AnyStateNode): string[] {
  const meta = metaOf(leaf)
  return [
    ...withParents(leaf).flatMap((node) => node.after.map(deadline)),
    ...(meta.lease === undefined ? [] : [`lease: ${meta.lease}`]),
    ...(meta.unbounded === undefined ? [] : [`unbounded: ${meta.unbounded}`]),
    ...(meta.expected === undefined ? [] : [`expected: ${formatDelay(meta.expected)}`]),
  ]
}

type Delayed = AnyStateNode['after'][number]

function deadline({ delay, target }: Delayed): string {
  const when = typeof delay === 'number' ? formatDelay(delay) : code(String(delay))
  const where = (target ?? []).map(({ key }) => key).join(', ')
  return `deadline: ${when}${where === '' ? '' : ` → ${where}`}`
}

function accepted(leaf: AnyStateNode): string {
  const events = withParents(leaf).flatMap((node) => node.ownEvents.map(String))
  const named = [...new Set(events)].filter((event) => event !== '' && !isOwnEvent(event)).sort()
  return named.map(code).join(' ')
}

function withParents(node: AnyStateNode): AnyStateNode[] {
  return node.parent === undefined ? [node] : [node, ...withParents(node.parent)]
}

const metaOf = (node: AnyStateNode): Partial<StateMeta> => (node.meta ?? {}) as Partial<StateMeta>

export const code = (text: string): string => `\`${text}\``
