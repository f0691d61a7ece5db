/** One run: what it is asked, what it asks, what it prints, and its lifecycle. */

import { useState } from 'preact/hooks'
import { ask } from '../data/ask.ts'
import { useFollowed } from '../data/useFollowed.ts'
import { Conversation } from '../log/Conversation.tsx'
import { Log } from '../log/Log.tsx'
import { Answer } from '../parts/Answer.tsx'
import { Asking } from '../parts/Asking.tsx'
import { Lamp } from '../parts/Lamp.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Loading, Refused } from '../parts/Notice.tsx'
import { nameWords } from '../parts/nameWords.ts'
import { Lifecycle } from './Actor.tsx'

interface RunFacts {
  readonly id: string
  readonly kind: string
  readonly displayNumber: number
  readonly title: string
  readonly status: string
  readonly phase: string | null
  readonly jobId: string | null
  readonly parentRunId: string | null
  readonly createdAt: string
  readonly endedAt: string | null
  readonly questionId: string | null
  readonly question: unknown
  readonly exitCode: number | null
  readonly problem: { readonly code: string; readonly message: string } | null
  readonly blockedBy: { readonly message: string; readonly runIds: readonly string[] } | null
  readonly agent: { readonly id: string; readonly name: string }
  readonly worktree: { readonly id: string; readonly branch: string | null; readonly path: string | null }
}

const query = `subscription ($runId: ID!) { runStatusChanged(runId: $runId) {
  id kind displayNumber title status phase jobId parentRunId createdAt endedAt questionId question exitCode
  problem { code message } blockedBy { message runIds } agent { id name } worktree { id branch path }
} }`

const over = new Set(['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST', 'SKIPPED'])

export function Run({ id }: { readonly id: string }) {
  const { all, refusal } = useFollowed<RunFacts>(query, 'runStatusChanged', { runId: id })
  const run = all.get(id)
  const [canceling, setCanceling] = useState(false)
  return (
    <section>
      <p class="crumbs">
        <a href="/runs">Runs</a>
      </p>
      {refusal && <Refused refusal={refusal} />}
      {run === undefined && !refusal && <Loading what={id} />}
      {run && (
        <>
          <div class="top">
            <h1>{run.title}</h1>
            {!over.has(run.status) && (
              <button type="button" class="quiet" onClick={() => setCanceling(true)}>
                End it
              </button>
            )}
          </div>
          <p class="lead">
            <Lamp status={run.status} />
            {run.phase && <span>{nameWords(run.phase)}</span>}
            <span>
              {run.kind.toLowerCase()} {run.displayNumber}
            </span>
            <span>
              on <a href={`/actors/${run.agent.id}`}>{run.agent.name}</a>,{' '}
              <a href={`/worktrees/${run.worktree.id}`}>{run.worktree.branch ?? run.worktree.path}</a>
            </span>
            {run.endedAt ? (
              <span>
                ended <Moment at={run.endedAt} />
                {run.exitCode !== null && `, exit code ${run.exitCode}`}
              </span>
            ) : (
              <span>
                asked for <Moment at={run.createdAt} />
              </span>
            )}
            {run.parentRunId && <a href={`/runs/${run.parentRunId}`}>the run that started it</a>}
            {run.jobId && <a href={`/actors/${run.jobId}`}>its job</a>}
          </p>
          {run.problem && (
            <p class="message">
              {run.problem.message} <span class="hint">{run.problem.code}</span>
            </p>
          )}
          {run.blockedBy && (
            <p class="note">
              Waits: {run.blockedBy.message}{' '}
              {run.blockedBy.runIds.slice(0, 5).map((other) => (
                <a key={other} href={`/runs/${other}`}>
                  {other}{' '}
                </a>
              ))}
            </p>
          )}
          {run.status === 'WAITING_FOR_INPUT' && run.questionId && (
            <Answer key={run.questionId} runId={id} questionId={run.questionId} question={run.question} />
          )}
          {run.jobId && <Conversation key={run.id} runId={run.id} />}
          {run.jobId && <Log key={run.jobId} jobId={run.jobId} />}
        </>
      )}
      <Lifecycle id={id} />
      {canceling && (
        <Asking
          title="End this run"
          yes="End it"
          close={() => setCanceling(false)}
          doIt={async () => {
            await ask('mutation ($runId: ID!) { cancelRun(input: { runId: $runId }) { run { id } } }', { runId: id })
          }}
        >
          <p>Its agent is asked to stop what runs, and all that it has started.</p>
        </Asking>
      )}
    </section>
  )
}
