/** The page of one machine, and the picture that stands on it. */
import { readFile } from 'node:fs/promises'
import { compile } from '../actors/logic.ts'
import { chartSvg } from '../clients/console/chart/chart.ts'
import { mermaidOf } from '../clients/console/chart/mermaid.ts'
import { parseChart } from '../clients/console/chart/parse.ts'
import type { Definition, OperatorEvent } from '../machines/define.ts'
import { idPrefixes } from '../spec/ids.ts'
import { code, statesTable } from './machineStates.ts'

export async function machinePage(definition: Definition): Promise<string> {
  const { kind, version, machine, effects, operatorEvents = {}, operatorStates = [], operable } = definition
  const own = effects.filter((effect) => effect !== 'tell')
  const acts = Object.entries(operatorEvents)
  return [
    `# ${kind}`,
    '',
    `${await headline(kind)} Version ${version}. IDs begin with \`${idPrefixes[kind]}_\`. [How to read this page](../machines.md).`,
    '',
    `![The chart of ${kind}: its states, and the events that lead from one to another](${kind}.svg)`,
    '',
    '<details>',
    '<summary>The chart as Mermaid</summary>',
    '',
    '```mermaid',
    `${mermaidOf(parseChart(compile(definition).source)).trimEnd()}`,
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
    ...(operable ? [] : ['It takes no acts of operators.', '']),
    ...(operable && acts.length + operatorStates.length === 0
      ? ['There is no event to send it and no state to move it to: only its failed effects can be decided on.', '']
      : []),
    ...(acts.length > 0 ? ['An operator may send it:', '', ...acts.map(sent), ''] : []),
    ...(operatorStates.length > 0 ? [`An operator may move it to ${operatorStates.map(code).join(', ')}.`, ''] : []),
  ].join('\n')
}

export async function machinePicture(definition: Definition): Promise<string> {
  const { kind, version } = definition
  return await chartSvg(compile(definition).source, { title: kind, subtitle: `Version ${version}` })
}

const sent = ([event, { label, ids = {} }]: [string, OperatorEvent]): string =>
  `- ${code(event)}: ${label}${Object.keys(ids).length === 0 ? '' : ` (${Object.keys(ids).map(code).join(', ')})`}`

/** What the machine's file says of it: the first sentence of its first comment. */
export async function headline(kind: string): Promise<string> {
  const source = await readFile(new URL(`../machines/${kind}.ts`, import.meta.url), 'utf8')
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? ''
  const words = comment
    .replace(/^\s*\*/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return /^.*?[.](?=\s|$)/.exec(words)?.[0] ?? words
}
