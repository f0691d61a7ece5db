/** The audit of tool calls: when, by whom, which tool, and the outcome. Arguments and results are never stored. */
import { format, formatParts, messages } from '../messages.ts'
import { formatDuration } from '../parts/formatDuration.ts'
import { VirtualRows } from '../parts/lists/VirtualRows.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useFilters } from '../router.ts'
import { AuditFilters, hasFilters, readCallFilter } from './AuditFilters.tsx'
import { useActorNames } from './useActorNames.ts'
import { type ToolCall, type ToolCallFilter, useToolCalls } from './useToolCalls.ts'

const texts = messages.tools.calls

export function ToolCallAudit() {
  const filter = readCallFilter(useFilters())
  return (
    <>
      <p class="lead">{texts.lead}</p>
      <AuditFilters />
      <ToolCallList key={JSON.stringify(filter)} filter={filter} />
    </>
  )
}

function ToolCallList({ filter }: { readonly filter: ToolCallFilter }) {
  const { items: edges, hasMore, error, loadMore } = useToolCalls(filter)
  const getName = useActorNames((edges ?? []).flatMap(({ node }) => listActors(node)))
  if (edges === undefined) return error ? <ErrorMessage error={error} retriesAutomatically /> : <Loading />
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      <p class="note" role="status">
        {format(hasMore ? texts.loadedCount : texts.count, { count: edges.length })}
      </p>
      {edges.length === 0 && (
        <EmptyState title={hasFilters(filter) ? messages.parts.noMatches : texts.none}>
          <p>{hasFilters(filter) ? texts.noMatchesHint : texts.noneHint}</p>
        </EmptyState>
      )}
      <VirtualRows
        label={texts.label}
        rows={edges}
        rowHeight={64}
        getId={({ cursor }) => cursor}
        onNearEnd={loadMore}
        renderRow={({ node }) => <ToolCallRow call={node} getName={getName} />}
      />
    </>
  )
}

/** Returns the agent, if a run made the call. */
const findCallingAgent = (caller: string): string | undefined => /^agent:(agt_\w+)@/.exec(caller)?.[1]

function listActors({ caller, scopeId }: ToolCall): readonly string[] {
  return [findCallingAgent(caller) ?? caller, ...(scopeId?.startsWith('run_') ? [scopeId] : [])]
}

function ToolCallRow({ call, getName }: { readonly call: ToolCall; getName(id: string): string }) {
  const { at, durationMs, caller, tool, serverId, rawName, requestId, outcome, code, argumentsSha256 } = call
  const callerId = findCallingAgent(caller) ?? caller
  return (
    <div class="call-row">
      <span class="call-tool">
        {tool === null ? (
          <span class="item-name">{texts.noToolName}</span>
        ) : (
          <a
            class="item-name"
            href={getFilterPath({ tool })}
            title={`${tool}\n${format(texts.arguments, { hash: argumentsSha256 })}`}
          >
            {rawName ?? tool}
          </a>
        )}
        {serverId !== null && (
          <span class="hint">
            {' '}
            {formatParts(messages.tools.ofServer, {
              server: <a href={getFilterPath({ server: serverId })}>{getName(serverId)}</a>,
            })}
          </span>
        )}
      </span>
      <span class="call-outcome">
        <StatusBadge status={outcome} /> {code !== null && <code class="hint">{code}</code>}
      </span>
      <span class="hint call-duration">{formatDuration(durationMs)}</span>
      <span class="hint identity">
        <a href={`/actors/${callerId}`} title={caller}>
          {getName(callerId)}
        </a>{' '}
        <CallSource call={call} getName={getName} />
      </span>
      <a
        class="hint id"
        href={getFilterPath({ request: requestId })}
        aria-label={format(texts.request, { id: requestId })}
      >
        {requestId}
      </a>
      <span class="call-time">
        <RelativeTime at={at} />
      </span>
    </div>
  )
}

function CallSource({ call: { source, scopeId }, getName }: { readonly call: ToolCall; getName(id: string): string }) {
  if (scopeId === null) return <>{source === 'TOOLS_API' ? texts.sources.rest : texts.sources.mcp}</>
  const name = getName(scopeId)
  return (
    <>
      {source === 'MCP_RUN'
        ? formatParts(texts.sources.run, { run: <a href={`/runs/${scopeId}`}>{name}</a> })
        : formatParts(texts.sources.preset, { preset: <a href={`/tools?q=${scopeId}`}>{name}</a> })}
    </>
  )
}

function getFilterPath(filter: Readonly<Record<string, string>>): string {
  return `/tools/audit?${new URLSearchParams(filter)}`
}
