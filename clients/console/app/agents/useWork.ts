/** The jobs and the machine load of the visible agents. They change with each heartbeat, so only visible agents are queried. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useQuery } from '../data/useQuery.ts'

export interface Work {
  readonly id: string
  readonly vitals: { readonly load: number; readonly freeMemoryBytes: number } | null
  /** The oldest of its jobs. */
  readonly jobs: {
    readonly totalCount: number
    readonly nodes: readonly {
      readonly id: string
      readonly kind: string
      readonly runId: string | null
      readonly run: { readonly title: string } | null
    }[]
  }
}

const query = `query ($ids: [ID!]!) { agents(ids: $ids) {
  id vitals { load freeMemoryBytes } jobs(first: 1) { totalCount nodes { id kind runId run { title } } }
} }`

/** As often as agents beat. */
const everyMs = 15_000
/** Milliseconds that an agent must stay visible before it is queried. */
const restMs = 200
/** The API answers for so many at once. */
const most = 100

/** By ID; what is known of others stays, for when they are seen again. */
export function useWork(ids: readonly string[]): ReadonlyMap<string, Work> {
  const known = useRef(new Map<string, Work>())
  const seen = ids.slice(0, most).join(' ')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const rest = setTimeout(() => setAsked(seen), restMs)
    return () => clearTimeout(rest)
  }, [seen])
  const { data } = useQuery<{ agents: readonly Work[] }>(
    query,
    { ids: asked === '' ? [] : asked.split(' ') },
    { everyMs },
  )
  for (const work of data?.agents ?? []) known.current.set(work.id, work)
  return known.current
}
