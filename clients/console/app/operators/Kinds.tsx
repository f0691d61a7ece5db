/** Every kind of lifecycle, with the number of actors in each status. */

import { useQuery } from '../data/useQuery.ts'
import { Lamp } from '../parts/Lamp.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Loading, Refused } from '../parts/Notice.tsx'
import { kindPath, kindWords } from '../parts/nameWords.ts'
import { useTitle } from '../parts/useTitle.ts'

interface Definition {
  readonly kind: string
  readonly version: number
  readonly states: readonly { readonly status: string; readonly count: number; readonly oldestAt: string }[]
}

const query = '{ machines { kind version firstSeenAt states { status count oldestAt } } }'

export function Kinds() {
  useTitle(['Lifecycles'])
  const { data, refusal } = useQuery<{ machines: readonly Definition[] }>(query, {}, { everyMs: 10_000 })
  const kinds = [...new Map((data?.machines ?? []).map((one) => [one.kind, one])).values()]
  const alive = kinds.filter(({ states }) => states.length > 0)
  const none = kinds.filter(({ states }) => states.length === 0)
  return (
    <section>
      <h1>Lifecycles</h1>
      <p class="lead">Everything with a life follows a statechart. Choose one to see where they stand.</p>
      {refusal && <Refused refusal={refusal} byItself />}
      {data === undefined && !refusal && <Loading what="the lifecycles" />}
      <ul class="kinds">
        {alive.map(({ kind, states }) => (
          <li key={kind}>
            <a class="what" href={kindPath(kind)}>
              {kindWords(kind)}
            </a>
            <ul class="counts">
              {states.map(({ status, count, oldestAt }) => (
                <li key={status}>
                  <Lamp status={status} /> <b>{count.toLocaleString()}</b>
                  <span class="hint">
                    oldest <Moment at={oldestAt} />
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {none.length > 0 && (
        <>
          <h2>None yet</h2>
          <ul class="sparse">
            {none.map(({ kind }) => (
              <li key={kind}>
                <a class="what" href={kindPath(kind)}>
                  {kindWords(kind)}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
