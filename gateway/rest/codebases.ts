/** Codebases over REST, for sessions alone: the list, and one by its exact path. */
import type { ActorRow } from '../../spec/actor.ts'
import { agentType } from '../../spec/agents.ts'
import { Failure } from '../../spec/failure.ts'
import type { MessageContext } from '../../spec/operation.ts'
import type { Principal } from '../../spec/principal.ts'
import { codebaseRoutes } from '../../spec/rest/codebaseRoutes.ts'
import type { Views } from '../../spec/views.ts'
import { json } from '../answer.ts'
import type { HttpRequest } from '../request.ts'
import type { Answer } from '../route.ts'
import { codebaseRecords } from './codebaseRecord.ts'
import { type ServedRoute, served } from './served.ts'

export type ContextOf = (request: HttpRequest, principal: Principal) => MessageContext

const pageSize = 1_000

interface Branches {
  readonly branches?: string | undefined
}

export function servedCodebases(contextOf: ContextOf): readonly ServedRoute[] {
  return [
    served(codebaseRoutes.listCodebases, (call) => list(call.query, contextOf(call.request, call.principal))),
    served(codebaseRoutes.getCodebaseByPath, (call) => byPath(call.query, contextOf(call.request, call.principal))),
  ]
}

async function list(query: Branches, context: MessageContext): Promise<Answer> {
  const rows = await registered(context.views)
  return json(200, { codebases: await codebaseRecords(rows, wantsBranches(query), context) })
}

async function byPath(query: Branches & { readonly path: string }, context: MessageContext): Promise<Answer> {
  const { path } = query
  // No file system knows such a name, and PostgreSQL no such text.
  const found = path.includes('\0') ? [] : await registered(context.views, path)
  const agents = await context.views.getMany(found.flatMap(({ columns }) => columns.agentId ?? []))
  const agentOf = ({ columns }: ActorRow): ActorRow | undefined => agents.get(columns.agentId ?? '')
  // A machine that was enrolled anew has its folders twice: by the agent that was revoked, and by the one that uses them.
  const used = found.filter((row) => agentOf(row)?.columns.status !== 'REVOKED')
  const [row = found[0], ...others] = used
  if (!row) throw new Failure('CODEBASE_NOT_FOUND', 'No registered checkout has that path.')
  if (others.length > 0) throw ambiguous(used, agentOf, context)
  const [codebase] = await codebaseRecords([row], wantsBranches(query), context)
  return json(200, { codebase })
}

function wantsBranches({ branches }: Branches): boolean {
  return branches === 'true'
}

function ambiguous(
  rows: readonly ActorRow[],
  agentOf: (row: ActorRow) => ActorRow | undefined,
  context: MessageContext,
): Failure {
  const matches = rows.map((row) => {
    const agent = agentOf(row)
    return {
      codebaseId: row.id,
      agentId: row.columns.agentId ?? null,
      agentName: agent ? agentType.fromRow(agent, context).name : null,
    }
  })
  return new Failure('AMBIGUOUS_PATH', 'Several agents use that path.', { details: { matches } })
}

/** All of them, or those that have this exact path. */
async function registered(views: Views, path?: string): Promise<readonly ActorRow[]> {
  const where = path === undefined ? {} : { where: { scopeId: path } }
  const rows: ActorRow[] = []
  for (;;) {
    const last = rows.at(-1)
    const after = last ? { after: { id: last.id } } : {}
    const page = await views.list({ kind: 'codebase', terminal: false, limit: pageSize, ...where, ...after })
    rows.push(...page)
    if (page.length < pageSize) return rows
  }
}
