/** Builds: executions of a build configuration on a machine. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query, subscription } from '../core/operation.ts'
import { problem } from '../core/problem.ts'
import { atMost, dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { concurrencyLimit } from '../worktrees/concurrencyLimit.ts'
import { buildKinds, buildPhases, buildSources, buildStatuses, buildTriggers } from './buildEnums.ts'
import { buildCoverage } from './coverage.ts'
import { serverUrlKind } from './serverUrls.ts'
import { signingAssetsMax } from './signing/signingEnums.ts'

export const buildStatus = named(
  'BuildStatus',
  'The status of a build. QUEUED: it waits for its worktree, or for its job. ASSIGNED: its machine has not accepted it yet. PREPARING: the commit is checked out. SUCCEEDED, FAILED, CANCELED, TIMED_OUT and LOST are final.',
  v.picklist(buildStatuses),
)

export const buildPhase = named(
  'BuildPhase',
  'The activity of a build within its status, or the reason why it waits. COLLECTING: its artifacts are stored.',
  v.picklist(buildPhases),
)

export const buildKind = named(
  'BuildKind',
  'The kind of a build. COVERAGE: it reads the coverage reports of its configuration after its steps.',
  v.picklist(buildKinds),
)

export const buildSource = named(
  'BuildSource',
  'The files that are built. COMMIT: a commit, in a checkout of its own beside the worktree. WORKTREE: the files of the worktree as they are, with changes that are not committed. Such a build waits for the worktree and uses it as a run does.',
  v.picklist(buildSources),
)

export const buildTrigger = named(
  'BuildTrigger',
  'The surface or the object that started a build. API: an API key, a run or a tool. WORKFLOW: a step of a workflow’s run. WEBHOOK: a push.',
  v.picklist(buildTriggers),
)

export const buildSchema = named(
  'Build',
  'One execution of a build configuration on a machine.',
  v.object({
    id,
    displayNumber: int,
    name: v.pipe(v.string(), v.description('The name of the configuration when the build was started.')),
    kind: buildKind,
    source: buildSource,
    status: buildStatus,
    phase: v.pipe(v.nullable(buildPhase), v.description('Null after the end.')),
    trigger: buildTrigger,
    buildConfigurationId: id,
    configurationVersion: v.pipe(int, v.description('The version of the configuration that is built.')),
    repositoryId: id,
    codebaseId: id,
    worktreeId: id,
    agentId: id,
    jobId: v.pipe(v.nullable(id), v.description('The ID of the build’s job. Null until the job is created.')),
    requestedCommit: v.pipe(
      v.nullable(v.string()),
      v.description(
        'The branch, tag or commit of the request. Null: the commit of the worktree when the build was prepared.',
      ),
    ),
    commit: v.pipe(
      v.nullable(v.string()),
      v.description(
        'The full hash of the commit that is built. With `source: WORKTREE`, the commit to which the files of the worktree may have changes. Null until the machine has found it.',
      ),
    ),
    branch: v.pipe(
      v.nullable(v.string()),
      v.description(
        'The branch or tag that is built. Coverage is compared within it. Null if the request named the hash of a commit, or the worktree has no branch.',
      ),
    ),
    workflowStepId: v.pipe(
      v.nullable(id),
      v.description('The step of a workflow’s run that started it. Null for another trigger.'),
    ),
    webhookDeliveryId: v.pipe(
      v.nullable(id),
      v.description('The delivery of the push that started it. Null for another trigger.'),
    ),
    rebuildOfId: v.pipe(v.nullable(id), v.description('The build that this one repeats. Null if it repeats none.')),
    requestedById: v.pipe(id, v.description('The user, API key, run or integration that requested it.')),
    signingAssetIds: v.pipe(
      atMost(signingAssetsMax, id),
      v.description('The signing assets that the build gets, as its configuration version names them.'),
    ),
    serverUrls: named(
      'BuildServerUrls',
      'The origins of the server, as they were when the build was started. Its steps have them in their environment.',
      v.object({
        kind: serverUrlKind,
        url: v.pipe(v.string(), v.description('The origin of the chosen kind.')),
        localUrl: v.string(),
        remoteUrl: v.string(),
        proxyUrl: v.pipe(v.nullable(v.string()), v.description('Null if there is no proxy.')),
      }),
    ),
    exclusiveWorktree: v.pipe(
      v.boolean(),
      v.description('Whether the build reserves its worktree. False for a build of a commit.'),
    ),
    worktreeConcurrencyLimit: v.pipe(
      v.nullable(int),
      v.description(
        'The maximum number of builds that use the worktree at the same time, 0: no limit. Null for a build of a commit, which does not use it.',
      ),
    ),
    queuedAt: v.pipe(
      v.nullable(dateTime),
      v.description('The time when the queue of the worktree took it. Null for a build of a commit.'),
    ),
    admittedAt: v.pipe(
      v.nullable(dateTime),
      v.description('The time when it got its slot of the worktree. Null for a build of a commit.'),
    ),
    problem: v.nullable(problem),
    exitCode: v.nullable(int),
    coverage: v.pipe(
      v.nullable(buildCoverage),
      v.description('Null for a build of another kind, and until its reports were read.'),
    ),
    createdAt: dateTime,
    startedAt: v.pipe(v.nullable(dateTime), v.description('The time when its machine accepted it.')),
    endedAt: v.nullable(dateTime),
    durationMs: v.pipe(
      v.nullable(int),
      v.description('The time between `startedAt` and `endedAt`. Null before the end, and if it never started.'),
    ),
  }),
)

export const builds = query({
  name: 'builds',
  description: 'Builds, newest first.',
  access: 'people',
  tool: {
    group: 'builds',
    name: 'get_builds',
    title: 'List builds',
    description:
      'Lists builds, newest first: name, status, commit, machine, times, and the reason of a failure. Filter by ' +
      '`buildConfigurationId`, `worktreeId`, `agentId`, `kind` and `statuses`. Use `get_build` for one build.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('Build', ['CREATED_AT']),
    buildConfigurationId: v.nullish(idOf('buildConfiguration')),
    worktreeId: v.nullish(idOf('worktree')),
    agentId: v.nullish(idOf('agent')),
    kind: v.pipe(v.nullish(buildKind), v.description('Returns only builds of this kind. Default: any.')),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(buildStatus), v.maxLength(buildStatuses.length))),
      v.description('Returns only builds with one of these statuses. Default: any.'),
    ),
  }),
  output: connectionOf('Build', buildSchema),
})

export const build = query({
  ...oneById('build', buildSchema),
  tool: {
    group: 'builds',
    name: 'get_build',
    title: 'Get a build',
    description:
      'Returns one build: its status, commit and machine, and at its end `problem` and `exitCode`. `get_build_log` returns its ' +
      'output. SUCCEEDED, FAILED, CANCELED, TIMED_OUT and LOST are final. Call it again for any other status. A COVERAGE build has ' +
      '`coverage`, and `get_build_coverage_files` lists its files.',
  },
})

const payload = (typeName: string) => named(typeName, 'The build.', v.object({ build: buildSchema }))

/** A name that git resolves to a commit. It must not look like an option. */
export const commitName = v.pipe(
  text({ min: 1, max: 244 }),
  v.regex(
    /^(?!-)(?!.*(?:\.\.|@\{))[^\s~^:?*[\\]+$/,
    'must be a branch, a tag or the hash of a commit, without "~", "^", ":" and ".."',
  ),
)

export const startBuild = mutation({
  name: 'startBuild',
  description:
    'Starts a build of a configuration on the machine of a worktree of its repository. It is refused if the machine does not meet the platforms, architectures and tags of the configuration.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Start a build',
    description:
      'Starts a build of a configuration (`get_build_configurations`) on the machine of a worktree of its repository. By ' +
      'default it builds the commit of the worktree in a checkout of its own. `commit` names another branch, tag or commit. ' +
      '`source: WORKTREE` builds the files of the worktree as they are, and waits until it can use the worktree (`blockedBy`). ' +
      '`kind: COVERAGE` also reads the coverage reports of the configuration. ' +
      'Follow it with `get_build`, and read its output with `get_build_log`.',
    openWorld: true,
  },
  input: v.object({
    buildConfigurationId: idOf('buildConfiguration'),
    worktreeId: v.pipe(
      idOf('worktree'),
      v.description('A worktree of the repository of the configuration. The build runs on its machine.'),
    ),
    commit: v.pipe(
      v.nullish(commitName),
      v.description(
        'The branch, tag or commit to build. If the machine does not have it, it is fetched from `origin`. Default: the commit of the worktree.',
      ),
    ),
    source: v.pipe(
      v.nullish(buildSource),
      v.description('The files that are built. WORKTREE allows no `commit`. Default: COMMIT.'),
    ),
    exclusiveWorktree: v.pipe(
      v.nullish(v.boolean()),
      v.description(
        'Only for WORKTREE: whether the build reserves its worktree. It waits until no run and no other build uses it. Default: false.',
      ),
    ),
    worktreeConcurrencyLimit: v.pipe(
      v.nullish(concurrencyLimit),
      v.description(
        'Only for WORKTREE: the maximum number of builds that use the worktree at the same time, 0 to 32. 0: no limit. Default: 1.',
      ),
    ),
    kind: v.pipe(
      v.nullish(buildKind),
      v.description('COVERAGE needs at least one of `coverageReports` in the configuration. Default: BUILD.'),
    ),
    serverUrlKind: v.pipe(
      v.nullish(serverUrlKind),
      v.description(
        'The origin by which the build reaches the server, and by which its artifacts are downloaded. Default: `serverUrlSettings`.',
      ),
    ),
    idempotencyKey,
  }),
  output: payload('StartBuildPayload'),
})

export const rebuild = mutation({
  name: 'rebuild',
  description:
    'Starts an ended build again: the same kind, source, commit, configuration version and machine. With `source: WORKTREE` it builds the files as they are now.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Build again',
    description:
      'Starts an ended build again, with the same kind, source, commit, configuration version and machine, and with the present ' +
      'server URLs. With `source: WORKTREE` it builds the files of the worktree as they are now.',
    openWorld: true,
  },
  input: v.object({ buildId: idOf('build'), idempotencyKey }),
  output: payload('RebuildPayload'),
})

export const cancelBuild = mutation({
  name: 'cancelBuild',
  description: 'Cancels a build. Its processes are asked to stop and are killed after 10 s.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Cancel a build',
    description:
      'Cancels a build that waits or executes. Its processes are asked to stop and are killed after 10 s. The status of the ' +
      'returned build may be CANCELING.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({
    buildId: idOf('build'),
    reason: v.pipe(v.nullish(text({ max: 500 })), v.description('The reason, shown in the build’s `problem`.')),
  }),
  output: payload('CancelBuildPayload'),
})

export const buildStatusChanged = subscription({
  name: 'buildStatusChanged',
  description:
    'Sends builds when they change: one build, the builds of a configuration, or all builds. For one build it sends the current state first and completes when the build has ended.',
  access: 'people',
  input: v.object({
    buildId: v.nullish(idOf('build')),
    buildConfigurationId: v.nullish(idOf('buildConfiguration')),
  }),
  output: buildSchema,
})
