/** A turn of a coding CLI with Signalbox: a client requests a run, and receives its events from a subscription. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'graphql-ws'
import { siblingId } from '../../../../spec/core/ids.ts'
import { mutate } from '../../../kit/program/runs.ts'
import type { Ask } from '../../../kit/program/testProgram.ts'
import type { TimedModel } from './timedModel.ts'
import { clockTime, type TimedRun, timedRun } from './timedRun.ts'

export interface ProductOptions {
  readonly ask: Ask
  readonly client: Client
  readonly model: TimedModel
  readonly worktreeId: string
  readonly cliName: string
  /** The folder in which the started CLI leaves a file, named after its attempt. */
  readonly marks: string
}

export async function runWithProduct(options: ProductOptions): Promise<TimedRun> {
  const { ask, client, model, worktreeId, cliName, marks } = options
  const { prompt, askedAt } = model.newPrompt()
  const begin = clockTime()
  const input = { worktreeId, kind: 'SESSION', title: 'bench', cli: cliName, task: { prompt } }
  const { run } = await mutate<{ run: { id: string } }>(ask, 'createAgentRun', input, 'run { id }')
  const arrival = firstTextOf(client, run.id)
  const [firstText, status] = await Promise.all([arrival, finalStatusOf(client, run.id)])
  if (status !== 'SUCCEEDED') throw new Error(`The run ${run.id} has ended ${status}.`)
  const at = await readTransitions(ask, run.id)
  const spawned = (await stat(join(marks, `${siblingId('job', run.id)}.1`))).mtimeMs
  return timedRun(
    [
      ['request until the run is stored', begin],
      ['stored until it is admitted', at('run', 'create')],
      ['admitted until its job is offered', at('run', 'admit')],
      ['offered until the agent accepts', at('job', 'create')],
      ['accepted until the CLI is started', at('job', 'accept')],
      ['CLI started until the model is asked', spawned],
      ['model asked until the text arrives', askedAt()],
    ],
    firstText,
  )
}

/** Resolves with the time at which the first text of the run arrives at a subscriber. */
function firstTextOf(client: Client, runId: string): Promise<number> {
  const query = 'subscription ($id: ID!) { runEventAdded(runId: $id) { type } }'
  return new Promise((resolve, reject) => {
    client.subscribe<{ runEventAdded: { type: string } }>(
      { query, variables: { id: runId } },
      {
        next: ({ data }) => {
          if (data?.runEventAdded.type === 'MESSAGE') resolve(clockTime())
        },
        error: reject,
        complete: () => reject(new Error(`The run ${runId} sent no text.`)),
      },
    )
  })
}

/** A subscription, because requests in a loop would take processor time from the CLI. */
function finalStatusOf(client: Client, runId: string): Promise<string> {
  const query = 'subscription ($id: ID!) { runStatusChanged(runId: $id) { status } }'
  let status = ''
  return new Promise((resolve, reject) => {
    client.subscribe<{ runStatusChanged: { status: string } }>(
      { query, variables: { id: runId } },
      {
        next: ({ data }) => {
          status = data?.runStatusChanged.status ?? status
        },
        error: reject,
        complete: () => resolve(status),
      },
    )
  })
}

/** Returns the time of the first transition of the run or its job with this event. */
async function readTransitions(ask: Ask, runId: string) {
  const ids = { run: runId, job: siblingId('job', runId) }
  const query = `query ($run: ID!, $job: ID!) {
    run: actorHistory(id: $run, first: 20) { nodes { event at } } job: actorHistory(id: $job, first: 20) { nodes { event at } }
  }`
  const found = await ask<Record<'run' | 'job', { nodes: { event: string; at: string }[] }>>(query, ids)
  return (kind: 'run' | 'job', event: string): number => {
    const node = found[kind].nodes.find((one) => one.event === event)
    if (node === undefined)
      throw new Error(`The ${kind} of ${runId} has no transition ${event}: ${JSON.stringify(found)}`)
    return Date.parse(node.at)
  }
}
