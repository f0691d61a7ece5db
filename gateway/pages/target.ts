/**
 * The path of this server to open after signing in. The author of a link may have chosen it. Paths that a browser would read as the
 * name of a host are rejected (`//evil.example`, also if it results from `/.//evil.example`).
 */
const base = 'http://signalbox.invalid'

/** Characters in encoded form in a query. With it, the page is a URL that a sign-in at the provider carries (`longestPage`). */
const longest = 700

/** @returns undefined if it is not a path of this server, or too long */
export function localTarget(given: string | null): string | undefined {
  if (given === null || !/^\/(?![/\\])/.test(given)) return undefined
  const url = URL.parse(given, base)
  if (url?.origin !== base || url.username !== '' || url.password !== '') return undefined
  const target = `${url.pathname}${url.search}${url.hash}`
  return target.startsWith('//') || encodeURIComponent(target).length > longest ? undefined : target
}
