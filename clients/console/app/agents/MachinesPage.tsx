/** All machines, updated live: their connection, their work and their coding CLIs. */
import { useMemo, useState } from 'preact/hooks'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useLiveObjects } from '../data/useLiveObjects.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, formatNumber, messages } from '../messages.ts'
import { formatBytes } from '../parts/formatBytes.ts'
import { formatName } from '../parts/formatName.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ListFilters } from '../parts/lists/ListFilters.tsx'
import { VirtualRows } from '../parts/lists/VirtualRows.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { setFilters, useFilters } from '../router.ts'
import { useDialog } from '../state/dialogStore.ts'
import { AddMachineDialog } from './AddMachineDialog.tsx'
import { type AgentAction, AgentActionDialog } from './agentActions.tsx'
import { describeClis, getCliProblem } from './describeClis.ts'
import { type AgentWork, useAgentWork } from './useAgentWork.ts'

const texts = messages.machines

const agentsSubscription = graphql(`subscription { agentStatusChanged {
  id name hostname platform arch connectionStatus draining tags lastSeenAt clis { name healthy problem signIn }
} }`)

type Agent = ResultOf<typeof agentsSubscription>['agentStatusChanged']

const countQuery = graphql('{ agentConnection(first: 1) { totalCount } }')

const statuses = ['CONNECTED', 'DISCONNECTED', 'LOST', 'PENDING', 'REVOKED']

export function MachinesPage() {
  useDocumentTitle([texts.title])
  const { objects: agents, error: subscriptionError } = useLiveObjects(agentsSubscription, 'agentStatusChanged', {})
  // Without agents the subscription sends nothing, so a query finds out that there are none.
  const { data: counted, error: countError } = useQuery(countQuery, {})
  const error = subscriptionError ?? countError
  const isKnown = agents.size > 0 || counted?.agentConnection.totalCount === 0
  const { q = '', status = '', tag = '' } = useFilters()
  const [{ first, last }, setVisibleRange] = useState({ first: 0, last: 0 })
  const { dialog, open, close } = useDialog<'addMachine' | { readonly agent: Agent; readonly action: AgentAction }>()
  const shown = useMemo(() => {
    const searchText = q.toLowerCase()
    return [...agents.values()]
      .filter((agent) => (status === '' ? agent.connectionStatus !== 'REVOKED' : agent.connectionStatus === status))
      .filter(({ tags }) => tag === '' || tags.includes(tag))
      .filter(
        ({ name, hostname, tags }) =>
          searchText === '' || [name, hostname, ...tags].join(' ').toLowerCase().includes(searchText),
      )
      .sort((a, b) => a.name.localeCompare(b.name))
  }, [agents, q, status, tag])
  const work = useAgentWork(shown.slice(first, last).map(({ id }) => id))
  const connected = shown.filter(({ connectionStatus }) => connectionStatus === 'CONNECTED').length
  return (
    <section>
      <div class="heading-row">
        <h1>{texts.title}</h1>
        <ActionButton onClick={() => open('addMachine')}>{texts.add.title}</ActionButton>
      </div>
      <ListFilters placeholder={texts.filter} statuses={statuses} allLabel={texts.allButRevoked}>
        <TagFilter agents={[...agents.values()]} tag={tag} />
      </ListFilters>
      {isKnown && (
        <p class="note" role="status">
          {format(texts.count, { count: shown.length })}, {format(texts.connected, { count: connected })}
        </p>
      )}
      {error && <ErrorMessage error={error} retriesAutomatically={error === countError} />}
      {!isKnown && !error && <Loading />}
      {isKnown && shown.length === 0 && (
        <EmptyState title={agents.size === 0 ? texts.none : messages.parts.noMatches}>
          <p>{agents.size === 0 ? texts.noneAdvice : texts.noMatchesAdvice}</p>
        </EmptyState>
      )}
      {shown.length > 0 && (
        <div>
          <div class="agent-row list-head" aria-hidden="true">
            <span>{texts.columns.name}</span>
            <span>{texts.columns.status}</span>
            <span>{texts.columns.runs}</span>
            <span>{texts.columns.worktrees}</span>
            <span>{texts.columns.clis}</span>
            <span>{texts.columns.load}</span>
            <span>{texts.columns.seen}</span>
          </div>
          <VirtualRows
            label={texts.title}
            rows={shown}
            rowHeight={32}
            getId={({ id }) => id}
            onRenderedRange={(from, to) => setVisibleRange({ first: from, last: to })}
            renderRow={(agent) => (
              <AgentRow agent={agent} work={work.get(agent.id)} onAction={(action) => open({ agent, action })} />
            )}
          />
        </div>
      )}
      {dialog === 'addMachine' && <AddMachineDialog onClose={close} />}
      {typeof dialog === 'object' && <AgentActionDialog {...dialog} onClose={close} />}
    </section>
  )
}

