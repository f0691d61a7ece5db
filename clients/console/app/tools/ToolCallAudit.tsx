/** The audit of tool calls: when, by whom, which tool, and the outcome. Arguments and results are never stored. */
import { formatCount } from '../parts/formatCount.ts'
import { formatDuration } from '../parts/formatDuration.ts'
import { VirtualRows } from '../parts/lists/VirtualRows.tsx'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useFilters } from '../router.ts'
import { AuditFilters, hasFilters, readCallFilter } from './AuditFilters.tsx'
import { useActorNames } from './useActorNames.ts'
import { type ToolCall, type ToolCallFilter, useToolCalls } from './useToolCalls.ts'

export function ToolCallAudit() {
  const filter = readCallFilter(useFilters())
  return (
    <>
      <p class="lead">All tool calls over MCP and REST. New calls appear automatically.</p>
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
        {formatCount(edges.length, 'call')}
        {hasMore && ' loaded. Scroll to load more.'}
      </p>
      {edges.length === 0 && (
        <EmptyState title={hasFilters(filter) ? 'No matches' : 'No calls yet'}>
          <p>
            {hasFilters(filter)
              ? 'Change or clear the filters. Calls are stored for AUDIT_RETENTION_DAYS.'
              : 'The calls of AI clients and runs over MCP, and those over REST, appear here.'}
          </p>
        </EmptyState>
      )}
      <VirtualRows
        label="Tool calls"
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
          <span class="item-name">no tool name</span>
        ) : (
          <a class="item-name" href={getFilterPath({ tool })} title={`${tool}\narguments ${argumentsSha256}`}>
            {rawName ?? tool}
          </a>
        )}
        {serverId !== null && (
          <span class="hint">
            {' '}
            of <a href={getFilterPath({ server: serverId })}>{getName(serverId)}</a>
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
      <a class="hint id" href={getFilterPath({ request: requestId })} aria-label={`Request ${requestId}`}>
        {requestId}
      </a>
      <span class="call-time">
        <RelativeTime at={at} />
      </span>
    </div>
  )
}

function CallSource({ call: { source, scopeId }, getName }: { readonly call: ToolCall; getName(id: string): string }) {
  if (scopeId === null) return <>{source === 'TOOLS_API' ? 'over REST' : 'over MCP'}</>
  return source === 'MCP_RUN' ? (
    <>
      in run <a href={`/runs/${scopeId}`}>{getName(scopeId)}</a>
    </>
  ) : (
    <>
      with preset <a href={`/tools?q=${scopeId}`}>{getName(scopeId)}</a>
    </>
  )
}

function getFilterPath(filter: Readonly<Record<string, string>>): string {
  return `/tools/audit?${new URLSearchParams(filter)}`
}
