/** The codebase in a folder: what scripts know of a checkout is where it is. */
import * as v from 'valibot'
import type { ActorRow } from './actor.ts'
import { agentType } from './agents.ts'
import { codebaseSchema, codebaseType } from './codebases.ts'
import { Failure } from './failure.ts'
import { query, type RequestContext } from './operation.ts'
import type { Views } from './views.ts'

type Context = Pick<RequestContext, 'views' | 'presence' | 'now'>

const pageSize = 1_000

/** By its exact path. @throws Failure CODEBASE_NOT_FOUND, AMBIGUOUS_PATH */
export async function codebaseAt(path: string, context: Context): Promise<ActorRow> {
  // No file system knows such a name, and PostgreSQL no such text.
  const found = path.includes('\0') ? [] : await registeredCodebases(context.views, path)
  const agents = await context.views.getMany(found.flatMap(({ columns }) => columns.agentId ?? []))
  const agentOf = ({ columns }: ActorRow): ActorRow | undefined => agents.get(columns.agentId ?? '')
  // A machine that was enrolled anew has its folders twice: by the agent that was revoked, and by the one that uses them.
  const used = found.filter((row) => agentOf(row)?.columns.status !== 'REVOKED')
  const [row = found[0], ...others] = used
  if (!row) throw new Failure('CODEBASE_NOT_FOUND', 'No registered checkout has that path.')
  if (others.length > 0) throw ambiguous(used, agentOf, context)
  return row
}

function ambiguous(
  rows: readonly ActorRow[],
  agentOf: (row: ActorRow) => ActorRow | undefined,
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
  return new Failure('AMBIGUOUS_PATH', 'Several agents use that path.', { details: { matches } })
}

/** All of them, or those that have this exact path. */
export async function registeredCodebases(views: Views, path?: string): Promise<readonly ActorRow[]> {
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

const codebaseByPath = query({
  name: 'codebaseByPath',
  description:
    'The codebase in a folder, by its exact path. Where several agents use the path, the refusal names them.',
  access: 'people',
  tool: {
    group: 'codebases',
    name: 'get_codebase_by_path',
    title: 'Get the codebase in a folder',
    description:
      'The registered checkout in one folder of a managed machine, by its exact absolute path. Where several machines have the path ' +
      'it is refused with the codebases that match: choose one and go on with get_codebase.',
  },
  input: v.object({
    path: v.pipe(
      v.string(),
      v.minLength(1, 'must be the absolute folder'),
      v.maxLength(4_096),
      v.description('The absolute folder.'),
    ),
  }),
  output: codebaseSchema,
  read: async ({ path }, context) => codebaseType.fromRow(await codebaseAt(path, context), context),
})

export const codebaseByPathOperations = [codebaseByPath]
