/** Stuck actors: since when, why, what each waits for, and the actions, for one or for several at once. */

import { useState } from 'preact/hooks'
import { useChanged } from '../data/useChanged.ts'
import { useList } from '../data/useList.ts'
import { counted } from '../parts/counted.ts'
import { Lamp } from '../parts/Lamp.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { Called } from './Called.tsx'
import { Many } from './Many.tsx'
import type { StuckActor } from './stuckActor.ts'

const query = `query ($after: String) { stuckActors(first: 100, after: $after) {
  totalCount pageInfo { hasNextPage endCursor }
  nodes { cause since waitsFor actor { id kind title status sequence } effects { id type attempts problem } }
} }`

const causes = {
  EFFECT_FAILED: 'Something that it wanted done has failed for good',
  OVERDUE: 'It is past its time',
  UNWATCHED: 'Nothing will ever move it',
} as const

/** No event is sent for an actor that only became overdue, or that is beyond what the Action Center reads. */
const everyMs = 15_000

export function Stuck({ changes }: { readonly changes: number }) {
  useTitle(['Stuck'])
  const list = useList<StuckActor>(query, 'stuckActors', {}, ({ actor }) => actor.id, { everyMs })
  const { nodes, totalCount, refusal, hasMore, more, refresh } = list
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // The selected actors stay until the user has read the results, even if they are no longer stuck.
  const [acting, setActing] = useState<readonly StuckActor[]>()
  // The Action Center sends an event if its stuck actors have changed.
  useChanged(changes, refresh)
  const selected = nodes?.filter(({ actor }) => chosen.has(actor.id)) ?? []
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  return (
    <section>
      <h1>Stuck</h1>
      <p class="lead">What stands still, and why. Choose one to see its chart, or several to act on all of them.</p>
      {refusal && <Refused refusal={refusal} byItself />}
      {nodes === undefined && !refusal && <Loading what="what stands still" />}
      {nodes?.length === 0 && (
        <Empty title="Nothing stands still">
          <p>What does appears here by itself, with what it waits for and what would move it.</p>
        </Empty>
      )}
      {nodes && nodes.length > 1 && (
        <label class="all">
          <input
            type="checkbox"
            checked={selected.length === nodes.length}
            onChange={({ currentTarget }) =>
              setChosen(new Set(currentTarget.checked ? nodes.map(({ actor }) => actor.id) : []))
            }
          />
          All {nodes.length}
        </label>
      )}
      <ul class="cards stuck">
        {nodes?.map(({ actor, cause, since, waitsFor, effects }) => (
          <li key={actor.id} data-severity={cause === 'EFFECT_FAILED' ? 'CRITICAL' : 'HIGH'}>
            <input
              type="checkbox"
              aria-label={`Choose ${actor.title ?? actor.id}`}
              checked={chosen.has(actor.id)}
              onChange={() => toggle(actor.id)}
            />
            <a class="what" href={`/actors/${actor.id}`}>
              <Called id={actor.id} title={actor.title} />
            </a>
            <Lamp status={actor.status} />
            <Moment at={since} />
            <p>{causes[cause]}.</p>
            {waitsFor.length > 0 && <p>Waits for {waitsFor.join(', and for ')}.</p>}
            {effects.map(({ id, type, attempts, problem }) => (
              <p key={id} class="problem">
                <code>{type}</code> failed {counted(attempts, 'time')}: {problem}
              </p>
            ))}
          </li>
        ))}
      </ul>
      {nodes && hasMore && (
        <p>
          <button type="button" class="quiet" onClick={more}>
            Show more of the {totalCount.toLocaleString()}
          </button>
        </p>
      )}
      {selected.length > 0 && acting === undefined && (
        <div class="many">
          <h2>{selected.length} chosen</h2>
          <button type="button" class="primary" onClick={() => setActing(selected)}>
            What can be done
          </button>
        </div>
      )}
      {acting && (
        <Many
          chosen={acting}
          close={() => {
            setActing(undefined)
            setChosen(new Set())
            refresh()
          }}
        />
      )}
    </section>
  )
}
