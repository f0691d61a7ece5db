/**
 * After a change of `APP_SECRET`: the headers of external servers are sealed anew, so that `APP_SECRET_PREVIOUS` can be taken away.
 * Another process that still has the former secret may seal with it afterwards, so this is done again every so often.
 */
import type { System } from '../../../actors/messages.ts'
import type { Sealing } from '../../../spec/sealing/sealing.ts'
import type { Views } from '../../../spec/views.ts'
import { bindingOf, type Server, serverOf } from './servers.ts'

export interface ResealParts {
  readonly views: Views
  readonly system: System
  readonly sealing: Sealing
  readonly now: number
}

const pageSize = 200

/** Answers how many were sealed anew. What can't be opened is left as it is. */
export async function resealMcpServers(parts: ResealParts): Promise<number> {
  let count = 0
  for (let after: { id: string } | undefined; ; ) {
    const rows = await parts.views.list({
      kind: 'mcpServer',
      terminal: false,
      limit: pageSize,
      ...(after && { after }),
    })
    for (const row of rows) count += await resealOne(serverOf(row), parts)
    after = rows.at(-1)
    if (rows.length < pageSize || after === undefined) return count
  }
}

async function resealOne(server: Server, { system, sealing, now }: ResealParts): Promise<number> {
  const binding = bindingOf(server)
  let count = 0
  for (const from of Object.values(server.headers)) {
    const opened = sealing.needsResealing(from) ? sealing.open(from, binding) : undefined
    if (opened?.type !== 'opened') continue
    const event = { type: 'reseal', from, to: sealing.seal(opened.secret, binding) }
    const origin = { cause: 'migration', principal: 'system', requestId: 'reseal', receivedAt: now } as const
    await system.ask({ to: { kind: 'mcpServer', id: server.id }, event }, origin)
    count++
  }
  return count
}
