/** The logical repository that a remote's address names, whatever way it is reached. */
export interface Repository {
  readonly id: string
  readonly host: string
  readonly owner: string
  readonly name: string
  readonly canonicalUrl: string
}

const scp = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/

/** `undefined` where the address names no host: a path, or nothing at all. */
export function repositoryOf(origin: string | null | undefined): Repository | undefined {
  if (!origin) return undefined
  const [host, path] = hostAndPath(origin) ?? []
  if (!host || !path) return undefined
  const parts = path
    .replace(/\.git\/?$/, '')
    .split('/')
    .filter((part) => part !== '')
  const name = parts.pop()
  if (name === undefined || parts.length === 0) return undefined
  const owner = parts.join('/')
  const id = `${host}/${owner}/${name}`
  return { id, host, owner, name, canonicalUrl: `https://${id}` }
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
