/**
 * The canonical name of a logical repository, `host/owner/name`. All addresses under which a remote reaches the repository have the same
 * one.
 */

export interface RepositoryParts {
  readonly host: string
  /** With more than one part if the host has groups within groups. */
  readonly owner: string
  readonly name: string
  readonly canonicalUrl: string
}

const scp = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/

/** The canonical name of the repository at a remote's address; `undefined` if the address names no host, as a path does not. */
export function canonicalName(origin: string | null | undefined): string | undefined {
  if (!origin) return undefined
  const [host, path] = hostAndPath(origin) ?? []
  if (!host || !path) return undefined
  const parts = path
    .replace(/\.git\/?$/, '')
    .split('/')
    .filter((part) => part !== '')
  return parts.length < 2 ? undefined : [host, ...parts].join('/')
}

function hostAndPath(origin: string): readonly [string, string] | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(origin)) {
    try {
      const url = new URL(origin)
      // A credential in the address stays out.
      return url.hostname === '' ? undefined : [url.hostname.toLowerCase(), url.pathname]
    } catch {
      return undefined
    }
  }
  const match = scp.exec(origin)
  return match?.[1] === undefined || match[2] === undefined ? undefined : [match[1].toLowerCase(), match[2]]
}

export function isCanonicalName(text: string): boolean {
  return canonicalName(`https://${text}`) === text
}

/** @param canonical as `canonicalName` returns it */
export function splitCanonicalName(canonical: string): RepositoryParts {
  const [first, last] = [canonical.indexOf('/'), canonical.lastIndexOf('/')]
  return {
    host: canonical.slice(0, first),
    owner: canonical.slice(first + 1, last),
    name: canonical.slice(last + 1),
    canonicalUrl: `https://${canonical}`,
  }
}
