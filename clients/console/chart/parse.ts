import { type Config, isRecord, readDefinition, statesOf, textOf, transitionsOf } from './definition.ts'
import { duration } from './duration.ts'
import type { Chart, ChartEdge, ChartMeta, ChartNode, StateKind } from './model.ts'
import { resolveTarget, type TargetNames } from './targets.ts'

interface State {
  readonly path: string
  readonly name: string
  readonly parent: State | null
  readonly config: Config
}

/** Parses the config of a machine, as JSON or as an object, to the model of a chart. */
export function parseChart(definition: string | object): Chart {
  const config = readDefinition(definition)
  const id = textOf(config.id) ?? '(machine)'
  const states = walk({ path: '', name: id, parent: null, config })
  const names: TargetNames = {
    paths: new Set(states.map((state) => state.path)),
    ids: new Map(states.map((state) => [idOf(state, id), state.path])),
  }
  return { id, nodes: states.map(nodeOf), edges: states.flatMap((state) => edgesOf(state, id, names)) }
}

function walk(state: State): State[] {
  const children = statesOf(state.config).map(([name, config]) => ({
    path: pathOf(state, name),
    name,
    parent: state,
    config,
  }))
  return [state, ...children.flatMap(walk)]
}

function pathOf(parent: State, name: string): string {
  return parent.path === '' ? name : `${parent.path}.${name}`
}

function idOf({ path, config }: State, machine: string): string {
  return textOf(config.id) ?? (path === '' ? machine : `${machine}.${path}`)
}

function nodeOf(state: State): ChartNode {
  const { path, name, parent, config } = state
  const meta = metaOf(config.meta)
  const children = statesOf(config).map(([child]) => pathOf(state, child))
  return {
    path,
    name,
    label: meta.label ?? name,
    kind: kindOf(state),
    parent: parent?.path ?? null,
    children,
    initial: initialOf(state, children),
    terminal: config.type === 'final' || [config.tags].flat().includes('terminal'),
    meta,
  }
}

function kindOf({ config, parent }: State): StateKind {
  if (parent?.config.type === 'parallel') return 'region'
  if (config.type === 'parallel') return 'parallel'
  return statesOf(config).length > 0 ? 'compound' : 'atomic'
}

function initialOf(state: State, children: readonly string[]): string | null {
  const { config } = state
  const name = textOf(isRecord(config.initial) ? config.initial.target : config.initial)
  const path = name === undefined ? undefined : pathOf(state, name)
  return path !== undefined && children.includes(path) ? path : null
}

function metaOf(value: unknown): ChartMeta {
  if (!isRecord(value)) return {}
  const words = (['label', 'waitsFor', 'lease', 'unbounded'] as const)
    .map((key) => [key, textOf(value[key])] as const)
    .filter(([, text]) => text !== undefined)
  return { ...Object.fromEntries(words), ...(typeof value.expected === 'number' && { expected: value.expected }) }
}

function edgesOf(state: State, machine: string, names: TargetNames): ChartEdge[] {
  const { on, after, always, onDone } = state.config
  const id = idOf(state, machine)
  const triggers: [event: string, label: string, config: unknown][] = [
    ...entries(on).map(([event, config]) => [event, event, config] as [string, string, unknown]),
    ...entries(after).map(
      ([delay, config]) =>
        [`xstate.after.${delay}.${id}`, `after ${delayText(delay)}`, config] as [string, string, unknown],
    ),
    ['', 'always', always],
    [`xstate.done.state.${id}`, 'done', onDone],
  ]
  return triggers.flatMap(([event, label, config]) =>
    transitionsOf(config).flatMap(({ targets, guard }): ChartEdge[] => {
      const from = { source: state.path, event, label, guard }
      if (targets.length === 0) return [{ ...from, target: null }]
      return targets.map((target) => ({ ...from, target: resolveTarget(target, state.path, names) }))
    }),
  )
}

function entries(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : []
}

function delayText(delay: string): string {
  return Number.isNaN(Number(delay)) ? delay : duration(Number(delay))
}
