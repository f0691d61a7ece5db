/** Names for the IDs in the audit: callers, presets, runs and servers. An ID without a name is shown unchanged. */
import { createStore } from '@xstate/store'
import { useEffect, useRef } from 'preact/hooks'
import { createDocument, graphql, type ResultOf } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useQuery } from '../data/useQuery.ts'
import { useLocalStore } from '../state/useLocalStore.ts'

const namesQuery = graphql('{ mcpToolPresets { id name } mcpServers(first: 100) { nodes { id name } } }')
const actorFragment = graphql('fragment NamedActorFields on Actor { id context init }')

type Actor = ResultOf<typeof actorFragment>

/** The maximum number of IDs in one query. */
const maxAtOnce = 50

/** @param ids of actors: users, API keys, agents, runs */
export function useActorNames(ids: readonly string[]): (id: string) => string {
  const { data } = useQuery(namesQuery, {})
  const [{ names }, { trigger }] = useLocalStore(createNamesStore)
  const requested = useRef(new Set<string>())
  const unknown = [...new Set(ids)].filter((id) => !requested.current.has(id)).slice(0, maxAtOnce)
  // Each ID is requested once. If that fails, the ID is shown.
  useEffect(() => {
    if (unknown.length === 0) return
    for (const id of unknown) requested.current.add(id)
    requestGraphql(createActorsQuery(unknown), {}).then(
      (actors) =>
        trigger.found({
          names: Object.values(actors).flatMap((actor) => {
            const name = actor === null ? undefined : readName(actor)
            return actor === null || name === undefined ? [] : [[actor.id, name] as const]
          }),
        }),
      () => {},
    )
  }, [unknown.join()])
  const others = new Map(
    [...(data?.mcpToolPresets ?? []), ...(data?.mcpServers.nodes ?? [])].map(({ id, name }) => [id, name]),
  )
  return (id) => names.get(id) ?? others.get(id) ?? id
}

interface NamesContext {
  /** By ID. */
  readonly names: ReadonlyMap<string, string>
}

const noNames: NamesContext = { names: new Map() }

function createNamesStore() {
  return createStore({
    context: noNames,
    on: {
      found: (context, { names }: { names: readonly (readonly [id: string, name: string])[] }): NamesContext => ({
        names: new Map([...context.names, ...names]),
      }),
    },
  })
}

/** No query returns several actors by their IDs, so the document has a field for each. */
function createActorsQuery(ids: readonly string[]) {
  const fields = ids.map((id, index) => `a${index}: actor(id: ${JSON.stringify(id)}) { ...NamedActorFields }`)
  return createDocument<Readonly<Record<string, Actor | null>>>(`{ ${fields.join(' ')} }`, [actorFragment])
}

function readName(actor: Actor): string | undefined {
  const context = actor.context as Readonly<Record<string, unknown>>
  const init = actor.init as Readonly<Record<string, unknown>>
  const found = [context.name, init.name, context.title, init.title].find(
    (value) => typeof value === 'string' && value !== '',
  )
  return typeof found === 'string' ? found : undefined
}
