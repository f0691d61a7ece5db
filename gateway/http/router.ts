/** Finds a route by its path. Exact paths take one lookup. Paths with parameters are matched segment by segment. */
import type { Method, Route } from './route.ts'

export interface Match {
  /** Routes by method. A match has at least one. */
  readonly routes: ReadonlyMap<string, Route>
  readonly params: Readonly<Record<string, string>>
  /** The path as declared. As a metric label, the number of its values is bounded. */
  readonly path: string
}

interface Pattern {
  readonly path: string
  readonly segments: readonly string[]
  readonly routes: Map<string, Route>
}

const none: Readonly<Record<string, string>> = Object.freeze({})

export class Router {
  readonly #exact = new Map<string, Match>()
  readonly #patterns: Pattern[] = []

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route)
  }

  #add(route: Route): void {
    const known = this.#exact.get(route.path)?.routes ?? this.#patterns.find((p) => p.path === route.path)?.routes
    if (known) {
      if (known.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`)
      ;(known as Map<string, Route>).set(route.method, route)
      return
    }
    const routes = new Map<string, Route>([[route.method, route]])
    if (route.path.includes('{')) this.#patterns.push({ path: route.path, segments: route.path.split('/'), routes })
    else this.#exact.set(route.path, { routes, params: none, path: route.path })
  }

  match(path: string): Match | undefined {
    const exact = this.#exact.get(path)
    if (exact) return exact
    if (this.#patterns.length === 0) return undefined
    const segments = path.split('/')
    for (const pattern of this.#patterns) {
      const params = fit(pattern.segments, segments)
      if (params) return { routes: pattern.routes, params, path: pattern.path }
    }
    return undefined
  }
}

function fit(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] ?? ''
    if (expected.startsWith('{')) {
      const value = decoded(actual)
      if (!value) return undefined
      params[expected.slice(1, -1)] = value
    } else if (expected !== actual) return undefined
  }
  return params
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** Returns the methods of a path for the `Allow` header. */
export function allowed(match: Match): string {
  const methods = new Set<Method | 'OPTIONS'>([...match.routes.keys()] as Method[])
  if (methods.has('GET')) methods.add('HEAD')
  methods.add('OPTIONS')
  return [...methods].sort().join(', ')
}
