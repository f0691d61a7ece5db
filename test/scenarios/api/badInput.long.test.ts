/** Every mutation of the surface with input that is none: the documented code, the name of the field, and no trace of it. */

import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { describe } from '../../../gateway/operations/core/shapes.ts'
import { operations } from '../../../gateway/operations/operations.ts'
import { stepIdOf } from '../../../machines/work/steps/stepKeys.ts'
import { actorKinds, idPrefixes, presetCatalogId } from '../../../spec/core/ids.ts'
import { kindName } from '../../../spec/core/kinds.ts'
import type { Schema } from '../../../spec/core/types.ts'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { commandStep } from '../../kit/program/commandStep.ts'
import { groupOfCrash, makeApp, newUuid, recordCrash, recordDsym, reportOf } from '../../kit/program/objects/crashes.ts'
import { enrolledDevice, registeredDevice } from '../../kit/program/objects/devices.ts'
import { createDsymUpload } from '../../kit/program/objects/dsymUploads.ts'
import { lookAt, makeWorkflow, mutate, startRun, startWorkflow } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'
import { storeAsset } from '../../kit/signing/signingAssets.ts'
import { listFields, withValue } from './inputFields.ts'
import { validInputs } from './validInputs.ts'

const mutations = operations.filter((one) => one.kind === 'mutation').filter(({ access }) => access === 'people')
/** An ID of each kind of object that the inputs name. */
const ids: Record<string, string> = {}
let stage: TestProgram
let agent: BareAgent

