/** `node docs/machines.ts` writes `docs/machines.md` from the machines themselves: every state, what it waits for and who ends it. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AnyStateNode } from 'xstate'
import type { Definition, OperatorEvent, StateMeta } from '../machines/define.ts'
import { machines } from '../machines/machines.ts'
import { idPrefixes } from '../spec/ids.ts'

export const machinesPage = fileURLToPath(new URL('machines.md', import.meta.url))

const introduction = `# Machines

Every lifecycle is an XState machine in \`machines/\`. This page is written by \`node docs/machines.ts\` from the machines themselves, and a
test fails where it is not current.

- **state**: its path; bold ones are terminal, and no actor leaves them. In a parallel machine the first word is the region: \`lifecycle\` gives
  the actor's \`status\`, the other regions hold what can be true at the same time.
- **ends**: *deadline* is a durable timer and where it leads. *lease* is watched by presence, which counts heartbeats. *unbounded* says who is
  waited for, where there is no deadline on purpose. *expected* is how long the state should take: after that the actor counts as stuck.
- **accepts**: the events that its chart has transitions for. Any other event is refused with \`FAILED_PRECONDITION\`, and the refusal names these.
`

export async function machinesMarkdown(): Promise<string> {
  const sections = await Promise.all(Object.values(machines).map(section))
  return [introduction, ...sections].join('\n')
}

async function section(definition: Definition): Promise<string> {
  const { kind, version, machine, effects, operatorEvents = {}, operatorStates = [], operable } = definition
  const own = effects.filter((effect) => effect !== 'tell')
  const facts = [
    `Version ${version}.`,
    `IDs begin with \`${idPrefixes[kind]}_\`.`,
    own.length > 0 ? `Effects: ${own.map(code).join(', ')}.` : '',
    operable ? '' : 'It takes no acts of operators.',
    operatorStates.length > 0 ? `An operator may move it to ${operatorStates.map(code).join(', ')}.` : '',
  ]
  const acts = Object.entries(operatorEvents)
  return [
    `## ${kind}`,
    '',
    `${await headline(kind)} ${facts.filter(Boolean).join(' ')}`,
    '',
    ...(acts.length > 0 ? ['An operator may send it:', '', ...acts.map(sent), ''] : []),
    '| state | label | waits for | ends | accepts |',
    '|---|---|---|---|---|',
    ...leaves(machine.root).map(row),
    '',
  ].join('\n')
}

const sent = ([event, { label, ids = {} }]: [string, OperatorEvent]): string =>
  `- ${code(event)}: ${label}${Object.keys(ids).length === 0 ? '' : ` (${Object.keys(ids).map(code).join(', ')})`}`

/** What the machine's file says of it: the first sentence of its first comment. */
async function headline(kind: string): Promise<string> {
  const source = await readFile(new URL(`../machines/${kind}.ts`, import.meta.url), 'utf8')
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? ''
  const words = comment
    .replace(/^\s*\*/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return /^.*?[.](?=\s|$)/.exec(words)?.[0] ?? words
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
    ...(meta.expected === undefined ? [] : [`expected: ${seconds(meta.expected)}`]),
  ]
}

type Delayed = AnyStateNode['after'][number]

function deadline({ delay, target }: Delayed): string {
  const when = typeof delay === 'number' ? seconds(delay) : code(String(delay))
  const where = (target ?? []).map(({ key }) => key).join(', ')
  return `deadline: ${when}${where === '' ? '' : ` → ${where}`}`
}

const seconds = (ms: number): string => `${ms / 1_000} s`

function accepted(leaf: AnyStateNode): string {
  const events = withParents(leaf).flatMap((node) => node.ownEvents.map(String))
  const named = [...new Set(events)].filter((event) => event !== '' && !event.startsWith('xstate.')).sort()
  return named.map(code).join(' ')
}

function withParents(node: AnyStateNode): AnyStateNode[] {
  return node.parent === undefined ? [node] : [node, ...withParents(node.parent)]
}

const metaOf = (node: AnyStateNode): Partial<StateMeta> => (node.meta ?? {}) as Partial<StateMeta>

const code = (text: string): string => `\`${text}\``

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(machinesPage, await machinesMarkdown())
