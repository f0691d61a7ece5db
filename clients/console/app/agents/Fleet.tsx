/** Every agent, live: who is connected, who drains, what each does, which coding CLIs work; and how one more machine becomes one. */

import { useMemo, useState } from 'preact/hooks'
import { ask } from '../data/ask.ts'
import { useFollowed } from '../data/useFollowed.ts'
import { useQuery } from '../data/useQuery.ts'
import { Asking } from '../parts/Asking.tsx'
import { counted } from '../parts/counted.ts'
import { Filters } from '../parts/Filters.tsx'
import { Lamp } from '../parts/Lamp.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { nameWords } from '../parts/nameWords.ts'
import { Reason, reasonIn } from '../parts/Reason.tsx'
import { Rows } from '../parts/Rows.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { filters } from '../router.ts'
import { Enrol } from './Enrol.tsx'
import { useWork, type Work } from './useWork.ts'

interface Agent {
  readonly id: string
  readonly name: string
  readonly hostname: string
  readonly platform: string
  readonly arch: string
  readonly connectionStatus: string
  readonly draining: boolean
  readonly lastSeenAt: string | null
  readonly clis: readonly { readonly name: string; readonly healthy: boolean; readonly problem: string | null }[]
}

const query = `subscription { agentStatusChanged {
  id name hostname platform arch connectionStatus draining lastSeenAt clis { name healthy problem }
} }`

const count = '{ agentConnection(first: 1) { totalCount } }'

const statuses = ['CONNECTED', 'DISCONNECTED', 'LOST', 'PENDING', 'REVOKED']

export function Fleet() {
  useTitle(['Fleet'])
  const { all: agents, refusal: unfollowed } = useFollowed<Agent>(query, 'agentStatusChanged')
  // Without agents the subscription sends nothing, so a query finds out that there are none.
  const { data: answered, refusal: uncounted } = useQuery<{ agentConnection: { totalCount: number } }>(count)
  const refusal = unfollowed ?? uncounted
  const isKnown = agents.size > 0 || answered?.agentConnection.totalCount === 0
  const { q = '', status = '' } = filters.value
  const [enrolling, setEnrolling] = useState(false)
  const [{ first, last }, setSeen] = useState({ first: 0, last: 0 })
  const [changed, setChanged] = useState<{ readonly agent: Agent; readonly how: keyof typeof changes }>()
  const shown = useMemo(() => {
    const words = q.toLowerCase()
    return [...agents.values()]
      .filter((agent) => (status === '' ? agent.connectionStatus !== 'REVOKED' : agent.connectionStatus === status))
      .filter(({ name, hostname }) => words === '' || `${name} ${hostname}`.toLowerCase().includes(words))
      .sort((a, b) => a.name.localeCompare(b.name))
  }, [agents, q, status])
  const work = useWork(shown.slice(first, last).map(({ id }) => id))
  const connected = shown.filter(({ connectionStatus }) => connectionStatus === 'CONNECTED').length
  return (
    <section>
      <div class="top">
        <h1>Fleet</h1>
        <button type="button" class="quiet" onClick={() => setEnrolling(true)}>
          Enrol a machine
        </button>
      </div>
      <Filters placeholder="Name or host" choices={statuses} all="All but revoked" />
      {isKnown && (
        <p class="note" role="status">
          {counted(shown.length, 'agent')}, {connected.toLocaleString()} connected
        </p>
      )}
      {refusal && <Refused refusal={refusal} byItself={refusal === uncounted} />}
      {!isKnown && !refusal && <Loading what="the fleet" />}
      {isKnown && shown.length === 0 && (
        <Empty title={agents.size === 0 ? 'No machine yet' : 'None like that'}>
          <p>
            {agents.size === 0
              ? 'Enrol one: you get a line to paste on it.'
              : 'Change what is looked for, or look at all of them.'}
          </p>
        </Empty>
      )}
      <Rows
        label="Agents"
        rows={shown}
        rowHeight={64}
        idOf={({ id }) => id}
        onSeen={(from, to) => setSeen({ first: from, last: to })}
        row={(agent) => (
          <div class="agent">
            <span class="who">
              <a class="what" href={`/actors/${agent.id}`}>
                {agent.name}
              </a>
              <span class="hint">
                {agent.hostname} · {agent.platform} {agent.arch}
              </span>
            </span>
            <span class="stands">
              <Lamp status={agent.connectionStatus} />
              <span class="hint">
                {agent.draining && 'drains, '}
                {agent.lastSeenAt ? <Moment at={agent.lastSeenAt} /> : 'never seen'}
              </span>
            </span>
            <WorkOf work={work.get(agent.id)} />
            <Clis clis={agent.clis} />
            <span class="do">
              {agent.connectionStatus !== 'REVOKED' && (
                <>
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`${agent.draining ? 'Take work' : 'Drain'}: ${agent.name}`}
                    onClick={() => setChanged({ agent, how: agent.draining ? 'activate' : 'drain' })}
                  >
                    {agent.draining ? 'Take work' : 'Drain'}
                  </button>
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`Revoke: ${agent.name}`}
                    onClick={() => setChanged({ agent, how: 'revoke' })}
                  >
                    Revoke
                  </button>
                </>
              )}
            </span>
          </div>
        )}
      />
      {enrolling && <Enrol close={() => setEnrolling(false)} />}
      {changed && <Change {...changed} close={() => setChanged(undefined)} />}
    </section>
  )
}