before(async () => {
  stage = await startTestProgram({ env: { LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '50000' } })
  agent = await startBareAgent(stage, 'bare')
  const worktrees = await reportWorktree(stage, agent, '/srv/bare', ['main', 'second'])
  ids.worktree = worktrees.second ?? ''
  await mutate(stage.ask, 'pauseWorktreeQueue', { worktreeId: ids.worktree }, 'worktreeQueue { id }')
  ids.run = (await startRun(stage.ask, { worktreeId: ids.worktree, command: 'true' })).id
  ids.workflow = await makeWorkflow(stage.ask, { name: 'valid', steps: [commandStep('s', 'true')] })
  ids.workflowStep = await untilApproval(worktrees.main ?? '')
  ids.repository = (
    await mutate<{ codebaseRepositoryPreparations: { repositoryId: string } }>(
      stage.ask,
      'saveCodebaseRepositoryPreparations',
      { repository: { name: 'github.com/acme/known' }, preparations: [] },
      'codebaseRepositoryPreparations { repositoryId }',
    )
  ).codebaseRepositoryPreparations.repositoryId
  const recipe = { repositoryId: ids.repository, name: 'known', steps: [{ name: 's', command: 'true' }] }
  ids.buildConfiguration = (
    await mutate<{ buildConfiguration: { id: string } }>(
      stage.ask,
      'createBuildConfiguration',
      recipe,
      'buildConfiguration { id }',
    )
  ).buildConfiguration.id
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { name: 'Known', kind: 'APP_STORE_KEY', fileName: 'AuthKey_AAAAAAAAAA.p8' }
  const bytes = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  ids.signingAsset = (await storeAsset(stage.ask, { ...key, bytes })).id
  // A build would be offered to the agent, which another test asks for the first offer.
  ids.build = `${idPrefixes.build}_${'0'.repeat(25)}2`
  ids.buildArtifact = `${idPrefixes.buildArtifact}_${'0'.repeat(25)}2`
  ids.deployment = `${idPrefixes.deployment}_${'0'.repeat(25)}2`
  const greet = { name: 'greet', body: { shell: 'true' }, arguments: [{ name: 'part', type: 'TEXT' }] }
  ids.command = (
    await mutate<{ command: { id: string } }>(stage.ask, 'createCommand', greet, 'command { id }')
  ).command.id
  const nightly = { workflowId: ids.workflow, worktreeId: ids.worktree, name: 'n', cron: '@daily', timeZone: 'UTC' }
  ids.schedule = (
    await mutate<{ schedule: { id: string } }>(stage.ask, 'createSchedule', nightly, 'schedule { id }')
  ).schedule.id
  const front = '---\nname: known\ndescription: Known.\n---\n'
  const known = { name: 'known', files: [{ path: 'SKILL.md', content: { text: front } }] }
  ids.skill = (await mutate<{ skill: { id: string } }>(stage.ask, 'createSkill', known, 'skill { id }')).skill.id
  await until('the skill’s bytes to be marked as used', async () => {
    const { actors } = await stage.ask<{ actors: { totalCount: number } }>(
      '{ actors(kind: SKILL_CONTENT) { totalCount } }',
    )
    return actors.totalCount === 1 ? true : undefined
  })
  ids.agent = agent.agentId
  const { codebases } = await stage.ask<{ codebases: { nodes: { id: string }[] } }>('{ codebases { nodes { id } } }')
  ids.codebase = codebases.nodes[0]?.id ?? ''
  const hooks = { name: 'hooks', provider: 'GITHUB' }
  ids.integration = (
    await mutate<{ integration: { id: string } }>(stage.ask, 'createIntegration', hooks, 'integration { id }')
  ).integration.id
  ids.device = await enrolledDevice(stage)
  const server = { name: 'm', url: 'https://mcp.example/mcp' }
  ids.mcpServer = (
    await mutate<{ mcpServer: { id: string } }>(stage.ask, 'createMcpServer', server, 'mcpServer { id }')
  ).mcpServer.id
  ids.app = await makeApp(stage.ask, 'org.example.known')
  const crash = await recordCrash(stage.ask, reportOf('org.example.known', [newUuid()]))
  ids.crashGroup = await groupOfCrash(stage.ask, crash.id)
  ids.dsym = await recordDsym(stage.ask, 'org.example.known', [newUuid()])
  ids.dsymUpload = (await createDsymUpload(stage, Buffer.from('a zip'))).id
  ids.notificationDevice = await registeredDevice(stage.url)
  const view = { name: 'known', page: 'RUNS', query: '' }
  ids.savedView = (
    await mutate<{ savedView: { id: string } }>(stage.ask, 'createSavedView', view, 'savedView { id }')
  ).savedView.id
  const saved = { name: 'saved', kind: 'CONSOLE_LOG' }
  ids.telemetryQuery = (
    await mutate<{ telemetryQuery: { id: string } }>(stage.ask, 'createTelemetryQuery', saved, 'telemetryQuery { id }')
  ).telemetryQuery.id
  const preset = { name: 'known', kind: 'PLAN', tools: [{ source: 'BUILTIN', name: 'get_runs' }] }
  ids.mcpToolPreset = (
    await mutate<{ preset: { id: string } }>(
      stage.ask,
      'createMcpToolPreset',
      preset,
      'preset { id }',
      'McpToolPresetInput',
    )
  ).preset.id
  const own = { worktreeId: ids.worktree, command: 'true' }
  const made = [ids.run, (await startRun(stage.ask, { ...own, kind: 'PLAN' })).id]
  const [ofSession, ofPlan] = await Promise.all(
    made.map(async (id) =>
      stage.ask<{ run: { sessionId?: string; planId?: string } }>(
        'query ($id: ID!) { run(id: $id) { ... on SessionRun { sessionId } ... on PlanRun { planId } } }',
        { id },
      ),
    ),
  )
  ids.session = ofSession?.run.sessionId ?? ''
  ids.plan = ofPlan?.run.planId ?? ''
  // The step asks for an approval.
  ids.news = await until('a notification', async () => {
    const { notifications } = await stage.ask<{ notifications: { nodes: { id: string }[] } }>(
      '{ notifications(first: 1) { nodes { id } } }',
    )
    return notifications.nodes[0]?.id
  })
})
after(() => stage?.end())

/** The number of actors of each kind, and what shows a change of the actors that the inputs name. */
async function state(): Promise<unknown> {
  const counts = actorKinds.map((kind) => `${kind}: actors(kind: ${kindName(kind)}, first: 1) { totalCount }`)
  // A preset is a member of one actor that has all presets.
  const actors = { ...ids, mcpToolPreset: presetCatalogId }
  const named = Object.entries(actors).map(([name, id]) => {
    // A queued session looks after its turns once a minute, which is a transition that changes nothing else.
    const changing = name === 'session' ? 'context' : 'sequence'
    return `of_${name}: actor(id: "${id}") { ${changing} status }`
  })
  return await stage.ask(`{ ${[...counts, ...named].join(' ')} }`)
}

