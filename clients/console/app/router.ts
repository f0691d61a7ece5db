/** Navigation between views, and the addresses of objects. */
import { consolePaths } from '../../../spec/pages/pagePaths.ts'
import { locationStore } from './state/locationStore.ts'
import { useSelector } from './state/useSelector.ts'

/** The path of the first page is the same in every language. */
function readAddress(): string {
  return location.pathname.replace(/^\/[a-z]{2}$/, '/') + location.search
}

export function navigate(address: string, how: 'push' | 'replace' = 'push'): void {
  if (address === locationStore.getSnapshot().context.address) return
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', address)
  locationStore.trigger.navigated({ address })
  if (how === 'push') scrollTo(0, 0)
}

/** Returns the parameters in the query of the address, by name. */
export function useFilters(): Readonly<Record<string, string>> {
  return useSelector(locationStore, ({ filters }) => filters)
}

/** Changes parameters of the current view. An empty text removes one. No history entry is added. */
export function setFilters(change: Readonly<Record<string, string>>): void {
  navigate(getFilteredAddress(change), 'replace')
}

/** Returns the address of the current view with changed parameters. An empty text removes one. */
export function getFilteredAddress(change: Readonly<Record<string, string>>): string {
  const { path, filters } = locationStore.getSnapshot().context
  const parameters = Object.entries({ ...filters, ...change }).filter(([, value]) => value !== '')
  const query = new URLSearchParams(parameters).toString()
  return query === '' ? path : `${path}?${query}`
}

/**
 * Starts with the view of the current address. Links of the console change the view. The browser handles all others, and those that
 * a modifier key opens elsewhere.
 */
export function startRouting(): void {
  const readLocation = () => locationStore.trigger.navigated({ address: readAddress() })
  readLocation()
  addEventListener('popstate', readLocation)
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (link === null || isModified || event.defaultPrevented || link.target !== '') return
    const url = new URL(link.href)
    if (url.origin !== location.origin || !isConsolePath(url.pathname)) return
    // A place in the current view.
    if (url.hash !== '' && url.pathname + url.search === location.pathname + location.search) return
    event.preventDefault()
    navigate(url.pathname + url.search)
  })
}

const firstSegments = new Set<string | undefined>(consolePaths.map((path) => path.split('/')[1]))

function isConsolePath(path: string): boolean {
  return path === '/' || firstSegments.has(path.split('/')[1])
}

/** The views of objects, by the prefixes of their IDs. */
const objectViews: Readonly<Record<string, string>> = {
  agt: '/machines',
  app: '/apps',
  bcf: '/build-configurations',
  bld: '/builds',
  cbs: '/repositories',
  cgr: '/crash-groups',
  cmd: '/commands',
  crs: '/crash-reports',
  dep: '/deployments',
  dsu: '/dsym-uploads',
  dsy: '/dsyms',
  int: '/settings/integrations',
  pln: '/plans',
  rep: '/repositories',
  run: '/runs',
  ses: '/sessions',
  sga: '/signing-assets',
  skl: '/skills',
  wfl: '/workflows',
  wt: '/worktrees',
}

/** Returns the address of an object: its own view if it has one, otherwise that of its lifecycle. */
export function getObjectPath(id: string): string {
  return `${findObjectView(id) ?? '/actors'}/${id}`
}

/** Returns whether the object has a view beside that of its lifecycle. */
export function hasObjectPage(id: string): boolean {
  return findObjectView(id) !== undefined
}

function findObjectView(id: string): string | undefined {
  const [prefix = ''] = id.split('_', 1)
  return objectViews[prefix]
}

/** Returns the values of a pattern like `/actors/{id}`, or undefined if the path does not match. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [expected, actual] = [pattern.split('/'), path.split('/')]
  if (expected.length !== actual.length) return undefined
  const values: Record<string, string> = {}
  for (const [index, name] of expected.entries()) {
    const value = actual[index] ?? ''
    if (name.startsWith('{')) values[name.slice(1, -1)] = value
    else if (name !== value) return undefined
  }
  return values
}
