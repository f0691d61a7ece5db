/** What an agent found on its machine, compared with what is stored: only what is new or changed becomes a message. */
import * as v from 'valibot'
import type { ActorRow, Json } from './actor.ts'
import { epoch, requireEpoch } from './agentSession.ts'
import { type CodebaseState, syncState } from './codebases.ts'
import { siblingId } from './ids.ts'
import { type Envelope, type MessageContext, mutation } from './operation.ts'
import { contextOf, initOf } from './rows.ts'
import { int, named, text, words } from './types.ts'

/** Of a folder on the agent’s machine. */
export const path = text({ min: 1, max: 1_024 })
export const name = v.nullish(text({ max: 244 }))
export const sha = v.nullish(text({ max: 64 }))
const moment = v.pipe(v.string(), v.isoTimestamp())
const count = v.nullish(v.pipe(int, v.minValue(0)))

const worktreeReport = named(
  'WorktreeReport',
  'A line of `git worktree list`.',
  v.object({ path, branch: name, headSha: sha }),
)
const codebaseReport = named(
  'CodebaseReport',
  'A repository as it stands on the machine.',
  v.object({
    path,
    observedOrigin: v.nullish(text({ max: 500 })),
    branch: name,
    headSha: sha,
    upstream: name,
    ahead: count,
    behind: count,
    syncState,
    availability: named('ReportedAvailability', 'Whether the folder is there.', v.picklist(['PRESENT', 'MISSING'])),
    statusError: v.nullish(words(300)),
    lastCheckedAt: moment,
    lastFetchedAt: v.nullish(moment),
    branches: v.nullish(v.pipe(v.array(text({ max: 500 })), v.maxLength(1_000))),
    worktrees: v.pipe(v.array(worktreeReport), v.maxLength(500)),
  }),
)

type CodebaseReport = v.InferOutput<typeof codebaseReport>
type WorktreeReport = v.InferOutput<typeof worktreeReport>

/** A report that says nothing new is written all the same once so many milliseconds have passed, for `lastCheckedAt`. */
const refreshMs = 5 * 60_000

const reportCodebases = mutation({
  name: 'reportCodebases',
  description: 'The git repositories found on the machine, with their worktrees.',
  access: 'agents',
  exemptFromCost: true,
  input: v.object({ epoch, codebases: v.pipe(v.array(codebaseReport), v.maxLength(200)) }),
  output: named(
    'ReportCodebasesPayload',
    'How many codebases and worktrees were new or had changed.',
    v.object({ accepted: int }),
  ),
  translate: async (input, context) => {
    const agentId = await requireEpoch(input.epoch, context)
    const [codebases, worktrees] = await Promise.all([
      context.views.list({ kind: 'codebase', where: { agentId }, terminal: false, limit: 1_000 }),
      context.views.list({ kind: 'worktree', where: { agentId }, terminal: false, limit: 1_000 }),
    ])
    const known: Known = {
      codebases: new Map(codebases.map((row) => [initOf<{ path: string }>(row).path, row])),
      worktrees,
    }
    const messages = input.codebases.flatMap((report) => compare(report, known, agentId, context))
    return { messages, answer: () => ({ accepted: messages.length }) }
  },
})

interface Known {
  readonly codebases: ReadonlyMap<string, ActorRow>
  readonly worktrees: readonly ActorRow[]
}

interface WorktreeContext {
  readonly path: string | null
  readonly branch: string | null
  readonly headSha: string | null
}

function compare(report: CodebaseReport, known: Known, agentId: string, context: MessageContext): Envelope[] {
  const row = known.codebases.get(report.path)
  const codebaseId = row?.id ?? context.newId('codebase')
  const state = stateOf(report)
  const branches = report.branches ?? null
  const available = report.availability === 'PRESENT'
  const messages: Envelope[] = []
  if (row !== undefined) {
    const changed = available !== (row.columns.status === 'PRESENT') || differs(row, state)
    if (changed) {
      messages.push({
        to: { kind: 'codebase', id: codebaseId },
        event: { type: 'reported', available, state: { ...state }, branches },
      })
    }
  } else if (available) {
    const create = { agentId, path: report.path, createdAt: context.now, state: { ...state }, branches }
    messages.push({ to: { kind: 'codebase', id: codebaseId }, event: { type: 'create' }, create })
  } else return []
  return [...messages, ...compareWorktrees(report, codebaseId, known, agentId, context)]
}

