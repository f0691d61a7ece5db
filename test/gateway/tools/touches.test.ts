/** The runs that each tool would change. A run that calls the tool must have started all of them. */
import { deepEqual, ok, rejects } from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { operations } from '../../../gateway/operations/operations.ts'
import { builtinTools } from '../../../gateway/operations/tools/builtin.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'
import { creation, newId, snapshotOf } from '../../kit/runtime/writes.ts'

const agentId = newId('agent')
const [here, there] = [newId('worktree'), newId('worktree')]
const [session, other] = [newId('session'), newId('session')]
const [gentle, strict, strictEverywhere] = [newId('workflow'), newId('workflow'), newId('workflow')]

const run = (status: string, ownerId: string, worktreeId = here, agent = agentId) =>
  creation('run', {
    init: JSON.stringify({ ownerId, worktreeId, kind: [session, other].includes(ownerId) ? 'SESSION' : 'WORKFLOW' }),
    columns: { status, terminal: status === 'FAILED', agentId: agent, worktreeId, scopeId: ownerId },
  })
const workflow = (id: string, overlapPolicy: string, overlapScope: string) =>
  creation('workflow', {
    ref: { kind: 'workflow', id },
    snapshot: snapshotOf({ rules: { overlapPolicy, overlapScope } }),
  })
const queue = (worktreeId: string, reservedBy: string | null) =>
  creation('worktreeQueue', {
    ref: { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) },
    snapshot: snapshotOf({ reservedBy }),
  })

const first = run('FAILED', session)
const second = run('RUNNING', session)
const queued = run('QUEUED', other)
const elsewhere = run('QUEUED', other, there)
const foreign = run('RUNNING', other, newId('worktree'), newId('agent'))
const [strictHere, strictThere] = [run('RUNNING', strict), run('RUNNING', strict, there)]
const [wideHere, wideThere] = [run('RUNNING', strictEverywhere), run('QUEUED', strictEverywhere, there)]
const ended = run('FAILED', strict)
const gentleRun = run('RUNNING', gentle)
const job = creation('job', { init: JSON.stringify({ owner: { kind: 'run', id: second.ref.id } }) })
const idOf = ({ ref }: { readonly ref: { readonly id: string } }): string => ref.id

const { journal, views: stored } = openMemoryStorage()
const views = withRowTypes(stored)
before(async () => {
  await journal.commit(
    [
      ...[first, second, queued, elsewhere, foreign, strictHere, strictThere, wideHere, wideThere, ended, gentleRun],
      workflow(gentle, 'BUFFER_ALL', 'WORKTREE'),
      workflow(strict, 'CANCEL_OTHER', 'WORKTREE'),
      workflow(strictEverywhere, 'TERMINATE_OTHER', 'GLOBAL'),
      job,
      creation('agent', { ref: { kind: 'agent', id: agentId } }),
      creation('worktree', { ref: { kind: 'worktree', id: here } }),
      queue(here, idOf(first)),
      queue(there, null),
    ],
    [],
  )
})

const tools = builtinTools(operations)

async function touched(tool: string, input: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const touches = tools.get(tool)?.operation.touches
  ok(touches, `${tool} has no declaration of the runs that it touches`)
  return [...((await touches(input as never, { views })).runIds ?? [])].sort()
}

const live = [second, queued, elsewhere, strictHere, strictThere, wideHere, wideThere, gentleRun]

