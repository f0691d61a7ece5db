/** The paths of the pages in a language. If the path has no language, the browser's language decides. */
import type { PageLanguage } from './site.ts'

export const pagePaths = { home: '/', signIn: '/sign-in', register: '/register' } as const

export type PageName = keyof typeof pagePaths

export function pathOf(page: PageName, { locale, localized }: PageLanguage): string {
  const path = pagePaths[page]
  if (!localized) return path
  return page === 'home' ? `/${locale}` : `/${locale}${path}`
}

/** Adds the path to which the user goes afterwards. */
export function withTarget(path: string, target: string | undefined): string {
  return target === undefined ? path : `${path}?redirect=${encodeURIComponent(target)}`
}

/** Views of the console with their own address, beside the first page. They are in English, so their paths have no language. */
export const consolePaths = [
  '/fleet',
  '/codebases',
  '/worktrees/{id}',
  '/runs',
  '/runs/new',
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

export type ConsolePath = (typeof consolePaths)[number]