function WorkOf({ work }: { readonly work: Work | undefined }) {
  const first = work?.jobs.nodes[0]
  const others = (work?.jobs.totalCount ?? 0) - 1
  return (
    <span class="work">
      {first?.runId ? (
        <a href={`/runs/${first.runId}`}>{first.run?.title}</a>
      ) : first ? (
        <a href={`/actors/${first.id}`}>{nameWords(first.kind)}</a>
      ) : (
        <span class="hint">{work && 'idle'}</span>
      )}
      <span class="hint">
        {[
          others > 0 && `and ${others} more`,
          work?.vitals && `load ${work.vitals.load.toFixed(1)}, ${bytes(work.vitals.freeMemoryBytes)} free`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  )
}

function bytes(count: number): string {
  return count >= 1e9 ? `${(count / 1e9).toFixed(1)} GB` : `${Math.round(count / 1e6)} MB`
}

function Clis({ clis }: Pick<Agent, 'clis'>) {
  const ill = clis.filter(({ healthy }) => !healthy)
  if (clis.length === 0) return <span class="hint">no coding CLI</span>
  const words = clis.map(({ name, problem }) => (problem ? `${name}: ${problem}` : name)).join('\n')
  return (
    <span class={ill.length > 0 ? 'problem' : 'hint'} title={words}>
      {clis.length - ill.length} of {clis.length} CLIs work
    </span>
  )
}

const changes = {
  drain: {
    title: 'Drain',
    says: 'It takes no new runs. What runs on it goes on.',
    mutation:
      'mutation ($id: ID!, $reason: String) { drainAgent(input: { agentId: $id, drain: true, reason: $reason }) { agent { id } } }',
  },
  activate: {
    title: 'Take work again',
    says: 'It takes new runs again.',
    mutation:
      'mutation ($id: ID!, $reason: String) { drainAgent(input: { agentId: $id, drain: false, reason: $reason }) { agent { id } } }',
  },
  revoke: {
    title: 'Revoke',
    says: 'Its credential ends, what waits for it is canceled, and what runs on it is lost. It can’t be undone: the machine would have to enrol anew.',
    mutation:
      'mutation ($id: ID!, $reason: String) { revokeAgent(input: { agentId: $id, reason: $reason }) { agent { id } } }',
  },
} as const

function Change({ agent, how, close }: { readonly agent: Agent; readonly how: keyof typeof changes; close(): void }) {
  const { title, says, mutation } = changes[how]
  return (
    <Asking
      title={`${title}: ${agent.name}`}
      yes={title}
      close={close}
      doIt={async (given) => {
        await ask(mutation, { id: agent.id, reason: reasonIn(given) })
      }}
    >
      <p>{says}</p>
      <Reason />
    </Asking>
  )
}
