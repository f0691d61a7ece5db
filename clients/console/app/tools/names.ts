/** Names for the IDs in the audit: callers, presets, runs and servers. An ID without a name is shown unchanged. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { ask } from '../data/ask.ts'
import { useQuery } from '../data/useQuery.ts'

interface Named {
  readonly id: string
  readonly name: string
}

const listed = '{ mcpToolPresets { id name } mcpServers(first: 100) { nodes { id name } } }'

/** The maximum number of IDs in one query. */
const mostAtOnce = 50

/** @param ids of actors: users, API keys, agents, runs */
export function useNames(ids: readonly string[]): (id: string) => string {
  const { data } = useQuery<{ mcpToolPresets: readonly Named[]; mcpServers: { nodes: readonly Named[] } }>(listed)
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const asked = useRef(new Set<string>())
  const unknown = [...new Set(ids)].filter((id) => !asked.current.has(id)).slice(0, mostAtOnce)
  // Each ID is requested once. If that fails, the ID is shown.
  useEffect(() => {
    if (unknown.length === 0) return
    for (const id of unknown) asked.current.add(id)
    const fields = unknown.map((id, index) => `a${index}: actor(id: ${JSON.stringify(id)}) { id context init }`)
    ask<Readonly<Record<string, Actor | null>>>(`{ ${fields.join(' ')} }`).then(
      (actors) =>
        setNames((before) => {
          const found = Object.values(actors).flatMap((actor) => {
            const name = actor === null ? undefined : nameOf(actor)
            return actor === null || name === undefined ? [] : [[actor.id, name] as const]
          })
          return new Map([...before, ...found])
        }),
      () => {},
    )
  }, [unknown.join()])
  const others = new Map(
    [...(data?.mcpToolPresets ?? []), ...(data?.mcpServers.nodes ?? [])].map((one) => [one.id, one.name]),
  )
  return (id) => names.get(id) ?? others.get(id) ?? id
}

interface Actor {
  readonly id: string
  readonly context: Readonly<Record<string, unknown>>
  readonly init: Readonly<Record<string, unknown>>
}

function nameOf({ context, init }: Actor): string | undefined {
  const found = [context.name, init.name, context.title, init.title].find(
    (one) => typeof one === 'string' && one !== '',
  )
  return typeof found === 'string' ? found : undefined
}
