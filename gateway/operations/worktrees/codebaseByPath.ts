import type { TypedRow } from '../../../machines/rows.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { codebaseByPath } from '../../../spec/worktrees/codebaseByPath.ts'
import { agentType } from '../agents/agents.ts'
import { handle } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import type { TypedViews } from '../typedViews.ts'
import { codebaseType } from './codebases.ts'
import { repositoryOfCodebase } from './repositories.ts'

type Context = Pick<RequestContext, 'views' | 'presence' | 'now' | 'baseUrl'>

const pageSize = 1_000

/** Finds a codebase by its exact path. @throws Failure CODEBASE_NOT_FOUND, AMBIGUOUS_PATH */
export async function codebaseAt(path: string, context: Context): Promise<TypedRow<'codebase'>> {
  // Neither file systems nor PostgreSQL accept such a text.
  const found = path.includes('\0') ? [] : await registeredCodebases(context.views, path)
  const agents = await context.views.getMany(
    'agent',
    found.flatMap(({ columns }) => columns.agentId ?? []),
  )
  const agentOf = ({ columns }: TypedRow<'codebase'>): TypedRow<'agent'> | undefined =>
    agents.get(columns.agentId ?? '')
  // The folders of a machine that was enrolled again belong to two agents: the revoked one and the current one.
  const used = found.filter((row) => agentOf(row)?.columns.status !== 'REVOKED')
  const [row = found[0], ...others] = used
  if (!row)
    throw new Failure(
      'CODEBASE_NOT_FOUND',
      'No codebase has the path. Give the exact absolute path of a registered checkout.',
    )
  if (others.length > 0) throw ambiguous(used, agentOf, context)
  return row
}

function ambiguous(
  rows: readonly TypedRow<'codebase'>[],
  agentOf: (row: TypedRow<'codebase'>) => TypedRow<'agent'> | undefined,
  context: Context,
): Failure {
  const matches = rows.map((row) => {
    const agent = agentOf(row)
    return {
      codebaseId: row.id,
      agentId: row.columns.agentId ?? null,
      agentName: agent ? agentType.fromRow(agent, context).name : null,
    }
  })
  return new Failure('AMBIGUOUS_PATH', 'Codebases of several agents have the path. Use the ID of one of the matches.', {
    details: { matches },
  })
}

/** All codebases, or those with this exact path. */
export async function registeredCodebases(views: TypedViews, path?: string): Promise<readonly TypedRow<'codebase'>[]> {
  const where = path === undefined ? {} : { init: { path } }
  const rows: TypedRow<'codebase'>[] = []
  for (;;) {
    const last = rows.at(-1)
    const after = last ? { after: { id: last.id } } : {}
    const page = await views.list({ kind: 'codebase', terminal: false, limit: pageSize, ...where, ...after })
    rows.push(...page)
    if (page.length < pageSize) return rows
  }
}

export const codebaseByPathHandlers = [
  handle(codebaseByPath, ['views', 'presence'], {
    additions: { repository: repositoryOfCodebase },
    read: async ({ path }, context) => codebaseType.fromRow(await codebaseAt(path, context), context),
  }),
]
