/**
 * Where somebody goes after signing in: a path of this server, which whoever wrote the link may have chosen. What a browser
 * would read as the name of a host (`//evil.example`, also where it comes out of `/.//evil.example`) is none.
 */
const base = 'http://signalbox.invalid'

/** Characters as it stands in a query: with it the page is a URL that a sign-in at the provider takes along (`longestPage`). */
const longest = 700

/** @returns undefined for what is no path of this server, or too long */
export function localTarget(given: string | null): string | undefined {
  if (given === null || !/^\/(?![/\\])/.test(given)) return undefined
  const url = URL.parse(given, base)
  if (url?.origin !== base || url.username !== '' || url.password !== '') return undefined
  const target = `${url.pathname}${url.search}${url.hash}`
  return target.startsWith('//') || encodeURIComponent(target).length > longest ? undefined : target
}
