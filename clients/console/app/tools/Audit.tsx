/** The audit of tool calls: when, by whom, which tool, and the outcome. Arguments and results are never stored. */
import { counted } from '../parts/counted.ts'
import { Lamp } from '../parts/Lamp.tsx'
import { lasted } from '../parts/lasted.ts'
import { Moment } from '../parts/Moment.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { Rows } from '../parts/Rows.tsx'
import { filters } from '../router.ts'
import { AuditFilters, isNarrowed, wantedOf } from './AuditFilters.tsx'
import { type Call, type CallFilter, useCalls } from './calls.ts'
import { useNames } from './names.ts'

export function Audit() {
  const wanted = wantedOf(filters.value)
  return (
    <>
      <p class="lead">Every call of a tool, whichever way it came. New ones appear by themselves.</p>
      <AuditFilters />
      <List key={JSON.stringify(wanted)} wanted={wanted} />
    </>
  )
}

function List({ wanted }: { readonly wanted: CallFilter }) {
  const { nodes: edges, hasMore, refusal, more } = useCalls(wanted)
  const nameOf = useNames((edges ?? []).flatMap(({ node }) => actorsOf(node)))
  if (edges === undefined) return refusal ? <Refused refusal={refusal} byItself /> : <Loading what="the audit" />
  return (
    <>
      {refusal && <Refused refusal={refusal} byItself />}
      <p class="note" role="status">
        {counted(edges.length, 'call')}
        {hasMore && ' read; there are more'}
      </p>
      {edges.length === 0 && (
        <Empty title={isNarrowed(wanted) ? 'None like that' : 'No call yet'}>
          <p>
            {isNarrowed(wanted)
              ? 'Change what is looked for. What was called is kept for as long as a setting says.'
              : 'What AI clients and runs call over MCP stands here, and what is called over REST.'}
          </p>
        </Empty>
      )}
      <Rows
        label="Tool calls"
        rows={edges}
        rowHeight={64}
        idOf={({ cursor }) => cursor}
        onNearEnd={more}
        row={({ node }) => <Row call={node} nameOf={nameOf} />}
      />
    </>
  )
}

/** Returns the agent, if a run made the call. */
const agentOf = (caller: string): string | undefined => /^agent:(agt_\w+)@/.exec(caller)?.[1]

function actorsOf({ caller, scopeId }: Call): readonly string[] {
  return [agentOf(caller) ?? caller, ...(scopeId?.startsWith('run_') ? [scopeId] : [])]
}

function Row({ call, nameOf }: { readonly call: Call; nameOf(id: string): string }) {
  const { at, durationMs, caller, tool, serverId, rawName, requestId, outcome, code, argumentsSha256 } = call
  const who = agentOf(caller) ?? caller
  return (
    <div class="call">
      <span class="did">
        {tool === null ? (
          <span class="what">no tool’s name</span>
        ) : (
          <a class="what" href={hrefFor({ tool })} title={`${tool}\narguments ${argumentsSha256}`}>
            {rawName ?? tool}
          </a>
        )}
        {serverId !== null && (
          <span class="hint">
            {' '}
            of <a href={hrefFor({ server: serverId })}>{nameOf(serverId)}</a>
          </span>
        )}
      </span>
      <span class="came">
        <Lamp status={outcome} /> {code !== null && <code class="hint">{code}</code>}
      </span>
      <span class="hint took">{lasted(durationMs)}</span>
      <span class="hint who">
        <a href={`/actors/${who}`} title={caller}>
          {nameOf(who)}
        </a>{' '}
        <Way call={call} nameOf={nameOf} />
      </span>
      <a class="hint id" href={hrefFor({ request: requestId })} aria-label={`Request ${requestId}`}>
        {requestId}
      </a>
      <span class="when">
        <Moment at={at} />
      </span>
    </div>
  )
}

function Way({ call: { source, scopeId }, nameOf }: { readonly call: Call; nameOf(id: string): string }) {
  if (scopeId === null) return <>{source === 'TOOLS_API' ? 'over REST' : 'over MCP'}</>
  return source === 'MCP_RUN' ? (
    <>
      in the run <a href={`/runs/${scopeId}`}>{nameOf(scopeId)}</a>
    </>
  ) : (
    <>
      with <a href={`/tools?q=${scopeId}`}>{nameOf(scopeId)}</a>
    </>
  )
}

function hrefFor(filter: Readonly<Record<string, string>>): string {
  return `/tools/audit?${new URLSearchParams(filter)}`
}
