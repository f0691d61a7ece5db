/** The app to which a dSYM belongs. */
import type { ListedBundle } from './zipThreadMessages.ts'

/** `Shop.app` for `Products/Shop.app.dSYM`. */
export function nameOfBundle({ path }: Pick<ListedBundle, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1, -'.dSYM'.length)
}

/** A framework, a library or an extension is part of an app. It does not become an app itself. */
const isApp = (bundle: ListedBundle): boolean => nameOfBundle(bundle).endsWith('.app')

/**
 * The bundle identifier of the app. An app names itself. For a part of an app it is the app in the same zip whose identifier begins its own,
 * as that of an extension does, or else the only app in the zip. Undefined if neither exists.
 */
export function appOfBundle(bundle: ListedBundle, all: readonly ListedBundle[]): string | undefined {
  const own = bundle.facts?.bundleIdentifier ?? undefined
  if (isApp(bundle)) return own
  const apps = new Set(all.filter(isApp).flatMap(({ facts }) => facts?.bundleIdentifier ?? []))
  const outer = [...apps].filter((app) => own?.startsWith(`${app}.`)).sort((a, b) => b.length - a.length)
  return outer[0] ?? (apps.size === 1 ? [...apps][0] : undefined)
}
