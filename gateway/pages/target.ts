/**
 * The path of this server to open after signing in. It is not trusted, because the author of the link chose it. Paths that a browser reads as
 * another host are rejected: `//evil.example`, and `/.//evil.example`, which becomes `//evil.example`.
 */
const base = 'http://signalbox.invalid'

/** The maximum length of the encoded path. The URL of the sign-in page with it stays within `longestPage`, the limit of a provider's sign-in. */
const maxLength = 700

/** @returns undefined if it is not a path of this server, or too long */
export function localTarget(given: string | null): string | undefined {
  if (given === null || !/^\/(?![/\\])/.test(given)) return undefined
  const url = URL.parse(given, base)
  if (url?.origin !== base || url.username !== '' || url.password !== '') return undefined
  const target = `${url.pathname}${url.search}${url.hash}`
  return target.startsWith('//') || encodeURIComponent(target).length > maxLength ? undefined : target
}
