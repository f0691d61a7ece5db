/** Codebases over REST, for sessions alone: the list, and one by its exact path. */
import { codebaseAt, registeredCodebases } from '../../spec/codebaseByPath.ts'
import type { MessageContext } from '../../spec/operation.ts'
import type { Principal } from '../../spec/principal.ts'
import { codebaseRoutes } from '../../spec/rest/codebaseRoutes.ts'
import { json } from '../answer.ts'
import type { HttpRequest } from '../request.ts'
import type { Answer } from '../route.ts'
import { codebaseRecords } from './codebaseRecord.ts'
import { type ServedRoute, served } from './served.ts'

export type ContextOf = (request: HttpRequest, principal: Principal) => MessageContext

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
  const rows = await registeredCodebases(context.views)
  return json(200, { codebases: await codebaseRecords(rows, wantsBranches(query), context) })
}

async function byPath(query: Branches & { readonly path: string }, context: MessageContext): Promise<Answer> {
  const row = await codebaseAt(query.path, context)
  const [codebase] = await codebaseRecords([row], wantsBranches(query), context)
  return json(200, { codebase })
}

function wantsBranches({ branches }: Branches): boolean {
  return branches === 'true'
}
