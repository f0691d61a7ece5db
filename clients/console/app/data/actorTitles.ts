/** The titles of actors by their IDs: the names of users and keys, and what else did something. */
import { createDocument } from './graphql.ts'
import { requestGraphql } from './request.ts'
import { useAsyncData } from './useQuery.ts'

/** Returns whether a text is the ID of an actor, and not a name like `system`. */
export function isActorId(text: string): boolean {
  return /^[a-z]{2,4}_[0-9a-z]{26}$/.test(text)
}

/** No query returns several actors by their IDs, so the document has a field for each. */
export async function readActorTitles(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const fields = ids.map((id, index) => `a${index}: actor(id: ${JSON.stringify(id)}) { id title }`)
  const document = createDocument<Readonly<Record<string, { id: string; title: string | null } | null>>>(
    `{ ${fields.join(' ')} }`,
    [],
  )
  const actors = Object.values(await requestGraphql(document, {}))
  return new Map(actors.flatMap((actor) => (actor?.title ? [[actor.id, actor.title] as const] : [])))
}

/** Returns the title of an actor. Returns its ID until the title is known, and if it has none. */
export function useActorTitle(id: string): string {
  const { data } = useAsyncData(`title of ${id}`, () => readActorTitles(isActorId(id) ? [id] : []))
  return data?.get(id) ?? id
}
