/** The Action Center: items that wait for a person, the most severe first. */

import { useChanged } from '../data/useChanged.ts'
import { useQuery } from '../data/useQuery.ts'
import { Moment } from '../parts/Moment.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { hrefOf } from '../router.ts'

interface Item {
  readonly kind: string
  readonly severity: 'CRITICAL' | 'HIGH' | 'NORMAL'
  readonly title: string
  readonly detail: string | null
  readonly since: string
  readonly actorId: string
  readonly actions: readonly { readonly title: string }[]
}

const query = `{ actionCenter(first: 100) { totalCount more items {
  kind severity title detail since actorId actions { title }
} } }`

const reasons: Readonly<Record<string, string>> = {
  ACTOR_INCIDENT: 'Incident',
  AGENT_LOST: 'Agent lost',
  RUN_WAITING_FOR_INPUT: 'Asks',
  ACTOR_STUCK: 'Stands still',
  RUN_FAILED: 'Failed',
  PLAN_READY: 'Ready to be played',
}

const headings = { CRITICAL: 'Held up', HIGH: 'Waiting', NORMAL: 'To look at' } as const

export function Home({ changes }: { readonly changes: number }) {
  useTitle(['Waiting for you'])
  const { data, refusal, refresh } = useQuery<{
    actionCenter: { items: readonly Item[]; totalCount: number; more: boolean }
  }>(query, {}, { everyMs: 15_000 })
  useChanged(changes, refresh)
  const items = data?.actionCenter.items
  return (
    <section>
      <h1>Waiting for you</h1>
      {refusal && <Refused refusal={refusal} byItself />}
      {items === undefined && !refusal && <Loading what="what waits" />}
      {items?.length === 0 && (
        <Empty title="All clear">
          <p>Nothing waits for a person. What comes up appears here by itself.</p>
        </Empty>
      )}
      {(['CRITICAL', 'HIGH', 'NORMAL'] as const).map((severity) => {
        const own = items?.filter((item) => item.severity === severity) ?? []
        return own.length === 0 ? null : (
          <section key={severity} class="group" aria-labelledby={severity}>
            <h2 id={severity}>
              {headings[severity]} <span class="count">{own.length}</span>
            </h2>
            <ul class="cards">
              {own.map((item) => (
                <li key={`${item.kind} ${item.actorId}`} data-severity={severity}>
                  <span>
                    <span class="reason">{reasons[item.kind] ?? item.kind}</span>{' '}
                    <a class="what" href={hrefOf(item.actorId)}>
                      {item.title}
                    </a>
                  </span>
                  <Moment at={item.since} />
                  {item.detail && <p>{item.detail}</p>}
                  {item.actions[0] && <p class="hint">{item.actions[0].title}</p>}
                </li>
              ))}
            </ul>
          </section>
        )
      })}
      {data?.actionCenter.more && (
        <p class="hint">There is more than is shown: {data.actionCenter.totalCount} in all.</p>
      )}
    </section>
  )
}