function find({ name, input }: (typeof mutations)[number]) {
  const valid = validInputs(ids)[name] ?? {}
  const { shape } = describe(input as Schema)
  const type = shape.kind === 'object' ? shape.name : undefined
  return {
    valid,
    fields: listFields(input as Schema, valid),
    send: (bad: Record<string, unknown>) => refusal(mutate(stage.ask, name, bad, '__typename', type)),
  }
}

for (const mutation of mutations) {
  test(mutation.name, async () => {
    const { valid, fields, send } = find(mutation)
    const before = await state()
    for (const { path, isRequired, badValues } of fields) {
      for (const value of isRequired ? [undefined, null] : []) {
        const refused = await send(withValue(valid, path, value))
        assert.equal(refused.code, 'BAD_USER_INPUT', `${path} ${value}: ${refused.code} ${refused.message}`)
        assert.ok(refused.message.includes(path.split('.').at(-1) ?? ''), refused.message)
      }
      for (const { value, refusedBy } of badValues) {
        const input = `${path} = ${JSON.stringify(value)?.slice(0, 60)}`
        const { code, message, details } = await send(withValue(valid, path, value))
        assert.equal(code, 'BAD_USER_INPUT', `${input}: ${code} ${message}`)
        if (refusedBy === 'schema')
          assert.equal(String(details.field).replace(/^input\./, ''), path, `${input}: ${message}`)
      }
    }
    const unknown = await send({ ...valid, unknown: 1 })
    assert.equal(unknown.code, 'BAD_USER_INPUT', `a field that does not exist: ${unknown.message}`)
    assert.deepEqual(await state(), before, 'a refused request changes nothing')
  })
}

/** The ID of a step that waits for a decision. */
async function untilApproval(worktreeId: string): Promise<string> {
  const ask = { name: 'ask', action: { approval: { message: 'May I?' } } }
  const { id } = await startWorkflow(
    stage.ask,
    await makeWorkflow(stage.ask, { name: 'asks', steps: [ask] }),
    worktreeId,
  )
  const stepId = stepIdOf(id, 0)
  await until('the step to wait', async () => {
    const { workflowStep } = await stage.ask<{ workflowStep: { status: string } | null }>(
      'query ($id: ID!) { workflowStep(id: $id) { status } }',
      { id: stepId },
    )
    return workflowStep?.status === 'WAITING_FOR_APPROVAL' ? true : undefined
  })
  return stepId
}

test('there is a valid input of every mutation for people', () => {
  assert.deepEqual(Object.keys(validInputs(ids)).toSorted(), mutations.map(({ name }) => name).toSorted())
})

/** A filter that names an unknown object matches no run, as that of a list does. */
const filtering = ['repositoryId', 'worktreeId', 'agentId', 'workflowId', 'sessionId', 'planId', 'parentRunId']

/** Other codes for an ID that no actor has. */
const otherCodes: Readonly<Record<string, string>> = {
  'releaseWorktreeSlot.holderId': 'FAILED_PRECONDITION',
  // The run of a queued follow-up does not exist yet.
  'updateQueuedFollowUp.runId': 'FAILED_PRECONDITION',
  'withdrawQueuedFollowUp.runId': 'FAILED_PRECONDITION',
  // A built-in tool has no server.
  'createMcpToolPreset.tools.0.serverId': 'BAD_USER_INPUT',
  'updateMcpToolPreset.tools.0.serverId': 'BAD_USER_INPUT',
  // The text of the plan is checked first.
  'playPlan.worktreeId': 'FAILED_PRECONDITION',
  ...Object.fromEntries(filtering.map((name) => [`performBulkRunAction.selection.filter.${name}`, 'GRANTED'])),
  // The next step begins after any ID.
  'performBulkRunAction.after': 'GRANTED',
  // The preview token is checked first.
  'importMcpToolPresets.decisions.0.targetId': 'BAD_USER_INPUT',
  'importMcpToolPresets.serverMappings.0.serverId': 'BAD_USER_INPUT',
}

test('unknown IDs of the right kind are NOT_FOUND', async () => {
  const before = await state()
  for (const mutation of mutations) {
    const { valid, fields, send } = find(mutation)
    for (const { path, idOf } of fields) {
      if (idOf === undefined) continue
      const refused = await send(withValue(valid, path, `${idPrefixes[idOf]}_${'0'.repeat(25)}1`))
      const expected = otherCodes[`${mutation.name}.${path}`] ?? 'NOT_FOUND'
      assert.equal(refused.code, expected, `${mutation.name}.${path}: ${refused.code} ${refused.message}`)
      assert.doesNotMatch(refused.message, /worktreeQueue/, 'the message is about the object that the caller named')
    }
  }
  assert.deepEqual(await state(), before)
})

