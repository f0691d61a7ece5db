import postgres from 'postgres'

/** The place of the database: a URL, or the result of `startEmbedded` (`host` is then the folder of the unix socket). */
export type Target =
  | { readonly url: string }
  | {
      readonly connection: {
        readonly host: string
        readonly port: number
        readonly database: string
        readonly username: string
        readonly password?: string
      }
    }

/** One server: a TCP address, or the path of a unix socket. */
export type Address = { readonly host: string; readonly port: number } | { readonly path: string }

/** A target, parsed once. */
export interface ResolvedTarget {
  /** In the order in which they are tried. A URL can name several, separated by commas. */
  readonly addresses: readonly Address[]
  /** Options of the driver besides the address: database, user, password, TLS and settings of the session. */
  readonly driverOptions: Readonly<Record<string, unknown>>
}

/** The driver parses the URL, so every form that it documents is accepted. */
export function resolveTarget(target: Target): ResolvedTarget {
  const { options } =
    'url' in target
      ? postgres(withoutSessionAttributes(target.url), { max: 1 })
      : postgres({ ...target.connection, max: 1 })
  const { host, port, path, database, user, pass, ssl, connection } = options
  const { application_name: _, ...settings } = connection as Record<string, string>
  const { sslnegotiation } = options as { sslnegotiation?: unknown }
  return {
    addresses: path
      ? [{ path: String(path) }]
      : host.map((name, index) => ({ host: name, port: port[index] ?? port[0] ?? 5432 })),
    driverOptions: { database, username: user, password: pass ?? '', ssl, sslnegotiation, connection: settings },
  }
}

/** Signalbox only uses servers that accept writes, and checks that itself (`openConnection`). */
function withoutSessionAttributes(url: string): string {
  return url.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, before: string, after: string) =>
    after === '&' ? before : '',
  )
}

export function addressText(address: Address): string {
  return 'path' in address ? address.path : `${address.host}:${address.port}`
}
