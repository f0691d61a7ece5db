/** The facts of a run: who asked for it, where it executes, its times, and its usage. */
import { format, formatParts, locale, messages } from '../../messages.ts'
import { Fact } from '../../parts/Fact.tsx'
import { formatDuration } from '../../parts/formatDuration.ts'
import { RelativeTime, useNow } from '../../parts/RelativeTime.tsx'
import type { RunDetails, RunInput } from '../runDetails.ts'

const { facts: texts } = messages.run

interface RunFactsProps {
  readonly run: RunDetails
  readonly input: RunInput
}

export function RunFacts({ run, input }: RunFactsProps) {
  const { cli, model, attachments } = input
  const owner = 'session' in run ? run.session : 'plan' in run ? run.plan : undefined
  return (
    <dl class="facts">
      <Times {...run} />
      {run.exitCode !== null && <Fact name={texts.exitCode}>{run.exitCode}</Fact>}
      <Fact name={texts.requestedBy}>
        <Requester input={input} />
      </Fact>
      <Fact name={texts.machine}>
        <a href={`/machines/${run.agent.id}`}>{run.agent.name}</a>
      </Fact>
      <Fact name={texts.worktree}>
        <a href={`/worktrees/${run.worktree.id}`}>{run.worktree.branch ?? run.worktree.path}</a>
      </Fact>
      {cli && <Fact name={texts.cli}>{cli}</Fact>}
      {model && <Fact name={texts.model}>{model}</Fact>}
      {owner && (
        <Fact name={run.kind === 'PLAN' ? texts.plan : texts.session}>
          <a href={`/${run.kind === 'PLAN' ? 'plans' : 'sessions'}/${owner.id}`}>{owner.title}</a>
        </Fact>
      )}
      {'workflowId' in run && (
        <Fact name={texts.workflow}>
          <a href={`/workflows/${run.workflowId}`}>{run.title}</a>
        </Fact>
      )}
      {run.parentRunId && (
        <Fact name={texts.parentRun}>
          <a href={`/runs/${run.parentRunId}`}>{texts.openRun}</a>
        </Fact>
      )}
      {input.retryOfId && (
        <Fact name={texts.retryOf}>
          <a href={`/runs/${input.retryOfId}`}>{texts.openRun}</a>
        </Fact>
      )}
      {run.jobId && (
        <Fact name={texts.job}>
          <a href={`/actors/${run.jobId}`}>{texts.openJob}</a>
        </Fact>
      )}
      <Usage result={run.result} />
      {attachments.length > 0 && (
        <Fact name={texts.files}>
          {attachments.map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <a href={`/api/run-attachments/${id}`}>{name}</a>
            </span>
          ))}
        </Fact>
      )}
    </dl>
  )
}

function Requester({ input: { requestedBy, requestedById } }: { readonly input: RunInput }) {
  if (requestedBy === null) return <span class="id">{requestedById}</span>
  if ('title' in requestedBy) return <a href={`/runs/${requestedById}`}>{requestedBy.title}</a>
  return <>{requestedBy.name}</>
}

function Times({
  createdAt,
  queuedAt,
  admittedAt,
  startedAt,
  endedAt,
}: Pick<RunDetails, 'createdAt' | 'queuedAt' | 'admittedAt' | 'startedAt' | 'endedAt'>) {
  const now = useNow()
  const elapsed = (from: string, to: string | null) => formatDuration((to ? Date.parse(to) : now) - Date.parse(from))
  return (
    <>
      <Fact name={texts.created}>
        <RelativeTime at={createdAt} />
      </Fact>
      {queuedAt && <Fact name={texts.inQueue}>{elapsed(queuedAt, admittedAt ?? endedAt)}</Fact>}
      {startedAt && <Fact name={endedAt ? texts.took : texts.runningFor}>{elapsed(startedAt, endedAt)}</Fact>}
      {endedAt && (
        <Fact name={texts.ended}>
          <RelativeTime at={endedAt} />
        </Fact>
      )}
    </>
  )
}

const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })

function Usage({ result }: Pick<RunDetails, 'result'>) {
  const usage = result?.usage
  if (!usage) return null
  const { inputTokens, outputTokens, cachedInputTokens, cost } = usage
  return (
    <>
      <Fact name={texts.tokens}>
        {formatParts(texts.tokensInAndOut, {
          input: compact.format(inputTokens),
          output: compact.format(outputTokens),
        })}
        {cachedInputTokens !== null && (
          <span class="hint"> {format(texts.tokensCached, { cached: compact.format(cachedInputTokens) })}</span>
        )}
      </Fact>
      {cost && <Fact name={texts.cost}>{formatCost(cost)}</Fact>}
    </>
  )
}

/** The currency is what the coding CLI reports. One that is not a currency code is shown as it is. */
function formatCost({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 4 }
  if (!/^[A-Z]{3}$/.test(currency)) return `${new Intl.NumberFormat(locale, digits).format(amount)} ${currency}`
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(amount)
}
