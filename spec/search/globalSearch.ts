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
  'Something that was found.',
  v.object({
    kind: searchKindName,
    id,
    title: v.string(),
    excerpt: v.pipe(v.nullable(v.string()), v.description('What else it is known by: a path, a host, a number.')),
    status: v.pipe(v.string(), v.description('How it stands now, in its own kind’s words.')),
    match: named(
      'SearchMatch',
      'How it was found, the surest first. ID: by its ID, or that of its job or queue. TITLE: by its whole title. WORDS: it has all the words. SIMILAR: its title is only similar.',
      v.picklist(searchMatches),
    ),
  }),
)

const result = named(
  'SearchResult',
  'What was found.',
  v.object({
    hits: v.pipe(v.array(hit), v.description('The best first; of equally good ones the newest.')),
    hasMore: v.pipe(v.boolean(), v.description('There is more than was asked for: ask for more, or name more words.')),
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
    title: 'Search everything',
    description:
      `Finds anything of which you know a name or a part of one. It searches these kinds: ${searchedWords}. ` +
      'Use it first whenever you were given a name and need an ID. All words must be there; the last one may be ' +
      'unfinished; parts of paths and identifiers count as words; an ID finds what it names. Few words find more than many. ' +
      'Where `match` is SIMILAR nothing has those words: make sure that it is what was meant. ' +
      'Go on with the tool that gets one of that kind, as `get_run` or `get_codebase`, and the `id`.',
  },
  input: v.object({
    text: v.pipe(
      text({ min: 1, max: textMax }),
      v.check((value) => value.trim() !== '', 'must have more than spaces'),
      v.description('A name, some words or an ID, as a person would write it; the first 12 words count.'),
    ),
    kinds: v.pipe(
      v.nullish(v.pipe(v.array(searchKind), v.minLength(1), v.maxLength(searchableKinds.length))),
      v.description('Only these kinds; all where omitted.'),
    ),
    first: v.pipe(
      v.nullish(v.pipe(int, v.minValue(1), v.maxValue(100))),
      v.description(`At most so many, 1 to 100. Default: ${defaultFirst}.`),
    ),
  }),
  output: result,
})