function stateOf(report: CodebaseReport): CodebaseState {
  return {
    observedOrigin: withoutCredential(report.observedOrigin ?? null),
    branch: report.branch ?? null,
    headSha: report.headSha ?? null,
    upstream: report.upstream ?? null,
    ahead: report.ahead ?? null,
    behind: report.behind ?? null,
    syncState: report.syncState,
    statusError: report.statusError ?? null,
    lastCheckedAt: new Date(report.lastCheckedAt).toISOString(),
    lastFetchedAt: report.lastFetchedAt ? new Date(report.lastFetchedAt).toISOString() : null,
  }
}

/** A remote's address may hold a password; it is nobody's to read here. */
function withoutCredential(origin: string | null): string | null {
  return origin === null ? null : origin.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1')
}

function differs(row: ActorRow, state: CodebaseState): boolean {
  const { lastCheckedAt: before, ...known } = contextOf<{ state: CodebaseState }>(row).state
  const { lastCheckedAt: now, ...found } = state
  if (Date.parse(now) - Date.parse(before) >= refreshMs) return true
  return Object.entries(found).some(([key, value]) => known[key as keyof typeof known] !== value)
}

function compareWorktrees(
  report: CodebaseReport,
  codebaseId: string,
  known: Known,
  agentId: string,
  context: MessageContext,
): Envelope[] {
  const own = known.worktrees.filter((row) => row.columns.scopeId === codebaseId)
  const byPath = new Map(own.map((row) => [contextOf<WorktreeContext>(row).path, row]))
  // One that is being made appears on the disk before its job has said where: it is not a second one.
  const beingMade = new Set(
    own.filter((row) => row.columns.status === 'CREATING').map((row) => contextOf<WorktreeContext>(row).branch),
  )
  const available = report.availability === 'PRESENT'
  const listed = available ? report.worktrees : []
  const messages = listed.flatMap((found) => {
    const row = byPath.get(found.path)
    if (row !== undefined) return changeOf(row, found)
    if (beingMade.has(found.branch ?? null)) return []
    return adoption(found, report, codebaseId, agentId, context)
  })
  const paths = new Set(listed.map((found) => found.path))
  for (const row of own) {
    const { path: at } = contextOf<WorktreeContext>(row)
    if (row.columns.status !== 'PRESENT' || at === null || paths.has(at)) continue
    messages.push({
      to: { kind: 'worktree', id: row.id },
      event: { type: 'reported', available: false, branch: null, headSha: null },
    })
  }
  return messages
}

function changeOf(row: ActorRow, found: WorktreeReport): Envelope[] {
  const { branch, headSha } = contextOf<WorktreeContext>(row)
  const news = { branch: found.branch ?? null, headSha: found.headSha ?? null }
  if (row.columns.status === 'PRESENT' && news.branch === branch && news.headSha === headSha) return []
  if (row.columns.status !== 'PRESENT' && row.columns.status !== 'MISSING') return []
  return [{ to: { kind: 'worktree', id: row.id }, event: { type: 'reported', available: true, ...news } }]
}

/** The queue first: a worktree that can be seen can be queued on. */
function adoption(
  found: WorktreeReport,
  report: CodebaseReport,
  codebaseId: string,
  agentId: string,
  { newId, now }: MessageContext,
): Envelope[] {
  const worktreeId = newId('worktree')
  const init: Record<string, Json> = {
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
  return [
    queueFor(worktreeId, codebaseId, agentId, now),
    { to: { kind: 'worktree', id: worktreeId }, event: { type: 'create' }, create: init },
  ]
}

export function queueFor(worktreeId: string, codebaseId: string, agentId: string, createdAt: number): Envelope {
  return {
    to: { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) },
    event: { type: 'create' },
    create: { worktreeId, codebaseId, agentId, createdAt },
  }
}

export const codebaseReportOperations = [reportCodebases]
