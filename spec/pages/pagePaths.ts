/** The paths of the pages in a language. If the path has no language, the browser's language decides. */
import type { PageSetting } from './site.ts'

export const pagePaths = { home: '/', signIn: '/sign-in', register: '/register' } as const

export type PageName = keyof typeof pagePaths

export function pathOf(page: PageName, { locale, localized }: Pick<PageSetting, 'locale' | 'localized'>): string {
  const path = pagePaths[page]
  if (!localized) return path
  return page === 'home' ? `/${locale}` : `/${locale}${path}`
}

/** Adds the path to which the user goes afterwards. */
export function withTarget(path: string, target: string | undefined): string {
  return target === undefined ? path : `${path}?redirect=${encodeURIComponent(target)}`
}

/** Views of the console with their own address, beside the first page. Their paths have no language: the browser's preferences decide. */
export const consolePaths = [
  '/notifications',
  '/runs',
  '/runs/new',
  '/runs/{id}',
  '/runs/{id}/{tab}',
  '/sessions',
  '/sessions/{id}',
  '/plans',
  '/plans/{id}',
  '/workflows',
  '/workflows/new',
  '/workflows/{id}',
  '/workflows/{id}/edit',
  '/schedules',
  '/commands',
  '/commands/new',
  '/commands/{id}',
  '/commands/{id}/edit',
  '/skills',
  '/skills/new',
  '/skills/{id}',
  '/skills/{id}/edit',
  '/builds',
  '/builds/{id}',
  '/deployments/{id}',
  '/build-configurations',
  '/build-configurations/new',
  '/build-configurations/{id}',
  '/build-configurations/{id}/edit',
  '/signing-assets',
  '/signing-assets/{id}',
  '/apps',
  '/apps/{id}',
  '/apps/{id}/{tab}',
  '/crash-groups/{id}',
  '/crash-reports/{id}',
  '/dsyms/{id}',
  '/dsym-uploads',
  '/dsym-uploads/{id}',
  '/machines',
  '/machines/{id}',
  '/repositories',
  '/repositories/{id}',
  '/worktrees/{id}',
  '/insights',
  '/insights/states',
  '/insights/states/{kind}',
  '/telemetry',
  '/stuck',
  '/actors/{id}',
  '/tools',
  '/tools/{section}',
  '/settings',
  '/settings/{section}',
  '/settings/integrations/{id}',
  '/design',
] as const

export type ConsolePath = (typeof consolePaths)[number]