interface TagFilterProps {
  readonly agents: readonly Agent[]
  readonly tag: string
}

/** Nothing while no machine has a tag. */
function TagFilter({ agents, tag }: TagFilterProps) {
  // The chosen one stays, also if no machine has it any more.
  const names = new Set([...agents.flatMap(({ tags }) => tags), ...(tag === '' ? [] : [tag])])
  if (names.size === 0) return null
  return (
    <select
      aria-label={texts.tags.filter}
      value={tag}
      onChange={({ currentTarget }) => setFilters({ tag: currentTarget.value })}
    >
      <option value="">{texts.tags.all}</option>
      {[...names].sort().map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}

interface AgentRowProps {
  readonly agent: Agent
  /** Undefined until it is loaded. */
  readonly work: AgentWork | undefined
  onAction(action: AgentAction): void
}

function AgentRow({ agent, work, onAction }: AgentRowProps) {
  const { id, name, hostname, platform, arch, connectionStatus, draining, tags, clis } = agent
  // A heartbeat is no change of the agent, so the row itself does not have the latest.
  const lastSeenAt = work?.lastSeenAt ?? agent.lastSeenAt
  const action = draining ? 'activate' : 'drain'
  // The last load and CLIs of a machine without a connection may be out of date.
  const isConnected = connectionStatus === 'CONNECTED'
  return (
    <div class="agent-row">
      <span class="identity">
        <a class="item-name" href={`/machines/${id}`}>
          {name}
        </a>{' '}
        <span class="hint">{[hostname, `${platform} ${arch}`, ...tags].join(' · ')}</span>
      </span>
      <span>
        <StatusBadge status={draining && isConnected ? 'DRAINING' : connectionStatus} />
      </span>
      <AgentWorkSummary work={work} />
      <span>{work && formatNumber(work.worktrees.totalCount)}</span>
      <span class={clis.some((cli) => getCliProblem(cli) !== undefined) ? 'problem' : 'hint'}>
        {isConnected && describeClis(clis)}
      </span>
      <span class="hint">
        {isConnected &&
          work?.vitals &&
          `${work.vitals.load.toFixed(1)} · ${format(texts.freeMemory, { size: formatBytes(work.vitals.freeMemoryBytes) })}`}
      </span>
      <span class="hint">{lastSeenAt ? <RelativeTime at={lastSeenAt} /> : texts.neverSeen}</span>
      <span class="row-actions">
        {connectionStatus !== 'REVOKED' && (
          <ActionButton label={format(texts[action].of, { name })} onClick={() => onAction(action)}>
            {texts[action].button}
          </ActionButton>
        )}
      </span>
    </div>
  )
}

function AgentWorkSummary({ work }: Pick<AgentRowProps, 'work'>) {
  const first = work?.jobs.nodes[0]
  const others = (work?.jobs.totalCount ?? 0) - 1
  return (
    <span class="agent-work">
      {first?.runId ? (
        <a href={`/runs/${first.runId}`}>{first.run?.title}</a>
      ) : first ? (
        <a href={`/actors/${first.id}`}>{formatName(first.kind)}</a>
      ) : (
        <span class="hint">{work && texts.idle}</span>
      )}{' '}
      {others > 0 && <span class="hint">{format(texts.andMore, { count: others })}</span>}
    </span>
  )
}
