/** Resolves the target of a transition to a path, by the rules of XState's `resolveTarget`. */

export interface TargetNames {
  /** Every path of the machine. */
  readonly paths: ReadonlySet<string>
  /** Explicit IDs and the machine's own, with their paths. */
  readonly ids: ReadonlyMap<string, string>
}

/**
 * `B` is a sibling, `B.C` a state within a sibling, `.C` a child, `#id` the state with this ID and `#id.C` one within it. The machine
 * has no siblings, so only the last three are valid for the root.
 */
export function resolveTarget(target: string, source: string, names: TargetNames): string {
  const path = target.startsWith('#') ? byId(target.slice(1), names.ids) : relative(target, source)
  if (path === undefined || !names.paths.has(path)) {
    throw new Error(`The target "${target}" of "${source}" does not exist.`)
  }
  return path
}

function byId(target: string, ids: ReadonlyMap<string, string>): string | undefined {
  const [id = '', ...rest] = splitPath(target)
  const start = ids.get(id)
  return start === undefined ? undefined : join(start, rest)
}

function relative(target: string, source: string): string | undefined {
  if (target.startsWith('.')) return join(source, splitPath(target.slice(1)))
  if (source === '') return undefined
  const parent = source.split('.').slice(0, -1).join('.')
  return join(parent, splitPath(target))
}

function join(start: string, names: readonly string[]): string {
  return [start, ...names].filter((name) => name !== '').join('.')
}

/** Splits at dots. A backslash escapes the next character. */
export function splitPath(text: string): string[] {
  const names: string[] = ['']
  for (const [part] of text.matchAll(/\\.|./gs)) {
    if (part === '.') names.push('')
    else names[names.length - 1] += part.length === 2 && part.startsWith('\\') ? part.slice(1) : part
  }
  return names
}
