import type { ActorKind } from '../../../spec/core/ids.ts'
import { kindName } from '../../../spec/core/kinds.ts'
import { defaultFirst, globalSearch, searchableKinds } from '../../../spec/search/globalSearch.ts'
import { searchMatches } from '../../../spec/search/searchMatches.ts'
import type { SearchHit, SearchQuery } from '../../../storage/ports/views.ts'
import { searchDocuments } from '../../../storage/search/match.ts'
import { handle } from '../handler.ts'
import { loadPresets } from '../tools/presets/catalog.ts'
import type { TypedViews } from '../typedViews.ts'

/** Presets are members of one actor, and few. */
async function searchPresets(asked: SearchQuery, views: TypedViews): Promise<readonly SearchHit[]> {
  if (asked.kinds !== undefined && !asked.kinds.includes('mcpToolPreset')) return []
  const presets = await loadPresets(views)
  const documents = presets.map(({ id: presetId, name, kind, tools }) => {
    return [presetId, { title: name, text: [kind, ...tools.map((tool) => tool.name)].join(' ') }] as const
  })
  return searchDocuments(documents, { ...asked, kinds: ['mcpToolPreset'] })
}

/** Ranks actors and presets together by the kind of match: similar titles count only if there are too few better results. */
function bestFirst(hits: readonly SearchHit[]): readonly SearchHit[] {
  const place = ({ match }: SearchHit) => searchMatches.indexOf(match)
  return hits.toSorted((a, b) => place(a) - place(b))
}

function isSearched(kind: ActorKind): kind is (typeof searchableKinds)[number] {
  return (searchableKinds as readonly ActorKind[]).includes(kind)
}

export const globalSearchHandlers = [
  handle(globalSearch, ['views'], {
    read: async ({ text: asked, kinds, first }, { views }) => {
      const limit = first ?? defaultFirst
      const query = { text: asked, ...(kinds ? { kinds } : {}), limit: limit + 1 }
      const [actors, presets] = await Promise.all([views.search(query), searchPresets(query, views)])
      const found = bestFirst([...actors, ...presets])
      const rows = await views.findMany(actors.map((one) => one.id))
      const hits = found.slice(0, limit).flatMap(({ kind, id: foundId, title, excerpt, match }) => {
        const status = kind === 'mcpToolPreset' ? 'ACTIVE' : rows.get(foundId)?.columns.status
        // Of another version of the program, which searched for more.
        if (!isSearched(kind) || status === undefined) return []
        return [{ kind: kindName(kind), id: foundId, title, excerpt: excerpt ?? null, status, match }]
      })
      return { hits, hasMore: found.length > limit }
    },
  }),
]
