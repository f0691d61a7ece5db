/** Types of external servers that the views share. */

export interface Server {
  readonly id: string
  readonly status: string
  readonly enabled: boolean
  readonly name: string
  readonly catalogPrefix: string | null
  readonly url: string
  readonly transport: Transport
  readonly headerNames: readonly string[]
  readonly toolCount: number | null
  readonly discoveredAt: string | null
  readonly problem: { readonly message: string; readonly at: string } | null
  readonly retryAt: string | null
}

export type Transport = keyof typeof transports

export const transports = { STREAMABLE_HTTP: 'Streamable HTTP', SSE: 'server-sent events' } as const

export const serverFields =
  'id status enabled name catalogPrefix url transport headerNames toolCount discoveredAt problem { message at } retryAt'

/** The result is part of the server's state, so its transitions report it. */
export const askedNow = 'mutation ($id: ID!) { refreshMcpServer(input: { serverId: $id }) { mcpServer { id } } }'
