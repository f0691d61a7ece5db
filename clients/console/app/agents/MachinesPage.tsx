/** All agents, updated live: their connection, their work and their coding CLIs. */

import { useMemo, useState } from 'preact/hooks'
import { type GraphqlDocument, graphql, type ResultOf } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useLiveObjects } from '../data/useLiveObjects.ts'
import { useQuery } from '../data/useQuery.ts'
import { formatCount } from '../parts/formatCount.ts'
import { formatName } from '../parts/formatName.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ReasonField, readReason } from '../parts/forms/ReasonField.tsx'
import { ListFilters } from '../parts/lists/ListFilters.tsx'
import { VirtualRows } from '../parts/lists/VirtualRows.tsx'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { useFilters } from '../router.ts'
import { useDialog } from '../state/dialogStore.ts'
import { AddMachineDialog } from './AddMachineDialog.tsx'
import { type AgentWork, useAgentWork } from './useAgentWork.ts'

const agentsSubscription = graphql(`subscription { agentStatusChanged {
  id name hostname platform arch connectionStatus draining lastSeenAt clis { name healthy problem signIn }
} }`)

type Agent = ResultOf<typeof agentsSubscription>['agentStatusChanged']
type AgentAction = 'drain' | 'activate' | 'revoke'

const countQuery = graphql('{ agentConnection(first: 1) { totalCount } }')

const statuses = ['CONNECTED', 'DISCONNECTED', 'LOST', 'PENDING', 'REVOKED']

export function MachinesPage() {
  useDocumentTitle(['Machines'])
  const { objects: agents, error: subscriptionError } = useLiveObjects(agentsSubscription, 'agentStatusChanged', {})
  // Without agents the subscription sends nothing, so a query finds out that there are none.
  const { data: counted, error: countError } = useQuery(countQuery, {})
  const error = subscriptionError ?? countError
  const isKnown = agents.size > 0 || counted?.agentConnection.totalCount === 0
  const { q = '', status = '' } = useFilters()
  const [{ first, last }, setVisibleRange] = useState({ first: 0, last: 0 })
  const { dialog, open, close } = useDialog<'addMachine' | { readonly agent: Agent; readonly action: AgentAction }>()
  const shown = useMemo(() => {
    const searchText = q.toLowerCase()
    return [...agents.values()]
      .filter((agent) => (status === '' ? agent.connectionStatus !== 'REVOKED' : agent.connectionStatus === status))
      .filter(({ name, hostname }) => searchText === '' || `${name} ${hostname}`.toLowerCase().includes(searchText))
      .sort((a, b) => a.name.localeCompare(b.name))
  }, [agents, q, status])
  const work = useAgentWork(shown.slice(first, last).map(({ id }) => id))
  const connected = shown.filter(({ connectionStatus }) => connectionStatus === 'CONNECTED').length
  return (
    <section>
      <div class="heading-row">
        <h1>Machines</h1>
        <button type="button" class="quiet" onClick={() => open('addMachine')}>
          Add machine
        </button>
      </div>
      <ListFilters placeholder="Name or host" statuses={statuses} allLabel="All except revoked" />
      {isKnown && (
        <p class="note" role="status">
          {formatCount(shown.length, 'agent')}, {connected.toLocaleString()} connected
        </p>
      )}
      {error && <ErrorMessage error={error} retriesAutomatically={error === countError} />}
      {!isKnown && !error && <Loading what="the fleet" />}
      {isKnown && shown.length === 0 && (
        <EmptyState title={agents.size === 0 ? 'No machines yet' : 'No matches'}>
          <p>{agents.size === 0 ? 'Add a machine: you get a command to run on it.' : 'Change or clear the filters.'}</p>
        </EmptyState>
      )}
      <VirtualRows
        label="Agents"
        rows={shown}
        rowHeight={64}
        getId={({ id }) => id}
        onVisibleRange={(from, to) => setVisibleRange({ first: from, last: to })}
        renderRow={(agent) => (
          <div class="agent-row">
            <span class="identity">
              <a class="item-name" href={`/actors/${agent.id}`}>
                {agent.name}
              </a>
              <span class="hint">
                {agent.hostname} · {agent.platform} {agent.arch}
              </span>
            </span>
            <span class="agent-status">
              <StatusBadge status={agent.connectionStatus} />
              <span class="hint">
                {agent.draining && 'draining, '}
                {agent.lastSeenAt ? <RelativeTime at={agent.lastSeenAt} /> : 'never seen'}
              </span>
            </span>
            <AgentWorkSummary work={work.get(agent.id)} />
            <CliSummary clis={agent.clis} />
            <span class="row-actions">
              {agent.connectionStatus !== 'REVOKED' && (
                <>
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`${agent.draining ? 'Resume' : 'Drain'}: ${agent.name}`}
                    onClick={() => open({ agent, action: agent.draining ? 'activate' : 'drain' })}
                  >
                    {agent.draining ? 'Resume' : 'Drain'}
                  </button>
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`Revoke: ${agent.name}`}
                    onClick={() => open({ agent, action: 'revoke' })}
                  >
                    Revoke
                  </button>
                </>
              )}
            </span>
          </div>
        )}
      />
      {dialog === 'addMachine' && <AddMachineDialog onClose={close} />}
      {typeof dialog === 'object' && <AgentActionDialog {...dialog} onClose={close} />}
    </section>
  )
}

