import type { TypedRow } from '../../../machines/rows.ts'
import type { Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { CodebaseState } from '../../../spec/worktrees/codebases.ts'
import type { Envelope } from '../../messages.ts'
import type { Translation } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import type { CodebaseReport, WorktreeReport } from './codebaseReportInput.ts'
import { reportedRepositories } from './reportedRepositories.ts'
import { queueFor } from './worktreeQueueCreation.ts'

/** The milliseconds after which a report without changes is written nevertheless, for `lastCheckedAt`. */
const refreshMs = 5 * 60_000

/** The messages of a report. A message depends only on messages of an earlier phase. */
interface Comparison {
  readonly messages: Translation<unknown>['messages']
  readonly phases: readonly number[]
  /** The codebase or worktree that each message is about, in the places of the messages. A repository that is created has no path. */
  readonly paths: readonly (string | undefined)[]
}

/** One change that a report causes. */
interface Change {
  readonly path: string | undefined
  readonly envelope: Envelope
  /**
   * The messages that this one needs. If one of them was refused, this one is refused too: a worktree needs its codebase and its
   * queue, and a codebase its repository.
   */
  readonly needs: readonly Change[]
}

/** @throws Failure BAD_USER_INPUT if a part lists a worktree outside of its bounds */
export async function compareReports(
  reports: readonly CodebaseReport[],
  agentId: string,
  context: RequestContext<'views' | 'ids'>,
): Promise<Comparison> {
  const rows = await Promise.all(reports.map(({ path }) => context.views.findByKey('codebase', `${agentId}|${path}`)))
  const ranges = rows.flatMap((row, index) => {
    const bounds = boundsOf(reports[index])
    const key = (path: string | undefined) => (path === undefined ? undefined : `${agentId}|${path}`)
    return row === undefined ? [] : [{ scopeId: row.id, keyAfter: key(bounds.after), keyUpTo: key(bounds.upTo) }]
  })
  const found = ranges.length === 0 ? [] : await context.views.livingInScopes('worktree', ranges)
  const worktrees = Map.groupBy(found, ({ columns }) => columns.scopeId)
  const repositories = await reportedRepositories(originsWithNews(reports, rows), context)
  const repositoryCreations = new Map(
    [...repositories.values()].flatMap(({ id, creation }): [string, Change][] =>
      creation === undefined ? [] : [[id, { path: undefined, envelope: creation, needs: [] }]],
    ),
  )

  // Two parts of one new codebase may be in the same report.
  const created = new Map<string, Change>()
  const codebases: Change[] = []
  const queues: Change[] = []
  const others: Change[] = []
  for (const [index, report] of reports.entries()) {
    const row = rows[index]
    const before = created.get(report.path)
    const repositoryId = hasNews(report, row)
      ? (repositories.get(originOf(report))?.id ?? null)
      : (row?.context.repositoryId ?? null)
    const needed = repositoryCreations.get(repositoryId ?? '')
    const needs = needed === undefined ? [] : [needed]
    const change =
      before === undefined ? changeOfCodebase(report, row, { agentId, repositoryId, needs }, context) : undefined
    const creation = before ?? (row === undefined ? change : undefined)
    const codebaseId = row?.id ?? creation?.envelope.to.id
    if (codebaseId === undefined) continue
    if (creation !== undefined) created.set(report.path, creation)
    if (change !== undefined) codebases.push(change)
    const known = worktrees.get(codebaseId) ?? []
    others.push(...changesOfKnown(report, known))
    for (const one of unknownWorktrees(report, known)) {
      const { queue, worktree } = adoption(one, report, codebaseId, agentId, context)
      queues.push({ path: one.path, envelope: queue, needs: creation === undefined ? [] : [creation] })
      others.push({ path: one.path, envelope: worktree, needs: queues.slice(-1) })
    }
  }
  const changes = [...repositoryCreations.values(), ...codebases, ...queues, ...others]
  const places = new Map(changes.map((change, place) => [change, place]))
  return {
    messages: changes.map(({ envelope, needs }) => (replies) => {
      if (needs.every((needed) => replies[places.get(needed) ?? -1] !== undefined)) return envelope
      throw new Failure('CONFLICT', 'Not stored, because its repository, codebase or queue was not. Report it again.')
    }),
    phases: [repositoryCreations.size, codebases.length, queues.length, others.length],
    paths: changes.map(({ path }) => path),
  }
}

/** The paths between which a report lists all worktrees. */
function boundsOf(report: CodebaseReport | undefined): {
  readonly after: string | undefined
  readonly upTo: string | undefined
} {
  // A missing folder has no worktrees, so its report is never divided into parts.
  if (report?.availability !== 'PRESENT') return { after: undefined, upTo: undefined }
  const [after, upTo] = [report.worktreesAfter ?? undefined, report.worktreesUpTo ?? undefined]
  for (const { path } of report.worktrees) {
    if ((after === undefined || compareBytes(path, after) > 0) && (upTo === undefined || compareBytes(path, upTo) <= 0))
      continue
    throw new Failure(
      'BAD_USER_INPUT',
      `The worktree ${path} is not between \`worktreesAfter\` (${after}) and \`worktreesUpTo\` (${upTo}). Sort worktrees by the UTF-8 bytes of their paths.`,
      { details: { field: 'worktrees' } },
    )
  }
  return { after, upTo }
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function originOf(report: CodebaseReport): string | null {
  return withoutCredential(report.observedOrigin ?? null)
}

/** Whether the report leads to a codebase with another remote than before. */
function hasNews(report: CodebaseReport, row: TypedRow<'codebase'> | undefined): boolean {
  return row === undefined ? report.availability === 'PRESENT' : originOf(report) !== row.context.state.observedOrigin
}

/** A report in which no remote is new or has changed has none, so that it looks up no repository. */
function originsWithNews(
  reports: readonly CodebaseReport[],
  rows: readonly (TypedRow<'codebase'> | undefined)[],
): readonly (string | null)[] {
  return reports.filter((report, index) => hasNews(report, rows[index])).map(originOf)
}

interface CodebaseOwner {
  readonly agentId: string
  readonly repositoryId: string | null
  readonly needs: readonly Change[]
}

function changeOfCodebase(
  report: CodebaseReport,
  row: TypedRow<'codebase'> | undefined,
  { agentId, repositoryId, needs }: CodebaseOwner,
  { ids, now }: RequestContext<'ids'>,
): Change | undefined {
  const { path } = report
  const state = stateOf(report)
  const branches = report.branches ?? null
  const available = report.availability === 'PRESENT'
  if (row === undefined) {
    if (!available) return undefined
    const create = { agentId, path, createdAt: now, state: { ...state }, repositoryId, branches }
    const to = { kind: 'codebase', id: ids.newId('codebase') } as const
    return { path, envelope: { to, event: { type: 'create' }, create }, needs }
  }
  if (available === (row.columns.status === 'PRESENT') && !differs(row, state)) return undefined
  const event = { type: 'reported', available, state: { ...state }, repositoryId, branches }
  return { path, envelope: { to: { kind: 'codebase', id: row.id }, event }, needs }
}

function stateOf(report: CodebaseReport): CodebaseState {
  return {
    observedOrigin: originOf(report),
    branch: report.branch ?? null,
    headSha: report.headSha ?? null,
    upstream: report.upstream ?? null,
    ahead: report.ahead ?? null,
    behind: report.behind ?? null,
    syncState: report.syncState,
    statusError: report.statusError ?? null,
    branchCount: report.branchCount ?? report.branches?.length ?? null,
    lastCheckedAt: new Date(report.lastCheckedAt).toISOString(),
    lastFetchedAt: report.lastFetchedAt ? new Date(report.lastFetchedAt).toISOString() : null,
  }
}

/** The address of a remote may contain a password, which must not be shown. */
function withoutCredential(origin: string | null): string | null {
  return origin === null ? null : origin.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1')
}

function differs(row: TypedRow<'codebase'>, state: CodebaseState): boolean {
  const { lastCheckedAt: before, ...known } = row.context.state
  const { lastCheckedAt: now, ...found } = state
  if (Date.parse(now) - Date.parse(before) >= refreshMs) return true
  return Object.entries(found).some(([key, value]) => known[key as keyof typeof known] !== value)
}

/** A worktree that is being created appears on the disk before its job has reported its path. It is not a second worktree. */
function unknownWorktrees(report: CodebaseReport, known: readonly TypedRow<'worktree'>[]): readonly WorktreeReport[] {
  const contexts = known.map((row) => row.context)
  const paths = new Set(contexts.map(({ path }) => path))
  const beingCreated = new Set(
    contexts.filter((_, index) => known[index]?.columns.status === 'CREATING').map(({ branch }) => branch),
  )
  return listedIn(report).filter(({ path, branch }) => !paths.has(path) && !beingCreated.has(branch ?? null))
}

function changesOfKnown(report: CodebaseReport, known: readonly TypedRow<'worktree'>[]): readonly Change[] {
  const listed = new Map(listedIn(report).map((worktree) => [worktree.path, worktree]))
  return known.flatMap((row) => {
    const { path, branch, headSha } = row.context
    if (path === null) return []
    const change = (available: boolean, now: { branch: string | null; headSha: string | null }): Change[] => [
      {
        path,
        envelope: { to: { kind: 'worktree', id: row.id }, event: { type: 'reported', available, ...now } },
        needs: [],
      },
    ]
    const found = listed.get(path)
    if (found === undefined) {
      return row.columns.status === 'PRESENT' ? change(false, { branch: null, headSha: null }) : []
    }
    const now = { branch: found.branch ?? null, headSha: found.headSha ?? null }
    if (row.columns.status === 'MISSING') return change(true, now)
    if (row.columns.status !== 'PRESENT') return []
    return now.branch === branch && now.headSha === headSha ? [] : change(true, now)
  })
}

function listedIn(report: CodebaseReport): readonly WorktreeReport[] {
  return report.availability === 'PRESENT' ? report.worktrees : []
}

function adoption(
  found: WorktreeReport,
  report: CodebaseReport,
  codebaseId: string,
  agentId: string,
  { ids, now }: RequestContext<'ids'>,
): { readonly queue: Envelope; readonly worktree: Envelope } {
  const worktreeId = ids.newId('worktree')
  const create: Record<string, Json> = {
    agentId,
    codebaseId,
    codebasePath: report.path,
    adopted: true,
    path: found.path,
    branch: found.branch ?? null,
    base: null,
    headSha: found.headSha ?? null,
    main: found.path === report.path,
    createdAt: now,
  }
  return {
    queue: queueFor(worktreeId, codebaseId, agentId, now),
    worktree: { to: { kind: 'worktree', id: worktreeId }, event: { type: 'create' }, create },
  }
}
