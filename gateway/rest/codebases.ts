/** Codebases over REST, for sessions alone: the list, and one by its exact path. */
import type { ActorRow } from '../../spec/actor.ts'
import { Failure } from '../../spec/failure.ts'
import type { RequestContext } from '../../spec/operation.ts'
import type { Views } from '../../spec/views.ts'
import { json } from '../answer.ts'
import type { HttpRequest } from '../request.ts'
import type { Answer, Route, RouteCall } from '../route.ts'

/** What a record is made of beside the codebase's own row. */
export interface CodebaseRelated {
  readonly agent: ActorRow | undefined
  readonly activeJob: ActorRow | undefined
  readonly branches: boolean
}

/** The record of contract section 5, made by the domain. */
export type CodebaseRecord = (
  row: ActorRow,
  related: CodebaseRelated,
  context: Pick<RequestContext, 'presence' | 'now'>,
) => Readonly<Record<string, unknown>>

export interface CodebaseSources {
  readonly views: Views
  readonly record: CodebaseRecord
  context(request: HttpRequest): Pick<RequestContext, 'presence' | 'now'>
}

const pageSize = 1_000

export function codebaseRoutes(sources: CodebaseSources): readonly Route[] {
  const access = ['user'] as const
  return [
    { method: 'GET', path: '/api/codebases', access, handle: (call) => list(call, sources) },
    { method: 'GET', path: '/api/codebases/by-path', access, handle: (call) => byPath(call, sources) },
  ]
}

async function list({ request }: RouteCall, sources: CodebaseSources): Promise<Answer> {
  const rows = await present(sources.views)
  return json(200, { codebases: await records(rows, request, sources) })
}

async function byPath({ request }: RouteCall, sources: CodebaseSources): Promise<Answer> {
  const path = new URLSearchParams(request.query).get('path')
  if (!path) throw new Failure('INVALID_PATH', 'Give the absolute folder in "path".')
  const found = (await present(sources.views)).filter((row) => row.init.path === path || row.context.path === path)
  const [row, ...others] = found
  if (!row) throw new Failure('CODEBASE_NOT_FOUND', 'No registered checkout has that path.')
  if (others.length > 0) throw await ambiguous(found, sources.views)
  const [codebase] = await records([row], request, sources)
  return json(200, { codebase })
}

async function ambiguous(rows: readonly ActorRow[], views: Views): Promise<Failure> {
  const agents = await views.getMany(rows.flatMap(agentIdOf))
  const matches = rows.map((row) => {
    const agentId = row.columns.agentId ?? null
    const agent = agentId === null ? undefined : agents.get(agentId)
    return { codebaseId: row.id, agentId, agentName: agent?.context.name ?? agent?.init.name ?? null }
  })
  return new Failure('AMBIGUOUS_PATH', 'Several agents use that path.', { details: { matches } })
}

async function present(views: Views): Promise<readonly ActorRow[]> {
  const rows: ActorRow[] = []
  for (;;) {
    const last = rows.at(-1)
    const page = await views.list({
      kind: 'codebase',
      terminal: false,
      limit: pageSize,
      ...(last ? { after: { id: last.id } } : {}),
    })
    rows.push(...page)
    if (page.length < pageSize) return rows
  }
}

async function records(rows: readonly ActorRow[], request: HttpRequest, sources: CodebaseSources) {
  const { views, record } = sources
  const context = sources.context(request)
  const branches = new URLSearchParams(request.query).get('branches') === 'true'
  const [agents, jobs] = await Promise.all([
    views.getMany([...new Set(rows.flatMap(agentIdOf))]),
    views.listByScope(
      'job',
      'scopeId',
      rows.map((row) => row.id),
      20,
    ),
  ])
  return rows.map((row) => {
    const agent = row.columns.agentId === undefined ? undefined : agents.get(row.columns.agentId)
    const activeJob = jobs.get(row.id)?.find((job) => !job.columns.terminal)
    return record(row, { agent, activeJob, branches }, context)
  })
}

function agentIdOf(row: ActorRow): string[] {
  return row.columns.agentId === undefined ? [] : [row.columns.agentId]
}
