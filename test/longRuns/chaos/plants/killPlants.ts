/**
 * Faults that the chaos must find, with the checkers that may find each. A fence without its owner is not among them: one process
 * alone cannot reveal it. The tests of two processes do.
 */
import { type KillPlant, replaced } from './killPlant.ts'

export const killPlants: readonly KillPlant[] = [
  {
    name: 'effects removed before they are delivered',
    foundBy: ['comesToRest', 'logsAreWhole', 'answersAreTrue'],
    inProgram: {
      file: 'actors/outbox/dispatcher.ts',
      search: 'this.#inFlight.add(effect.id)\n    const carriedOut',
      replace: 'this.#inFlight.add(effect.id)\n    this.#delivered.push(effect.id)\n    const carriedOut',
    },
  },
  {
    name: 'messages whose delivery does not delete their outbox entry',
    foundBy: ['outboxIsEmpty', 'journalIsWhole'],
    inProgram: {
      file: 'actors/outbox/dispatcher.ts',
      search: 'consumes: id,\n      from: actor',
      replace: 'consumes: undefined,\n      from: actor',
    },
  },
  {
    name: 'answers before the commit',
    foundBy: ['answersAreTrue', 'journalIsWhole', 'comesToRest'],
    inProgram: {
      file: 'actors/activation/batchWriter.ts',
      search:
        'result = await this.#services.journal.commit(\n        batch.map(({ write }) => write),\n        delivered,\n      )',
      replace:
        'const writes = batch.map(({ write }) => write)\n      if (writes.every(({ ref }) => ref.kind === "run")) {\n        setTimeout(() => void this.#services.journal.commit(writes, delivered).catch(() => {}), 300)\n        result = { lost: new Map() }\n      } else result = await this.#services.journal.commit(writes, delivered)',
    },
  },
  {
    name: 'a queue that loses its slots at a restart',
    foundBy: ['limitsHold'],
    inProgram: {
      file: 'actors/activation/snapshot.ts',
      search: '...(collection === true ? { members } : undefined),',
      replace:
        "...(collection === true ? { members } : undefined),\n    ...(stored.kind === 'worktreeQueue' ? { held: { PLAN: 0, SESSION: 0, WORKFLOW: 0 }, reservedBy: null } : undefined),",
    },
  },
  {
    name: 'a queue that admits the latest run first',
    foundBy: ['orderHolds'],
    inProgram: {
      file: 'machines/worktrees/admission.ts',
      search: "String(queuedAt).padStart(13, '0')",
      replace: "String(9_999_999_999_999 - queuedAt).padStart(13, '0')",
    },
  },
  {
    name: 'log chunks acknowledged before they are stored',
    foundBy: ['logsAreWhole', 'comesToRest'],
    inProgram: {
      file: 'storage/streams/streams.ts',
      search: 'const lost = await this.#send(plan)',
      replace: 'const lost = new Set<string>()\n      setTimeout(() => void this.#send(plan).catch(() => {}), 700)',
    },
  },
  {
    name: 'idempotency keys that do not detect a repeat',
    foundBy: ['answersAreTrue'],
    inProgram: {
      file: 'gateway/operations/idempotency.ts',
      search: 'idempotencyKey}`,',
      replace: 'idempotencyKey}#`.concat(String(Math.random())),',
    },
  },
  {
    name: 'an agent that starts a job again that it had started before it was killed',
    foundBy: ['executedOnce'],
    inAgent: (program) => {
      const started = 'if(await readRecord(this.folder,"started"))return this.record.current.mode'
      const once = 'if(!await createOnce(recordPath(folder,"started"),self))return countdown.stop();'
      return replaced(
        replaced(program, started, 'if(!1)return this.record.current.mode'),
        once,
        'await createOnce(recordPath(folder,"started"),self);',
      )
    },
  },
  {
    name: 'a follow-up that starts and stays queued',
    foundBy: ['followUpsHold'],
    inProgram: {
      file: 'machines/work/followUps.ts',
      search: 'beginTurn(members.without(key), runId)',
      replace: 'beginTurn(members, runId)',
    },
  },
  {
    name: 'a withdrawn follow-up that starts',
    foundBy: ['followUpsHold'],
    inProgram: {
      file: 'machines/work/followUps.ts',
      search: 'return members.without(queued.toKey(runId)).with(withdrawn.toKey(runId), true)',
      replace: 'return members.with(withdrawn.toKey(runId), true)',
    },
  },
  {
    name: 'an edit of a follow-up that is lost',
    foundBy: ['followUpsHold'],
    inProgram: {
      file: 'machines/work/followUps.ts',
      search: 'spec: { ...entry.run.spec, prompt } }',
      replace: 'spec: { ...entry.run.spec } }',
    },
  },
  {
    name: 'follow-ups that start in the wrong order',
    foundBy: ['followUpsHold'],
    inProgram: {
      file: 'machines/work/followUps.ts',
      search: 'for (const [key, value] of members.range(queued.prefix)) {',
      replace: 'for (const [key, value] of [...members.range(queued.prefix)].reverse()) {',
    },
  },
  {
    name: 'follow-ups that a failed turn deletes',
    foundBy: ['followUpsHold'],
    inProgram: {
      file: 'machines/work/session.ts',
      search: '...(fails && hasQueued(next.members) ? { isQueuePaused: true } : {})',
      replace: '...(fails && hasQueued(next.members) ? { members: withdrawAll(next.members) } : {})',
    },
  },
  {
    name: 'a step that waits for only one of the steps that it needs',
    foundBy: ['stepsHold'],
    inProgram: {
      file: 'machines/work/steps/executionContext.ts',
      search: 'const needed = step.needs.map(',
      replace: 'const needed = step.needs.slice(0, 1).map(',
    },
  },
  {
    name: 'a step that is repeated after it has succeeded',
    foundBy: ['stepsHold'],
    inProgram: {
      file: 'machines/work/steps/stepEnds.ts',
      search: "return (end === 'FAILED' || end === 'TIMED_OUT') && hasAttempt",
      replace: 'return end !== undefined && hasAttempt',
    },
  },
  {
    name: 'a restart that executes all steps again',
    foundBy: ['stepsHold'],
    inProgram: {
      file: 'machines/work/steps/executionContext.ts',
      search: 'if (reused !== undefined && !needed.some(isExecuted)) return',
      replace: 'if (false) return',
    },
  },
  {
    name: 'a rejection that lets the run continue',
    foundBy: ['stepsHold'],
    inProgram: {
      file: 'machines/work/steps/workflowStep.ts',
      search: "event.type === 'decide' && event.decision === 'APPROVED'",
      replace: "event.type === 'decide'",
    },
  },
  {
    name: 'a WORKFLOW step that starts two runs',
    foundBy: ['stepsHold'],
    inProgram: {
      file: 'actors/effects/requestOperation.ts',
      search: 'const answer = await execute({',
      replace:
        "const otherId = (kind, index) => derivedId(kind, at, [key, kind, index, 'other'])\n      await execute({ key: key + ':other', actorId: actor.id, principalId, operation, input, newId: otherId })\n      const answer = await execute({",
    },
  },
  {
    name: 'a step that never gives back the slot that it shares',
    foundBy: ['limitsHold', 'stepsHold'],
    inProgram: {
      file: 'machines/work/steps/stepContext.ts',
      search: "{ type: 'ended', jobs: attempt }",
      replace: "{ type: 'ended', jobs: attempt + 1 }",
    },
  },
  {
    name: 'outputs of a step that the next step does not receive',
    foundBy: ['stepsHold'],
    inProgram: {
      file: 'machines/work/steps/stepTask.ts',
      search: '[name, expand(value)] as const)\n    return { kind:',
      replace: "[name, ''] as const)\n    return { kind:",
    },
  },
]
