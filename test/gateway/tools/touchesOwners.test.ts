/** The objects that a call would change, which restrict a calling run. The result must never be empty if the call changes objects. */
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../../gateway/operations/operations.ts'
import { builtinTools } from '../../../gateway/operations/tools/builtin.ts'
import type { TypedViews } from '../../../gateway/operations/typedViews.ts'
import { repositoryId } from '../../../gateway/operations/worktrees/repositoryId.ts'
import { turnMembers } from '../../../machines/work/turnKeys.ts'
import type { ActorRow, Json } from '../../../spec/core/actor.ts'

const tools = builtinTools(operations)
const zeros = '0'.repeat(26)
const id = (prefix: string) => `${prefix}_${zeros}`

/** Actors and their members, as views show them. */
function viewsOf(
  rows: Record<string, { kind: string; init?: object; context?: object }>,
  live: readonly string[] = [],
) {
  return {
    get: async (kind: string, key: string) =>
      rows[key]?.kind === kind ? ({ id: key, init: {}, context: {}, ...rows[key] } as unknown as ActorRow) : undefined,
    members: async () => live.map((run) => ({ key: turnMembers.live.toKey(run), value: null as Json })),
  } as unknown as TypedViews
}

async function touched(tool: string, input: object, views: TypedViews) {
  const { operation } = tools.get(tool) ?? {}
  return await operation?.touches?.(input as never, { views })
}

for (const [tool, kind, field, prefix] of [
  ['play_plan', 'plan', 'planId', 'pln'],
  ['archive_plan', 'plan', 'planId', 'pln'],
  ['unarchive_plan', 'plan', 'planId', 'pln'],
  ['update_plan', 'plan', 'planId', 'pln'],
  ['finish_session', 'session', 'sessionId', 'ses'],
  ['delete_session', 'session', 'sessionId', 'ses'],
  ['update_queued_follow_up', 'session', 'sessionId', 'ses'],
  ['withdraw_queued_follow_up', 'session', 'sessionId', 'ses'],
  ['resume_queued_follow_ups', 'session', 'sessionId', 'ses'],
] as const) {
  test(`${tool} touches the first run, the last one and the active ones`, async () => {
    const of = (lastRun: object | null) => ({ [id(prefix)]: { kind, init: { runId: 'run_1' }, context: { lastRun } } })
    const input = { [field]: id(prefix) }
    deepEqual(await touched(tool, input, viewsOf(of(null))), { runIds: ['run_1'] })
    deepEqual(await touched(tool, input, viewsOf(of({ id: 'run_2' }), ['run_2', 'run_3'])), {
      runIds: ['run_1', 'run_2', 'run_3'],
    })
    await rejects(touched(tool, input, viewsOf({})), { code: 'NOT_FOUND' })
  })
}

for (const tool of ['get_codebase_repository_preparations', 'save_codebase_repository_preparations']) {
  test(`${tool} touches the repository, named by its ID, its name or its codebase`, async () => {
    const own = await repositoryId('github.com/acme/shop')
    const other = id('rep')
    const views = viewsOf({
      [id('cbs')]: { kind: 'codebase', context: { repositoryId: own } },
      cbs_local: { kind: 'codebase', context: { repositoryId: null } },
    })
    for (const [repository, touchedId] of [
      [{ codebaseId: id('cbs') }, own],
      [{ repositoryId: own }, own],
      [{ name: 'github.com/acme/shop' }, own],
      // Whether it exists does not matter: a run may not learn that either.
      [{ repositoryId: other }, other],
    ] as const)
      deepEqual(await touched(tool, { repository }, views), { repositoryId: touchedId })
    await rejects(touched(tool, { repository: { codebaseId: 'cbs_local' } }, views), { code: 'FAILED_PRECONDITION' })
    await rejects(touched(tool, { repository: { codebaseId: 'cbs_none' } }, views), { code: 'NOT_FOUND' })
  })
}

for (const tool of [
  'get_commands',
  'get_command_by_name',
  'create_command',
  'get_skills',
  'get_skill_by_name',
  'create_skill',
]) {
  test(`${tool} touches the repository of its input, and none if the input names none`, async () => {
    deepEqual(await touched(tool, { name: 'a', repositoryId: id('rep') }, viewsOf({})), { repositoryId: id('rep') })
    deepEqual(await touched(tool, { name: 'a' }, viewsOf({})), {})
  })
}