test('JSON with NUL characters or lone surrogates is refused or stored, without an internal error, and the run continues', async () => {
  const { main } = await reportWorktree(stage, agent, '/srv/bare')
  const { id } = await startRun(stage.ask, { worktreeId: main, command: 'true' })
  const offer = await agent.offers.first('the offer', ({ signal }) => signal === 'OFFER')
  const job = { jobId: offer.jobId, attempt: offer.attempt }
  await agent.say('acceptJob', job, 'runToken')
  const said = (name: string, input: Record<string, unknown>, selection: string) =>
    agent.say(name, { ...job, ...input }, selection).then(
      () => 'kept',
      (error: { code?: unknown; message: string }) => `${error.code}`,
    )
  const strange = ['a\u0000b', { a: ['\u0000'] }, { '\u0000': 1 }, '\ud800', { deep: [[['\udc00']]] }]
  for (const [index, value] of strange.entries()) {
    const shown = JSON.stringify(value)
    const events = [{ sequence: index, type: 'MESSAGE', data: value }]
    const fine = ['kept', 'BAD_USER_INPUT']
    const outcomes = [
      await said('appendRunEvents', { events }, 'nextSequence'),
      await said('reportJobWaiting', { question: { value }, questionId: `q${index}` }, 'status'),
    ]
    assert.ok(
      outcomes.every((outcome) => fine.includes(outcome)),
      `${shown}: ${outcomes}`,
    )
    assert.equal(await said('reportJobWaiting', { question: {}, questionId: `r${index}` }, 'status'), 'kept')
    await until('the run to ask', async () =>
      (await lookAt(stage.ask, id)).questionId === `r${index}` ? true : undefined,
    )
    const input = { runId: id, questionId: `r${index}`, answer: value }
    const refused = await refusal(mutate(stage.ask, 'answerRun', input, 'run { id }'))
    assert.ok(
      ['GRANTED', 'BAD_USER_INPUT'].includes(refused.code ?? ''),
      `${shown}: ${refused.code} ${refused.message}`,
    )
    await lookAt(stage.ask, id)
  }
})

test('a result that does not fit the kind of its job is refused with its field, and the job continues', async () => {
  const codebase = await stage.ask<{ codebases: { nodes: { id: string; path: string }[] } }>(
    '{ codebases { nodes { id path } } }',
  )
  const codebaseId = codebase.codebases.nodes.find(({ path }) => path === '/srv/bare')?.id
  const selection = 'worktree { id }'
  const asked = { codebaseId, branch: 'odd' }
  const { worktree } = await mutate<{ worktree: { id: string } }>(stage.ask, 'createWorktree', asked, selection)
  const offer = await agent.offers.first(
    'the offer',
    ({ kind, signal }) => kind === 'CREATE_WORKTREE' && signal === 'OFFER',
  )
  const job = { jobId: offer.jobId, attempt: offer.attempt }
  await agent.say('acceptJob', job, 'runToken')
  const end = { outcome: 'SUCCEEDED', processesLeft: 0, logChunks: 0, logSha256: createHash('sha256').digest('hex') }
  const complete = (headSha: unknown) =>
    agent.say('completeJob', { ...job, ...end, result: { path: '/srv/bare-odd', branch: 'odd', headSha } })
  for (const headSha of [[], {}, 1, 'a'.repeat(65), '\u0000']) {
    const refused = await refusal(complete(headSha))
    assert.equal(refused.code, 'BAD_USER_INPUT', `${JSON.stringify(headSha)}: ${refused.message}`)
    assert.equal(refused.details.field, 'result.headSha')
  }
  await complete('b'.repeat(40))
  const query = 'query ($id: ID!) { worktree(id: $id) { status headSha } }'
  await until('the worktree to be there', async () => {
    const seen = await stage.ask<{ worktree: { status: string; headSha: string } }>(query, { id: worktree.id })
    return seen.worktree.status === 'PRESENT' && seen.worktree.headSha === 'b'.repeat(40) ? true : undefined
  })
})
