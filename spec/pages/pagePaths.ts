/** Paths of the pages in a language. Where the language does not stand in the path, the browser's decides. */
import type { Setting } from './site.ts'

export const pagePaths = { home: '/', signIn: '/sign-in', register: '/register' } as const

export type PageName = keyof typeof pagePaths

export function pathOf(page: PageName, { locale, localized }: Setting): string {
  const path = pagePaths[page]
  if (!localized) return path
  return page === 'home' ? `/${locale}` : `/${locale}${path}`
}

/** With where the person goes afterwards. */
export function withTarget(path: string, target: string | undefined): string {
  return target === undefined ? path : `${path}?redirect=${encodeURIComponent(target)}`
}

/** Views of the console that have an address of their own, beside the first page. They are in English, so no language stands before them. */
export const consolePaths = [
  '/fleet',
  '/codebases',
  '/worktrees/{id}',
  '/runs',
  '/runs/{id}',
  '/stuck',
  '/kinds',
  '/kinds/{kind}',
  '/actors/{id}',
  '/tools',
  '/tools/{section}',
  '/settings',
  '/settings/{section}',
] as const
