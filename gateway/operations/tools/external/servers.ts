/** Reads external servers from their snapshots, and decrypts the headers that are sent to them. */
import type { TypedRow } from '../../../../machines/rows.ts'
import type { McpEndpoint } from '../../../../spec/tools/external.ts'
import type { Sealing } from '../../../secrets/sealing.ts'
import type { TypedViews } from '../../typedViews.ts'
import { HeaderUnreadable } from './problems.ts'

export interface ExternalServer {
  readonly id: string
  readonly name: string
  readonly catalogPrefix: string | null
  readonly endpoint: McpEndpoint
  /** It increases with each change of the endpoint or the headers. */
  readonly endpointRevision: number
  readonly enabled: boolean
  readonly status: string
  /** Milliseconds since 1970. */
  readonly openUntil: number | null
  readonly toolCount: number | null
  readonly discoveredAt: number | null
  /** Encrypted header values by name. */
  readonly headers: Readonly<Record<string, string>>
}

/** Undefined if the server does not exist or was deleted. */
export async function findServer(views: TypedViews, id: string): Promise<ExternalServer | undefined> {
  const row = await views.get('mcpServer', id)
  return row === undefined || row.columns.terminal ? undefined : readServer(row)
}

export function readServer(row: TypedRow<'mcpServer'>): ExternalServer {
  const { url, transport, ...kept } = row.context
  return {
    ...kept,
    id: row.id,
    endpoint: { url, transport },
    enabled: (row.value as { readonly use?: unknown }).use === 'ENABLED',
    status: row.columns.status,
  }
}

export const makeHeaderBinding = ({ id, endpoint }: Pick<ExternalServer, 'id' | 'endpoint'>) => ({
  owner: id,
  origin: endpoint.url,
})

/** @throws HeaderUnreadable: the server must not be called without all its headers */
export function decryptHeaders(server: ExternalServer, sealing: Sealing): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(server.headers).map(([name, sealed]) => {
      const opened = sealing.open(sealed, makeHeaderBinding(server))
      if (opened.type === 'opened') return [name, opened.secret]
      throw new HeaderUnreadable(name)
    }),
  )
}
