import { formatDelay } from './formatDelay.ts'
import type { Chart, ChartEdge, ChartMeta, ChartNode, StateKind } from './model.ts'
import { asText, isRecord, listStates, type MachineConfig, readDefinition, readTransitions } from './readDefinition.ts'
import { resolveTarget, type TargetNames } from './targets.ts'

interface ParsedState {
  readonly path: string
  readonly name: string
  readonly parent: ParsedState | null
  readonly config: MachineConfig
}

/** Parses the config of a machine, as JSON or as an object, to the model of a chart. */
export function parseChart(definition: string | object): Chart {
  const config = readDefinition(definition)
  const id = asText(config.id) ?? '(machine)'
  const states = listStatesWithin({ path: '', name: id, parent: null, config })
  const names: TargetNames = {
    paths: new Set(states.map((state) => state.path)),
    ids: new Map(states.map((state) => [getStateId(state, id), state.path])),
  }
  return { id, nodes: states.map(toNode), edges: states.flatMap((state) => listEdges(state, id, names)) }
}

function listStatesWithin(state: ParsedState): ParsedState[] {
  const children = listStates(state.config).map(([name, config]) => ({
    path: getChildPath(state, name),
    name,
    parent: state,
    config,
  }))
  return [state, ...children.flatMap(listStatesWithin)]
}

function getChildPath(parent: ParsedState, name: string): string {
  return parent.path === '' ? name : `${parent.path}.${name}`
}

function getStateId({ path, config }: ParsedState, machine: string): string {
  return asText(config.id) ?? (path === '' ? machine : `${machine}.${path}`)
}

function toNode(state: ParsedState): ChartNode {
  const { path, name, parent, config } = state
  const meta = readMeta(config.meta)
  const children = listStates(config).map(([child]) => getChildPath(state, child))
  return {
    path,
    name,
    label: meta.label ?? name,
    kind: getStateKind(state),
    parent: parent?.path ?? null,
    children,
    initial: getInitialPath(state, children),
    terminal: config.type === 'final' || [config.tags].flat().includes('terminal'),
    meta,
  }
}

function getStateKind({ config, parent }: ParsedState): StateKind {
  if (parent?.config.type === 'parallel') return 'region'
  if (config.type === 'parallel') return 'parallel'
  return listStates(config).length > 0 ? 'compound' : 'atomic'
}

function getInitialPath(state: ParsedState, children: readonly string[]): string | null {
  const { config } = state
  const name = asText(isRecord(config.initial) ? config.initial.target : config.initial)
  const path = name === undefined ? undefined : getChildPath(state, name)
  return path !== undefined && children.includes(path) ? path : null
}

function readMeta(value: unknown): ChartMeta {
  if (!isRecord(value)) return {}
  const texts = (['label', 'waitsFor', 'lease', 'unbounded'] as const)
    .map((key) => [key, asText(value[key])] as const)
    .filter(([, text]) => text !== undefined)
  return { ...Object.fromEntries(texts), ...(typeof value.expected === 'number' && { expected: value.expected }) }
}

function listEdges(state: ParsedState, machine: string, names: TargetNames): ChartEdge[] {
  const { on, after, always, onDone } = state.config
  const id = getStateId(state, machine)
  const triggers: [event: string, label: string, config: unknown][] = [
    ...entries(on).map(([event, config]) => [event, event, config] as [string, string, unknown]),
    ...entries(after).map(
      ([delay, config]) =>
        [`xstate.after.${delay}.${id}`, `after ${formatDelayName(delay)}`, config] as [string, string, unknown],
    ),
    ['', 'always', always],
    [`xstate.done.state.${id}`, 'done', onDone],
  ]
  return triggers.flatMap(([event, label, config]) =>
    readTransitions(config).flatMap(({ targets, guard }): ChartEdge[] => {
      const from = { source: state.path, event, label, guard }
      if (targets.length === 0) return [{ ...from, target: null }]
      return targets.map((target) => ({ ...from, target: resolveTarget(target, state.path, names) }))
    }),
  )
}

function entries(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : []
}

function formatDelayName(delay: string): string {
  return Number.isNaN(Number(delay)) ? delay : formatDelay(Number(delay))
}
