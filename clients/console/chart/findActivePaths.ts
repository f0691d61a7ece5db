/** A state value in the form of XState: a name, or the active child of each compound state and region. */
export type ActiveStates = string | { readonly [name: string]: ActiveStates }

/** Returns the paths of the innermost active states: `{ lifecycle: 'RUNNING' }` is `lifecycle.RUNNING`. */
export function findActivePaths(value: ActiveStates, parent = ''): string[] {
  if (typeof value === 'string') return [parent + value]
  return Object.entries(value).flatMap(([name, inner]) => findActivePaths(inner, `${parent}${name}.`))
}
