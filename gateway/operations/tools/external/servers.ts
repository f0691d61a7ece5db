/** External servers as their actors have them at this moment, and the headers that they are shown. */
import type { ActorRow } from '../../../../spec/core/actor.ts'
import { kindOfId } from '../../../../spec/core/ids.ts'
import { contextOf } from '../../../../spec/core/rows.ts'
import type { McpEndpoint, McpTransport } from '../../../../spec/tools/external.ts'
import type { Views } from '../../../../storage/ports/views.ts'
import type { Sealing } from '../../../secrets/sealing.ts'
import { HeaderUnreadable } from './problems.ts'

export interface Server {
  readonly id: string
  readonly name: string
  readonly catalogPrefix: string | null
  readonly endpoint: McpEndpoint
  /** Another one with each change of endpoint or headers. */
  readonly revision: number
  readonly enabled: boolean
  readonly status: string
  /** Milliseconds since 1970. */
  readonly openUntil: number | null
  readonly toolCount: number | null
  readonly discoveredAt: number | null
  /** Sealed values by names. */
  readonly headers: Readonly<Record<string, string>>
}

interface Kept extends Omit<Server, 'id' | 'endpoint' | 'enabled' | 'status'> {
  readonly url: string
  readonly transport: McpTransport
}

/** Undefined where there is none, or no more. */
export async function findServer(views: Views, id: string): Promise<Server | undefined> {
  const row = kindOfId(id) === 'mcpServer' ? await views.get(id) : undefined
  return row === undefined || row.columns.terminal ? undefined : serverOf(row)
}

export function serverOf(row: ActorRow): Server {
  const { url, transport, ...kept } = contextOf<Kept>(row)
  return {
    ...kept,
    id: row.id,
    endpoint: { url, transport },
    enabled: (row.value as { readonly use?: unknown }).use === 'ENABLED',
    status: row.columns.status,
  }
}

export const bindingOf = ({ id, endpoint }: Pick<Server, 'id' | 'endpoint'>) => ({ owner: id, origin: endpoint.url })

/** @throws HeaderUnreadable: the server must not be asked without what it was to be shown */
export function openHeaders(server: Server, sealing: Sealing): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(server.headers).map(([name, sealed]) => {
      const opened = sealing.open(sealed, bindingOf(server))
      if (opened.type === 'opened') return [name, opened.secret]
      throw new HeaderUnreadable(name)
    }),
  )
}
