/** Full-text search over all objects. */
import * as v from 'valibot'
import { type ActorKind, type KindName, kindName, kindWords, searchedKinds } from '../core/kinds.ts'
import { query } from '../core/operation.ts'
import { id, int, named, text } from '../core/types.ts'
import { searchMatches } from './searchMatches.ts'

/** Presets are searchable too. They are members of one actor. */
export const searchableKinds = [...searchedKinds, 'mcpToolPreset'] as const satisfies readonly ActorKind[]

export type SearchableKind = (typeof searchableKinds)[number]

const searchKindName = named(
  'SearchKind',
  'A kind of object that search finds.',
  v.picklist(searchableKinds.map(kindName)),
)

const kindByName = new Map<KindName<SearchableKind>, SearchableKind>(
  searchableKinds.map((kind) => [kindName(kind), kind]),
)

/** A kind in an input. */
const searchKind = v.pipe(
  searchKindName,
  v.transform((name) => kindByName.get(name) as SearchableKind),
)

const hit = named(
  'SearchHit',
  'A search result.',
  v.object({
    kind: searchKindName,
    id,
    title: v.string(),
    excerpt: v.pipe(
      v.nullable(v.string()),
      v.description('Further words that identify the object: a path, a host, a number.'),
    ),
    status: v.pipe(v.string(), v.description('The current status of the object.')),
    match: named(
      'SearchMatch',
      'The kind of match, the most certain first. ID: the ID matches, or that of the object’s job or queue. TITLE: the whole ' +
        'title matches. WORDS: the object has all words. SIMILAR: only the title is similar.',
      v.picklist(searchMatches),
    ),
  }),
)

const result = named(
  'SearchResult',
  'The search results.',
  v.object({
    hits: v.pipe(v.array(hit), v.description('The results, the best first. Of equal results the newest comes first.')),
    hasMore: v.pipe(
      v.boolean(),
      v.description('Whether there are more results than `first`. Raise `first`, or give more words.'),
    ),
  }),
)

const searchedWords = searchableKinds.map(kindWords).join(', ')

const textMax = 200
export const defaultFirst = 20

export const globalSearch = query({
  name: 'globalSearch',
  description: `Finds objects by name, title, path, branch, host, number, UUID or ID. It searches these kinds: ${searchedWords}.`,
  access: 'people',
  cost: 50,
  tool: {
    group: 'discovery',
    title: 'Search all objects',
    description:
      `Finds objects by a name or a part of one. It searches these kinds: ${searchedWords}. ` +
      'Use it first if you have a name and need an ID. An object must have all words. ' +
      'The last word can be incomplete, parts of paths and identifiers count as words, and ' +
      'an ID finds its object. Fewer words find more. If `match` is SIMILAR, no object has the words: check that the result is ' +
      'the intended object. Continue with the tool for that kind, such as `get_run` or `get_codebase`, and the `id`.',
  },
  input: v.object({
    text: v.pipe(
      text({ min: 1, max: textMax }),
      v.check((value) => value.trim() !== '', 'must not be only spaces'),
      v.description('A name, some words or an ID. Only the first 12 words are used.'),
    ),
    kinds: v.pipe(
      v.nullish(v.pipe(v.array(searchKind), v.minLength(1), v.maxLength(searchableKinds.length))),
      v.description('Returns only objects of these kinds. Default: all kinds.'),
    ),
    first: v.pipe(
      v.nullish(v.pipe(int, v.minValue(1), v.maxValue(100))),
      v.description(`The maximum number of results, 1 to 100. Default: ${defaultFirst}.`),
    ),
  }),
  output: result,
})
