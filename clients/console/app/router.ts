/** The address is the state: every view has its own address, and the Back button works. */
import { computed, signal } from '@preact/signals'

/** The path and query of the current view. */
export const here = signal(address())

/** The path of the first page is the same in every language. */
function address(): string {
  return location.pathname.replace(/^\/[a-z]{2}$/, '/') + location.search
}

export function navigate(to: string, how: 'push' | 'replace' = 'push'): void {
  if (to === here.peek()) return
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', to)
  here.value = to
  if (how === 'push') scrollTo(0, 0)
}

/** The parameters in the address's query, by name. */
export const filters = computed<Readonly<Record<string, string>>>(() =>
  Object.fromEntries(new URLSearchParams(here.value.split('?')[1])),
)

/** Changes parameters of the current view. An empty text removes one. No history entry is added. */
export function setFilters(change: Readonly<Record<string, string>>): void {
  const [path = '/'] = here.peek().split('?')
  const all = Object.entries({ ...filters.peek(), ...change }).filter(([, value]) => value !== '')
  const query = new URLSearchParams(all).toString()
  navigate(query === '' ? path : `${path}?${query}`, 'replace')
}

/** Links of the console change the view. The browser handles all others, and those that a modifier key opens elsewhere. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    here.value = address()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (link === null || modified || event.defaultPrevented || link.target !== '') return
    const url = new URL(link.href)
    if (url.origin !== location.origin || !isOurs(url.pathname)) return
    event.preventDefault()
    navigate(url.pathname + url.search)
  })
}

function isOurs(path: string): boolean {
  return path === '/' || /^\/(fleet|codebases|worktrees|runs|stuck|kinds|actors|tools|settings)(\/|$)/.test(path)
}

/** Returns the address of an object: its own view if it has one, otherwise that of its lifecycle. */
export function hrefOf(id: string): string {
  if (id.startsWith('run_')) return `/runs/${id}`
  return id.startsWith('wt_') ? `/worktrees/${id}` : `/actors/${id}`
}

/** Returns the values of a pattern like `/actors/:id`, or undefined if the path does not match. */
export function matched(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const values: Record<string, string> = {}
  for (const [index, name] of wanted.entries()) {
    const value = given[index] ?? ''
    if (name.startsWith(':')) values[name.slice(1)] = value
    else if (name !== value) return undefined
  }
  return values
}
