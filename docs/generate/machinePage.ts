/** The page of one machine, and the picture that stands on it. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compile } from '../../actors/decide/logic.ts'
import { drawChart } from '../../clients/console/chart/drawChart.ts'
import { parseChart } from '../../clients/console/chart/parseChart.ts'
import { toMermaid } from '../../clients/console/chart/toMermaid.ts'
import type { Definition, OperatorEvent } from '../../machines/framework/define.ts'
import { idPrefixes } from '../../spec/core/ids.ts'
import { code, statesTable } from './machineStates.ts'

const root = resolve(import.meta.dirname, '../..')
/** `A`, `A or B`, `A, B or C`. British English has no comma before the last one. */
const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' })

export async function machinePage(definition: Definition): Promise<string> {
  const { kind, version, machine, effects, operatorEvents = {}, operatorStates = [], operable } = definition
  const own = effects.filter((effect) => effect !== 'tell')
  const events = Object.entries(operatorEvents)
  return [
    `# ${kind}`,
    '',
    `${headline(kind)} Version ${version}. IDs begin with \`${idPrefixes[kind]}_\`. [How to read this page](../machines.md).`,
    '',
    `![The chart of ${kind}: its states, and the events that lead from one to another](${kind}.svg)`,
    '',
    '<details>',
    '<summary>The chart as Mermaid</summary>',
    '',
    '```mermaid',
    `${toMermaid(parseChart(compile(definition).source)).trimEnd()}`,
    '```',
    '',
    '</details>',
    '',
    '## States',
    '',
    ...statesTable(machine),
    '',
    ...(own.length > 0 ? ['## Effects', '', ...own.map((effect) => `- ${code(effect)}`), ''] : []),
    '## Operators',
    '',
    ...(operable ? [] : ['It accepts no operator actions.', '']),
    ...(operable && events.length + operatorStates.length === 0
      ? [
          'It has no events for operators and no states for forced transitions. Operators can only retry or give up its failed effects.',
          '',
        ]
      : []),
    ...(events.length > 0 ? ['An operator can send these events:', '', ...events.map(sent), ''] : []),
    ...(operatorStates.length > 0
      ? [`An operator can force a transition to ${alternatives.format(operatorStates.map(code))}.`, '']
      : []),
  ].join('\n')
}

export async function machinePicture(definition: Definition): Promise<string> {
  const { kind, version } = definition
  return await drawChart(compile(definition).source, { title: kind, subtitle: `Version ${version}` })
}

const sent = ([event, { label, ids = {} }]: [string, OperatorEvent]): string =>
  `- ${code(event)}: ${label}${Object.keys(ids).length === 0 ? '' : ` (${Object.keys(ids).map(code).join(', ')})`}`

/** What the machine's file says of it: the first sentence of its first comment. */
export function headline(kind: string): string {
  const [file] = globSync(`machines/**/${kind}.ts`, { cwd: root })
  if (file === undefined) throw new Error(`no machine file is named ${kind}.ts`)
  const source = readFileSync(join(root, file), 'utf8')
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? ''
  const words = comment
    .replace(/^\s*\*/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return /^.*?[.](?=\s|$)/.exec(words)?.[0] ?? words
}
