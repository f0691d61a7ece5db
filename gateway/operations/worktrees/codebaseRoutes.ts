/** REST routes of codebases, only for sessions: the list, and one codebase by its exact path. */

import type { Principal } from '../../../spec/core/principal.ts'
import { codebaseRoutes } from '../../../spec/worktrees/codebaseRoutes.ts'
import { json } from '../../http/answer.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Answer } from '../../http/route.ts'
import type { RequestContext } from '../requestContext.ts'
import { type ServedRoute, serve } from '../restHandler.ts'
import { codebaseAt, registeredCodebases } from './codebaseByPath.ts'
import { codebaseRecords } from './codebaseRecord.ts'

export type ContextOf = (request: HttpRequest, principal: Principal) => RequestContext

interface Branches {
  readonly branches?: string | undefined
}

export function servedCodebases(contextOf: ContextOf): readonly ServedRoute[] {
  return [
    serve(codebaseRoutes.listCodebases, (call) => list(call.query, contextOf(call.request, call.principal))),
    serve(codebaseRoutes.getCodebaseByPath, (call) => byPath(call.query, contextOf(call.request, call.principal))),
  ]
}

async function list(query: Branches, context: RequestContext<'views' | 'presence'>): Promise<Answer> {
  const rows = await registeredCodebases(context.views)
  return json(200, { codebases: await codebaseRecords(rows, wantsBranches(query), context) })
}

async function byPath(
  query: Branches & { readonly path: string },
  context: RequestContext<'views' | 'presence'>,
): Promise<Answer> {
  const row = await codebaseAt(query.path, context)
  const [codebase] = await codebaseRecords([row], wantsBranches(query), context)
  return json(200, { codebase })
}

function wantsBranches({ branches }: Branches): boolean {
  return branches === 'true'
}