for (const [tool, field] of [
  ['get_build_configuration', 'id'],
  ['update_build_configuration', 'buildConfigurationId'],
  ['archive_build_configuration', 'buildConfigurationId'],
  ['unarchive_build_configuration', 'buildConfigurationId'],
  ['start_build', 'buildConfigurationId'],
] as const) {
  test(`${tool} touches the repository of the configuration`, async () => {
    const views = viewsOf({ [id('bcf')]: { kind: 'buildConfiguration', init: { repositoryId: id('rep') } } })
    deepEqual(await touched(tool, { [field]: id('bcf') }, views), { repositoryId: id('rep') })
  })
}

for (const tool of ['get_build_configurations', 'create_build_configuration']) {
  test(`${tool} touches the repository of its input`, async () => {
    deepEqual(await touched(tool, { repositoryId: id('rep') }, viewsOf({})), { repositoryId: id('rep') })
  })
}

test('rebuild touches the repository of the build, and cancel_build also its requester', async () => {
  const views = viewsOf({
    [id('bld')]: { kind: 'build', init: { repositoryId: id('rep'), requestedBy: id('run') } },
  })
  deepEqual(await touched('rebuild', { buildId: id('bld') }, views), { repositoryId: id('rep') })
  deepEqual(await touched('cancel_build', { buildId: id('bld') }, views), {
    repositoryId: id('rep'),
    requesters: [id('run')],
  })
  await rejects(touched('cancel_build', { buildId: id('bld') }, viewsOf({})), { code: 'NOT_FOUND' })
})

test('run_build and stop_deployment touch the repository of the build, and its requester', async () => {
  const owned = { init: { repositoryId: id('rep'), requestedBy: id('run') } }
  const views = viewsOf({ [id('bld')]: { kind: 'build', ...owned }, [id('dep')]: { kind: 'deployment', ...owned } })
  const both = { repositoryId: id('rep'), requesters: [id('run')] }
  deepEqual(await touched('run_build', { buildId: id('bld'), destination: { kind: 'HOST' } }, views), both)
  deepEqual(await touched('stop_deployment', { deploymentId: id('dep') }, views), both)
})

test('build_artifact_links touches the repository of the build', async () => {
  const views = viewsOf({ [id('bld')]: { kind: 'build', init: { repositoryId: id('rep') } } })
  deepEqual(await touched('build_artifact_links', { buildId: id('bld') }, views), { repositoryId: id('rep') })
})

for (const tool of ['pin_build_artifact', 'unpin_build_artifact', 'delete_build_artifact']) {
  test(`${tool} touches the repository of the build, and its requester`, async () => {
    const views = viewsOf({
      [id('baf')]: { kind: 'buildArtifact', init: { buildId: id('bld') } },
      [id('bld')]: { kind: 'build', init: { repositoryId: id('rep'), requestedBy: id('run') } },
    })
    const expected = { repositoryId: id('rep'), requesters: [id('run')] }
    deepEqual(await touched(tool, { buildArtifactId: id('baf') }, views), expected)
  })
}

for (const [tool, field] of [
  ['get_command', 'id'],
  ['update_command', 'commandId'],
  ['archive_command', 'commandId'],
  ['unarchive_command', 'commandId'],
] as const) {
  test(`${tool} touches the repository of the command`, async () => {
    const of = (repositoryId: string | null) => viewsOf({ [id('cmd')]: { kind: 'command', init: { repositoryId } } })
    deepEqual(await touched(tool, { [field]: id('cmd') }, of(id('rep'))), { repositoryId: id('rep') })
    deepEqual(await touched(tool, { [field]: id('cmd') }, of(null)), {})
  })
}