const cases: readonly (readonly [
  tool: string,
  input: Readonly<Record<string, unknown>>,
  runs: readonly { readonly ref: { readonly id: string } }[],
])[] = [
  ['cancel_run', { runId: idOf(second) }, [second]],
  ['interrupt_run', { runId: idOf(second) }, [second]],
  ['pause_run', { runId: idOf(second) }, [second]],
  ['resume_run', { runId: idOf(second) }, [second]],
  ['retry_run', { runId: idOf(first) }, [first, second]],
  ['retry_run', { runId: idOf(ended) }, [ended, strictHere]],
  ['retry_run', { runId: idOf(gentleRun) }, [gentleRun]],
  [
    'perform_bulk_run_action',
    { action: 'CANCEL', selection: { runIds: [idOf(second), idOf(queued)] } },
    [second, queued],
  ],
  ['perform_bulk_run_action', { action: 'RETRY', selection: { runIds: [idOf(ended)] } }, [ended, strictHere]],
  ['perform_bulk_run_action', { action: 'CANCEL', selection: { filter: {} } }, []],
  ['answer_run', { runId: idOf(second), questionId: 'q', answer: { text: 'yes' } }, [second]],
  ['update_run_configuration', { runId: idOf(queued), configuration: {} }, [queued]],
  ['continue_run', { runId: idOf(second) }, [first, second]],
  ['create_run_follow_up', { runId: idOf(second), prompt: 'go on' }, [first, second]],
  ['release_worktree_slot', { worktreeId: here, holderId: idOf(first) }, [first]],
  ['release_worktree_reservation', { worktreeId: here }, [first]],
  ['release_worktree_reservation', { worktreeId: there }, []],
  ['release_worktree_reservation', { worktreeId: newId('worktree') }, []],
  ['pause_worktree_queue', { worktreeId: here }, [queued]],
  ['resume_worktree_queue', { worktreeId: there }, [elsewhere, wideThere]],
  ['drain_agent', { agentId }, [queued, elsewhere, wideThere]],
  ['set_agent_tags', { agentId, tags: [] }, [queued, elsewhere, wideThere]],
  ['revoke_agent', { agentId }, live],
  ['perform_operator_action', { id: idOf(second) }, [second]],
  ['perform_operator_action', { id: agentId }, live],
  ['perform_operator_action', { id: idOf(job) }, [second]],
  ['perform_operator_action', { id: here }, [second, queued, strictHere, wideHere, gentleRun]],
  ['perform_operator_actions', { targets: [{ id: idOf(queued) }, { id: gentle }] }, [queued, gentleRun]],
  ['start_workflow', { workflowId: gentle, worktreeId: here }, []],
  ['start_workflow', { workflowId: strict, worktreeId: here }, [strictHere]],
  ['start_workflow', { workflowId: strictEverywhere, worktreeId: newId('worktree') }, [wideHere, wideThere]],
]

/** In `touchesOwners.test.ts`. */
const testedElsewhere = [
  'play_plan',
  'archive_plan',
  'unarchive_plan',
  'update_plan',
  'finish_session',
  'delete_session',
  'update_queued_follow_up',
  'withdraw_queued_follow_up',
  'resume_queued_follow_ups',
  'get_codebase_repository_preparations',
  'save_codebase_repository_preparations',
  'get_commands',
  'get_command',
  'get_command_by_name',
  'create_command',
  'update_command',
  'archive_command',
  'unarchive_command',
  'create_schedule',
  'update_schedule',
  'pause_schedule',
  'resume_schedule',
  'delete_schedule',
  'trigger_schedule',
  'backfill_schedule',
  'get_skills',
  'get_skill',
  'get_skill_by_name',
  'get_skill_version',
  'create_skill',
  'update_skill',
  'archive_skill',
  'unarchive_skill',
  'get_build_configurations',
  'get_build_configuration',
  'create_build_configuration',
  'update_build_configuration',
  'archive_build_configuration',
  'unarchive_build_configuration',
  'start_build',
  'rebuild',
  'cancel_build',
  'run_build',
  'stop_deployment',
  'build_artifact_links',
  'pin_build_artifact',
  'unpin_build_artifact',
  'delete_build_artifact',
]

describe('the runs that a tool touches', () => {
  for (const [tool, input, runs] of cases) {
    it(`${tool}: ${runs.length} of the runs`, async () => deepEqual(await touched(tool, input), runs.map(idOf).sort()))
  }

  it('are tested for each tool that declares them', () => {
    const saying = [...tools.values()].filter(({ operation }) => operation.touches).map(({ name }) => name)
    const tested = new Set([...cases.map(([tool]) => tool), ...testedElsewhere])
    deepEqual([...tested].sort(), saying)
  })

  it('cannot be found for an unknown run', async () => {
    await rejects(touched('create_run_follow_up', { runId: newId('run'), prompt: 'x' }), { code: 'NOT_FOUND' })
  })

  it('include each of 2,500 runs', async () => {
    const many = Array.from({ length: 2_500 }, () => run('QUEUED', newId('session'), there, 'crowded'))
    await journal.commit(many, [])
    deepEqual((await touched('revoke_agent', { agentId: 'crowded' })).length, 2_500)
  })
})
