/**
 * Where somebody goes after signing in: a path of this server, which whoever wrote the link may have chosen. What a browser
 * would read as the name of a host (`//evil.example`, also where it comes out of `/.//evil.example`) is none.
 */
const base = 'http://signalbox.invalid'

/** Characters: it travels in the sealed cookie of a sign-in at the provider. */
const longest = 500

/** @returns undefined for what is no path of this server, or too long */
export function localTarget(given: string | null): string | undefined {
  if (given === null || given.length > longest || !/^\/(?![/\\])/.test(given)) return undefined
  const url = URL.parse(given, base)
  if (url?.origin !== base || url.username !== '' || url.password !== '') return undefined
  const target = `${url.pathname}${url.search}${url.hash}`
  return target.startsWith('//') || target.length > longest ? undefined : target
}
