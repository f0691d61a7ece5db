import type { Json } from '../../../spec/core/actor.ts'

export interface StateFacts {
  /** Descriptions from the `meta` of the states. */
  readonly waitsFor: readonly string[]
  /** The events that the states accept. Guards are evaluated only when an event arrives. */
  readonly accepts: readonly string[]
}

interface StateNode {
  readonly states?: Readonly<Record<string, StateNode>>
  readonly on?: Readonly<Record<string, unknown>>
  readonly meta?: { readonly waitsFor?: string; readonly unbounded?: string; readonly lease?: string }
}

/** @param definition the JSON that is stored under its hash */
export function stateFactsOf(definition: string, value: Json): StateFacts {
  const waitsFor = new Set<string>()
  const accepts = new Set<string>()
  visit(JSON.parse(definition) as StateNode, value, (node) => {
    const words = node.meta?.waitsFor ?? node.meta?.unbounded ?? node.meta?.lease
    if (words !== undefined) waitsFor.add(words)
    for (const event of Object.keys(node.on ?? {})) if (!event.startsWith('xstate.')) accepts.add(event)
  })
  return { waitsFor: [...waitsFor], accepts: [...accepts].sort() }
}

/** Every state that is active at once, the outermost first. */
function visit(node: StateNode, value: Json, each: (node: StateNode) => void): void {
  each(node)
  const inner: readonly (readonly [string, Json])[] =
    typeof value === 'string' ? [[value, {}]] : Object.entries((value ?? {}) as Readonly<Record<string, Json>>)
  for (const [name, below] of inner) {
    const child = node.states?.[name]
    if (child !== undefined) visit(child, below, each)
  }
}