function AgentWorkSummary({ work }: { readonly work: AgentWork | undefined }) {
  const first = work?.jobs.nodes[0]
  const otherCount = (work?.jobs.totalCount ?? 0) - 1
  return (
    <span class="agent-work">
      {first?.runId ? (
        <a href={`/runs/${first.runId}`}>{first.run?.title}</a>
      ) : first ? (
        <a href={`/actors/${first.id}`}>{formatName(first.kind)}</a>
      ) : (
        <span class="hint">{work && 'idle'}</span>
      )}
      <span class="hint">
        {[
          otherCount > 0 && `and ${otherCount} more`,
          work?.vitals && `load ${work.vitals.load.toFixed(1)}, ${formatBytes(work.vitals.freeMemoryBytes)} free`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  )
}

function formatBytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`
}

function CliSummary({ clis }: Pick<Agent, 'clis'>) {
  const unavailable = clis.filter(({ healthy }) => !healthy)
  if (clis.length === 0) return <span class="hint">no coding CLI</span>
  const tooltip = clis.map(describeCli).join('\n')
  return (
    <span class={unavailable.length > 0 ? 'problem' : 'hint'} title={tooltip}>
      {clis.length - unavailable.length} of {clis.length} CLIs available
    </span>
  )
}

function describeCli({ name, problem, signIn }: Agent['clis'][number]): string {
  if (problem) return `${name}: ${problem}`
  return signIn === 'SIGNED_OUT' ? `${name}: not signed in` : name
}

interface AgentActionTexts {
  readonly title: string
  readonly description: string
  readonly mutation: GraphqlDocument<unknown, { id: string; reason?: string | null }>
}

const agentActions: Readonly<Record<AgentAction, AgentActionTexts>> = {
  drain: {
    title: 'Drain agent',
    description: 'The agent takes no new runs. Runs that have started continue.',
    mutation: graphql(
      'mutation ($id: ID!, $reason: String) { drainAgent(input: { agentId: $id, drain: true, reason: $reason }) { agent { id } } }',
    ),
  },
  activate: {
    title: 'Resume agent',
    description: 'The agent takes new runs again.',
    mutation: graphql(
      'mutation ($id: ID!, $reason: String) { drainAgent(input: { agentId: $id, drain: false, reason: $reason }) { agent { id } } }',
    ),
  },
  revoke: {
    title: 'Revoke agent',
    description:
      'The credential of the agent ends. Its queued runs are canceled, and its active runs are lost. This cannot be undone: the machine must be enrolled again.',
    mutation: graphql(
      'mutation ($id: ID!, $reason: String) { revokeAgent(input: { agentId: $id, reason: $reason }) { agent { id } } }',
    ),
  },
}

interface AgentActionDialogProps {
  readonly agent: Agent
  readonly action: AgentAction
  onClose(): void
}

function AgentActionDialog({ agent, action, onClose }: AgentActionDialogProps) {
  const { title, description, mutation } = agentActions[action]
  return (
    <ConfirmDialog
      title={`${title}: ${agent.name}`}
      confirmLabel={title}
      onClose={onClose}
      onConfirm={async (formData) => {
        await requestGraphql(mutation, { id: agent.id, reason: readReason(formData) })
      }}
    >
      <p>{description}</p>
      <ReasonField />
    </ConfirmDialog>
  )
}
