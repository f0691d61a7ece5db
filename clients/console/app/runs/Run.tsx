/** One run: its prompt, its questions, its output, and its lifecycle. */

import { useState } from 'preact/hooks'
import { ask } from '../data/ask.ts'
import { useFollowed } from '../data/useFollowed.ts'
import { useQuery } from '../data/useQuery.ts'
import { Lifecycle } from '../operators/Actor.tsx'
import { Asking } from '../parts/Asking.tsx'
import { Lamp } from '../parts/Lamp.tsx'
import { Missing, namesNothing } from '../parts/Missing.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Loading, Refused } from '../parts/Notice.tsx'
import { nameWords } from '../parts/nameWords.ts'
import { useTitle } from '../parts/useTitle.ts'
import { Answer } from './Answer.tsx'
import { Conversation } from './log/Conversation.tsx'
import { Log } from './log/Log.tsx'
import { type Question, questionFields } from './question.ts'

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
  readonly question: Question | null
  readonly exitCode: number | null
  readonly problem: { readonly code: string; readonly message: string } | null
  readonly blockedBy: { readonly message: string; readonly runIds: readonly string[]; readonly runCount: number } | null
  readonly agent: { readonly id: string; readonly name: string }
  readonly worktree: { readonly id: string; readonly branch: string | null; readonly path: string | null }
  readonly session?: { readonly id: string; readonly title: string } | null
  readonly plan?: { readonly id: string; readonly title: string } | null
  readonly workflowId?: string
}

const query = `subscription ($runId: ID!) { runStatusChanged(runId: $runId) {
  id kind displayNumber title status phase jobId parentRunId createdAt endedAt questionId question { ${questionFields} } exitCode
  problem { code message } blockedBy { message runIds runCount } agent { id name } worktree { id branch path }
  ... on SessionRun { session { id title } } ... on PlanRun { plan { id title } } ... on WorkflowRun { workflowId }
} }`

const started = `query ($id: ID!) { runs(parentRunId: $id, first: 20) { totalCount nodes { id title status } } }`

const over = new Set(['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST', 'SKIPPED'])

export function Run({ id }: { readonly id: string }) {
  const { all, refusal } = useFollowed<RunFacts>(query, 'runStatusChanged', { runId: id })
  const run = all.get(id)
  useTitle([run?.title, run && nameWords(run.status), 'Runs'])
  const [canceling, setCanceling] = useState(false)
  if (run === undefined && namesNothing(refusal)) return <Missing what={`There is no run ${id}.`} />
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
            <Relations run={run} />
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
              {run.blockedBy.runCount > 5 && `and ${(run.blockedBy.runCount - 5).toLocaleString()} more`}
            </p>
          )}
          {run.status === 'WAITING_FOR_INPUT' && run.questionId && run.question && (
            <Answer key={run.questionId} runId={id} questionId={run.questionId} question={run.question} />
          )}
          <Children run={run} />
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

/** The owner of the run, and the runs that it has started. */
function Relations({ run }: { readonly run: RunFacts }) {
  const owner = run.session ?? run.plan
  return (
    <>
      {owner && (
        <span>
          of the {run.kind.toLowerCase()} <a href={`/actors/${owner.id}`}>{owner.title}</a>
        </span>
      )}
      {run.workflowId && <a href={`/actors/${run.workflowId}`}>its workflow</a>}
      {run.parentRunId && <a href={`/runs/${run.parentRunId}`}>the run that started it</a>}
      {run.jobId && <a href={`/actors/${run.jobId}`}>its job</a>}
    </>
  )
}

interface Started {
  readonly runs: {
    readonly totalCount: number
    readonly nodes: readonly { readonly id: string; readonly title: string; readonly status: string }[]
  }
}

/** The runs that it has started. A finished run starts none. */
function Children({ run }: { readonly run: RunFacts }) {
  const { data } = useQuery<Started>(
    started,
    { id: run.id },
    {
      everyMs: over.has(run.status) ? undefined : 5_000,
    },
  )
  if (data === undefined || data.runs.totalCount === 0) return null
  return (
    <section class="children" aria-labelledby="children">
      <h2 id="children">
        What it has started <span class="count">{data.runs.totalCount.toLocaleString()}</span>
      </h2>
      <ul class="rows">
        {data.runs.nodes.map(({ id, title, status }) => (
          <li key={id}>
            <a class="what" href={`/runs/${id}`}>
              {title}
            </a>
            <Lamp status={status} />
          </li>
        ))}
      </ul>
    </section>
  )
}
