import type * as v from 'valibot'
import type { BuildInit, BuildServerUrls, BuildSlot } from '../../../machines/builds/buildActions.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import type { BuildTrigger } from '../../../spec/builds/buildEnums.ts'
import { cancelBuild, rebuild, startBuild } from '../../../spec/builds/builds.ts'
import type { BuildConfigurationContent } from '../../../spec/builds/configurationContent.ts'
import type { ServerUrlKind } from '../../../spec/builds/serverUrls.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import { type Principal, principalName } from '../../../spec/core/principal.ts'
import { oneMessage, requireKind } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle, type Translation } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import { lineage, stepOf } from '../runs/newRuns.ts'
import type { TypedViews } from '../typedViews.ts'
import { buildObject } from './builds.ts'
import { type BuildTarget, requireBuildTarget } from './buildTarget.ts'
import { readConfigurationVersion } from './configurationVersions.ts'
import { readServerUrlOverrides, resolveDefaultKind, resolveServerUrls } from './resolveServerUrls.ts'
import { requireSigning } from './signing/handOut.ts'

type BuildPayload = { readonly build: ReturnType<typeof buildObject> }

/** A build that is about to be created, before its place and its number are known. */
type NewBuild = Pick<
  BuildInit,
  | 'buildConfigurationId'
  | 'configurationVersion'
  | 'content'
  | 'repositoryId'
  | 'requestedCommit'
  | 'rebuildOf'
  | 'kind'
  | 'branch'
  | 'slot'
> & {
  /** Null: the default of the settings. */
  readonly serverUrlKind: ServerUrlKind | null
}

async function createBuild(
  { serverUrlKind, ...build }: NewBuild,
  { branch: _, ...target }: BuildTarget,
  context: RequestContext<'views' | 'ids' | 'serverUrls'>,
): Promise<Translation<BuildPayload>> {
  const { views, ids, principal, now } = context
  const repository = (await requireRow(views, 'repository', build.repositoryId)).init.name
  const push = await readRequestingPush(context)
  const create: BuildInit = {
    ...build,
    ...target,
    repository,
    serverUrls: await resolveUrls(serverUrlKind, context),
    trigger: triggerOf(principal),
    ...stepOf(principal),
    ...(push === undefined ? {} : { deliveryId: push.init.deliveryId }),
    number: await ids.nextNumber('BUILD'),
    requestedBy: principalName(principal),
    createdAt: now,
  }
  const to = { kind: 'build', id: ids.newId('build') } as const
  return oneMessage({ to, event: { type: 'create' }, create }, (row) => ({ build: buildObject(row) }))
}

/** @throws Failure FAILED_PRECONDITION */
async function resolveUrls(
  requested: ServerUrlKind | null,
  context: RequestContext<'views' | 'serverUrls'>,
): Promise<BuildServerUrls> {
  const settings = await readServerUrlOverrides(context.views)
  const detected = context.serverUrls.detect()
  const urls = resolveServerUrls(settings, detected, context)
  const kind = requested ?? resolveDefaultKind(settings, detected, urls)
  if (kind !== 'PROXY' || urls.proxy !== null) return { kind, ...urls }
  throw new Failure(
    'FAILED_PRECONDITION',
    'serverUrlKind: the server has no proxy. Set its origin with `saveServerUrlSettings`, or choose LOCAL or REMOTE.',
    { details: { field: 'serverUrlKind' } },
  )
}

/** The request of a push. Undefined for another requester. */
async function readRequestingPush({ principal, views }: RequestContext<'views'>) {
  if (principal.kind !== 'actor' || kindOfId(principal.actorId) !== 'pushBuild') return undefined
  return await requireRow(views, 'pushBuild', principal.actorId)
}

function triggerOf(principal: Principal): BuildTrigger {
  if (principal.kind === 'actor') return kindOfId(principal.actorId) === 'pushBuild' ? 'WEBHOOK' : 'WORKFLOW'
  return principal.kind === 'user' ? 'CONSOLE' : 'API'
}

async function requireActive(id: string, views: TypedViews): Promise<TypedRow<'buildConfiguration'>> {
  const row = await requireRow(views, 'buildConfiguration', id)
  const { status } = row.columns
  if (status === 'ACTIVE') return row
  throw new Failure(
    'FAILED_PRECONDITION',
    `The build configuration is ${status}. Unarchive it, or build another one.`,
    {
      details: { buildConfigurationId: id, state: status },
    },
  )
}

/** @throws Failure FAILED_PRECONDITION */
function requireReports(buildConfigurationId: string, { coverageReports = [] }: BuildConfigurationContent): void {
  if (coverageReports.length > 0) return
  throw new Failure(
    'FAILED_PRECONDITION',
    'kind: the build configuration has no `coverageReports`, so it has no COVERAGE builds. Add the reports that its steps write, or choose BUILD.',
    { details: { field: 'kind', buildConfigurationId } },
  )
}

type SourceInput = Pick<
  v.InferOutput<typeof startBuild.input>,
  'source' | 'commit' | 'exclusiveWorktree' | 'worktreeConcurrencyLimit'
>

