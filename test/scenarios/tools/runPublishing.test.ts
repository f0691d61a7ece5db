/** A run cannot change the definitions that runs of other callers execute, because these runs have more authority. */
import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { commandStep } from '../../kit/program/commandStep.ts'
import { rpc } from '../../kit/program/mcp.ts'
import { beginRun, makePreset, makeWorkflow } from '../../kit/program/runs.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
let bare: BareAgent
let run: Awaited<ReturnType<typeof beginRun>>

const tools = ['create_workflow', 'save_workflow_draft', 'publish_workflow', 'update_mcp_tool_preset']

before(async () => {
  stage = await startTestProgram()
  bare = await startBareAgent(stage, 'bare')
  const { main } = await reportWorktree(stage, bare, '/srv/bare', ['main'])
  run = await beginRun(stage, bare, main, [await makePreset(stage, tools)])
})
after(() => stage?.end())

interface CallResult {
  readonly content: readonly { readonly text: string }[]
  readonly isError?: boolean
}

async function call(name: string, args: object): Promise<string> {
  const scope = { headers: run.token, scope: `?run=${run.runId}` }
  const { body } = await rpc(stage, 'tools/call', { name, arguments: args }, scope)
  return (body?.result as CallResult | undefined)?.content[0]?.text ?? ''
}

const steps = [commandStep('build', 'true')]

test('a run publishes the first version of its own workflow, and no other version', async () => {
  const workflowId = /wfl_[0-9a-z]{26}/.exec(await call('create_workflow', { name: 'Mine', steps }))?.[0]
  match(await call('publish_workflow', { workflowId }), /"version": ?1/)
  match(
    await call('save_workflow_draft', { workflowId, name: 'Mine', steps: [commandStep('build', 'false')] }),
    /DRAFT|PUBLISHED/,
  )
  match(await call('publish_workflow', { workflowId }), /FORBIDDEN: .*ask a person to publish it/)
})

test('a run saves the draft of a workflow of a person, and cannot publish it', async () => {
  const workflowId = await makeWorkflow(stage.ask, { name: 'Nightly', steps })
  await call('save_workflow_draft', { workflowId, name: 'Nightly', steps: [commandStep('steal', 'env')] })
  match(await call('publish_workflow', { workflowId }), /FORBIDDEN: .*ask a person to publish it/)
  const { workflow } = await stage.ask<{ workflow: { version: number; published: { steps: { name: string }[] } } }>(
    'query ($id: ID!) { workflow(id: $id) { version published { steps { name } } } }',
    { id: workflowId },
  )
  equal(workflow.version, 1)
  deepEqual(workflow.published.steps, [{ name: 'build' }])
})

test('a run cannot change a preset', async () => {
  const presetId = await makePreset(stage, ['get_run'])
  match(
    await call('update_mcp_tool_preset', { presetId, tools: [{ source: 'BUILTIN', name: 'cancel_run' }] }),
    /FORBIDDEN: .*ask a person to change this one/,
  )
})