for (const tool of [
  'create_schedule',
  'update_schedule',
  'pause_schedule',
  'resume_schedule',
  'delete_schedule',
] as const) {
  const rowsWith = (overlapPolicy: string) => ({
    [id('wfl')]: { kind: 'workflow', context: { rules: { overlapPolicy, overlapScope: 'WORKTREE' } } },
    [id('wt')]: { kind: 'worktree', init: { codebaseId: id('cbs') } },
    [id('cbs')]: { kind: 'codebase', context: { repositoryId: id('rep') } },
    [id('sch')]: { kind: 'schedule', init: { workflowId: id('wfl') }, context: { content: { worktreeId: id('wt') } } },
  })
  const input = tool === 'create_schedule' || tool === 'update_schedule' ? { worktreeId: id('wt') } : {}
  const given = { ...input, workflowId: id('wfl'), scheduleId: id('sch') }

  test(`${tool} touches the repository of the worktree`, async () => {
    deepEqual(await touched(tool, given, viewsOf(rowsWith('SKIP'))), { repositoryId: id('rep') })
  })

  if (tool === 'pause_schedule' || tool === 'delete_schedule') continue
  test(`${tool} is forbidden for runs if later starts of the workflow can end the runs of others`, async () => {
    for (const policy of ['CANCEL_OTHER', 'TERMINATE_OTHER'])
      await rejects(touched(tool, given, viewsOf(rowsWith(policy))), { code: 'FORBIDDEN', message: new RegExp(policy) })
  })
}

test('a run cannot move a schedule to another repository', async () => {
  const rows = {
    [id('wfl')]: { kind: 'workflow', context: { rules: { overlapPolicy: 'SKIP', overlapScope: 'WORKTREE' } } },
    [id('wt')]: { kind: 'worktree', init: { codebaseId: id('cbs') } },
    wt_other: { kind: 'worktree', init: { codebaseId: 'cbs_other' } },
    [id('cbs')]: { kind: 'codebase', context: { repositoryId: id('rep') } },
    cbs_other: { kind: 'codebase', context: { repositoryId: 'rep_other' } },
    [id('sch')]: {
      kind: 'schedule',
      init: { workflowId: id('wfl') },
      context: { content: { worktreeId: 'wt_other' } },
    },
  }
  const moved = touched('update_schedule', { scheduleId: id('sch'), worktreeId: id('wt') }, viewsOf(rows))
  await rejects(moved, { code: 'FORBIDDEN', message: /another repository/ })
})

for (const tool of ['trigger_schedule', 'backfill_schedule'] as const) {
  test(`${tool} touches the repository, and the runs that the start would end`, async () => {
    const rows = (overlapPolicy: string) => ({
      [id('wfl')]: { kind: 'workflow', context: { rules: { overlapPolicy, overlapScope: 'WORKTREE' } } },
      [id('wt')]: { kind: 'worktree', init: { codebaseId: id('cbs') } },
      [id('cbs')]: { kind: 'codebase', context: { repositoryId: null } },
      [id('sch')]: {
        kind: 'schedule',
        init: { workflowId: id('wfl') },
        context: { content: { worktreeId: id('wt') } },
      },
    })
    const views = (policy: string) => ({ ...viewsOf(rows(policy)), list: async () => [{ id: 'run_1' }] }) as never
    deepEqual(await touched(tool, { scheduleId: id('sch') }, views('SKIP')), {})
    deepEqual(await touched(tool, { scheduleId: id('sch') }, views('CANCEL_OTHER')), { runIds: ['run_1'] })
  })
}

for (const [tool, field] of [
  ['get_skill', 'id'],
  ['get_skill_version', 'skillId'],
  ['update_skill', 'skillId'],
  ['archive_skill', 'skillId'],
  ['unarchive_skill', 'skillId'],
] as const) {
  test(`${tool} touches the repository of the skill`, async () => {
    const of = (repositoryId: string | null) => viewsOf({ [id('skl')]: { kind: 'skill', init: { repositoryId } } })
    deepEqual(await touched(tool, { [field]: id('skl') }, of(id('rep'))), { repositoryId: id('rep') })
    deepEqual(await touched(tool, { [field]: id('skl') }, of(null)), {})
  })
}

test('tools that only read, or touch no run and no repository, have no declaration of touched objects', () => {
  for (const tool of ['get_plan', 'get_session', 'get_crash_report', 'record_dsym', 'create_app'])
    equal(tools.get(tool)?.operation.touches, undefined, tool)
})