/**
 * The conditions under which a build of the files of its worktree gets a slot. Nothing for a build of a commit.
 * @throws Failure BAD_USER_INPUT
 */
async function readSlot(
  { source, commit, exclusiveWorktree, worktreeConcurrencyLimit: limit }: SourceInput,
  context: RequestContext<'views'>,
): Promise<{ readonly slot?: BuildSlot }> {
  if (source === 'WORKTREE') {
    if (commit) throw misplaced('commit', 'a build of the files of a worktree names no commit. Leave it out.')
    const { above } = await lineage(context)
    return { slot: { limit: limit ?? 1, exclusive: exclusiveWorktree ?? false, above } }
  }
  const needs = 'it needs `source: WORKTREE`. A build of a commit has a checkout of its own.'
  if (exclusiveWorktree) throw misplaced('exclusiveWorktree', needs)
  if (limit !== null && limit !== undefined) throw misplaced('worktreeConcurrencyLimit', needs)
  return {}
}

function misplaced(field: string, problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${problem}`, { details: { field } })
}

/** Null for the hash of a commit, which belongs to no branch. */
function nameOfBranch(commit: string): string | null {
  return /^[0-9a-f]{7,64}$/.test(commit) ? null : commit
}

/** A run may start builds of its own repository. */
async function touchConfiguration(id: string, views: TypedViews) {
  return { repositoryId: (await requireRow(views, 'buildConfiguration', id)).init.repositoryId }
}

const touchRequest = async ({ buildId }: { readonly buildId: string }, { views }: { readonly views: TypedViews }) => {
  const { requestedBy, repositoryId } = (await requireRow(views, 'build', buildId)).init
  return { requesters: [requestedBy], repositoryId }
}

const repeat = {
  message: 0,
  answer: ({ row }: Parameters<Translation<BuildPayload>['answer']>[0][number]) => ({
    build: buildObject(requireKind('build', row)),
  }),
}

export const startBuildHandlers = [
  handle(startBuild, ['views', 'presence', 'ids', 'serverUrls'], {
    touches: ({ buildConfigurationId }, { views }) => touchConfiguration(buildConfigurationId, views),
    repeat,
    translate: async (input, context) => {
      const { buildConfigurationId, worktreeId } = input
      const row = await requireActive(buildConfigurationId, context.views)
      const configurationVersion = row.context.revision
      const stored = await readConfigurationVersion(buildConfigurationId, configurationVersion, context.views)
      const { author: _author, at: _at, ...content } = stored
      const { repositoryId } = row.init
      const kind = input.kind ?? 'BUILD'
      if (kind === 'COVERAGE') requireReports(buildConfigurationId, content)
      await requireSigning(content, context)
      const target = await requireBuildTarget(worktreeId, repositoryId, content.requirements, context)
      return await createBuild(
        {
          ...{ buildConfigurationId, configurationVersion, content, repositoryId },
          kind,
          ...(await readSlot(input, context)),
          requestedCommit: input.commit ?? null,
          branch:
            (await readRequestingPush(context))?.init.branch ??
            (input.commit ? nameOfBranch(input.commit) : target.branch),
          rebuildOf: null,
          serverUrlKind: input.serverUrlKind ?? null,
        },
        target,
        context,
      )
    },
  }),
  handle(rebuild, ['views', 'presence', 'ids', 'serverUrls'], {
    touches: async ({ buildId }, { views }) => ({
      repositoryId: (await requireRow(views, 'build', buildId)).init.repositoryId,
    }),
    repeat,
    translate: async ({ buildId }, context) => {
      const { init, context: former, columns } = await requireRow(context.views, 'build', buildId)
      if (!columns.terminal)
        throw new Failure(
          'FAILED_PRECONDITION',
          `The build is ${columns.status}. Only an ended build can be built again: cancel it first, or start another one.`,
          { details: { buildId, state: columns.status } },
        )
      const { buildConfigurationId, configurationVersion, content, repositoryId } = init
      await requireSigning(content, context)
      const target = await requireBuildTarget(init.worktreeId, repositoryId, content.requirements, context)
      const source =
        init.slot === undefined
          ? { requestedCommit: former.commit ?? init.requestedCommit, branch: init.branch ?? null }
          : {
              requestedCommit: null,
              branch: target.branch,
              slot: { ...init.slot, above: (await lineage(context)).above },
            }
      return await createBuild(
        {
          ...{ buildConfigurationId, configurationVersion, content, repositoryId },
          kind: init.kind ?? 'BUILD',
          ...source,
          rebuildOf: buildId,
          serverUrlKind: init.serverUrls.kind,
        },
        target,
        context,
      )
    },
  }),
  handle(cancelBuild, ['views'], {
    touches: touchRequest,
    translate: async ({ buildId, reason }, { views }) => {
      await requireRow(views, 'build', buildId)
      const event = { type: 'cancel', ...(reason ? { code: 'CANCELED_BY_REQUEST', message: reason } : {}) }
      return oneMessage({ to: { kind: 'build', id: buildId }, event }, (row) => ({ build: buildObject(row) }))
    },
  }),
]
