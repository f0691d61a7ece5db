/** Families of GraphQL documents that are as expensive to refuse as their form allows, from small ones up to the limit of 64 KiB. */

/** A little below the limit, so that a test can make each text its own. */
const largestText = 65_500

export interface WorstDocument {
  readonly what: string
  readonly text: string
}

type DocumentParts = string | { readonly head: string; readonly tail: string; one(n: number): string }

const list = (head: string, tail: string, one: (n: number) => string): DocumentParts => ({ head, tail, one })

const many = (count: number, one: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => one(n)).join(' ')

/** `count` times `one`, or as many as fit. */
function textOf(made: DocumentParts, count: number): string {
  if (typeof made === 'string') return made
  const { head, tail, one } = made
  let text = head
  for (let n = 0; n < count; n++) {
    const next = one(n)
    if (text.length + next.length + tail.length > largestText) break
    text += next
  }
  return text + tail
}

/** Some of the counts pass the bounds, some lie just below one, some are far beyond all. */
const fragmentCounts = [20, 50, 100, 190, 880]

const ofFragments: Readonly<Record<string, (count: number) => string>> = {
  'in a chain': (count) =>
    `{ ...F0 } ${many(count, (n) => `fragment F${n} on Query { health ...F${n + 1} }`)} fragment F${count} on Query { health }`,
  'in a chain, each with a field of its own': (count) =>
    `{ ...F0 } ${many(count, (n) => `fragment F${n} on Query { a${n}: health ...F${n + 1} }`)} fragment F${count} on Query { health }`,
  'in a chain without an operation': (count) =>
    `${many(count, (n) => `fragment F${n} on Query { health ...F${n + 1} }`)} fragment F${count} on Query { health }`,
  'in one place': (count) =>
    `{ ${many(count, (n) => `...F${n}`)} } ${many(count, (n) => `fragment F${n} on Query { a: health b: health }`)}`,
  'in a cycle': (count) =>
    `{ ...F0 } ${many(count, (n) => `fragment F${n} on Query { ...F${(n + 1) % count} ...F${(n + count - 1) % count} }`)}`,
  'that spread themselves in a field': (count) =>
    `{ agents { ...F0 } } ${many(count, (n) => `fragment F${n} on Agent { codebases { nodes { agent { ...F${n} ...F${(n + 1) % count} } } } }`)}`,
  'that nest in fields': (count) =>
    `{ agents { ...F0 } } ${many(count, (n) => `fragment F${n} on Agent { id codebases { nodes { agent { ...F${n + 1} } } } }`)} fragment F${count} on Agent { id }`,
  'of two equal fields in a chain': (count) =>
    `{ viewer { ...F0 } } ${many(count, (n) => `fragment F${n} on Viewer { a: id a: id ...F${n + 1} }`)} fragment F${count} on Viewer { id }`,
  'each spread in each before it': (count) => {
    const most = Math.min(count, 60)
    const spreads = (n: number) => many(most - n - 1, (m) => `...F${n + m + 1}`)
    return `{ ...F0 } ${many(most, (n) => `fragment F${n} on Query { health ${spreads(n)} }`)}`
  },
}

const counts = [100, 200, 300, 450, 1_000, 30_000]

const input = 'createAgentRun(input:'
const ofParts: Readonly<Record<string, DocumentParts>> = {
  'equal fields': list('{', '}', () => 'health '),
  'equal fields with fields': list('{', '}', () => 'viewer{id} '),
  'equal aliases': list('{', '}', () => 'a:viewer{id} '),
  'equal aliases of two fields': list('{', '}', (n) => (n % 2 ? 'a:viewer{id} ' : 'a:agents{id} ')),
  'equal fields with arguments': list('{', '}', () => 'node(id:"x"){id} '),
  'equal fields whose arguments differ': list('{', '}', (n) => `node(id:"${n}"){id} `),
  'equal lists with a fragment': list('{', '} fragment F on Agent{id name}', () => 'agents{...F} '),
  aliases: list('{', '}', (n) => `a${n}:health `),
  'spreads of one fragment': list('{', '} fragment F on Query { health }', () => '...F '),
  'inline fragments': list('{', '}', () => '...{health}'),
  'inline fragments on one type': list('{agents{', '}}', () => '...on Agent{id}'),
  'inline fragments on unknown types': list('{', '}', (n) => `...on Agen${n}{id}`),
  'directives on one field': list('{health ', '}', () => '@include(if:true)'),
  'directives on fields': list('{', '}', (n) => `a${n}:health @include(if:true)`),
  'unknown directives': list('{health ', '}', () => '@x'),
  'unknown fields': list('{', '}', (n) => `healt${n} `),
  'unknown arguments': list('{agents(', '){id}}', (n) => `fi${n}:1 `),
  variables: list('query(', '){health}', (n) => `$v${n}:Int `),
  'variables of unknown types': list('query(', '){health}', (n) => `$v${n}:Agen${n} `),
  'variables of deep types': list('query(', '){health}', (n) => `$v${n}:[[[[[[[[ID]]]]]]]] `),
  'uses of a variable': list('query($v:ID!){', '}', (n) => `a${n}:node(id:$v){id} `),
  'uses of a variable in a list': list('query($v:ID!){agents(ids:[', ']){id}}', () => '$v '),
  'uses of a variable of a wrong type': list('query($v:[[Int]]){', '}', (n) => `a${n}:node(id:$v){id} `),
  'uses of a variable of a very deep type': list(
    `query($v:${'['.repeat(1_000)}ID${']'.repeat(1_000)}){`,
    '}',
    () => 'node(id:$v){id}',
  ),
  'undefined variables': list('{', '}', (n) => `node(id:$v${n}){id} `),
  operations: list('', '', (n) => `query q${n}{health} `),
  'operations of one name': list('', '', () => 'query q{health} '),
  'anonymous operations': list('', '', () => '{health} '),
  'operations with one chain of fragments': list(
    '',
    `${many(150, (n) => `fragment F${n} on Query{...F${n + 1}}`)} fragment F150 on Query{health}`,
    (n) => `query q${n}{...F0} `,
  ),
  'operations with one list of variables': list(
    '',
    ` fragment F on Query { agents(ids:[${many(900, () => '$v')}]) { id } }`,
    (n) => `query q${n}($v:ID!){...F} `,
  ),
  'subscriptions with one fragment of fields': list(
    '',
    ` fragment F on Subscription { ${many(300, (n) => `a${n}:__typename`)} }`,
    (n) => `subscription q${n}{...F} `,
  ),
  'values in a list': list('{runs(first:[', ']){totalCount}}', () => '1 '),
  'wrong enum values': list('{runs(statuses:[', ']){totalCount}}', () => 'QUEUE '),
  'fields in an input object': list(`mutation{${input}{`, '}){__typename}}', (n) => `a${n}:1 `),
  'equal fields in an input object': list(`mutation{${input}{`, '}){__typename}}', () => 'a:1 '),
  'incomplete input objects': list('mutation{', '}', (n) => `m${n}:${input}{}){__typename} `),
  'uses of __type': list('{', '}', (n) => `a${n}:__type(name:"Run"){fields{type{name}}} `),
  'connections with one fragment': list(
    '{',
    `} fragment F on Agent { ${many(300, (n) => `a${n}:id`)} }`,
    (n) => `a${n}:agentConnection(first:${(n % 100) + 1}){nodes{...F}} `,
  ),
  'connections with one fragment of lists': list(
    '{',
    `} fragment F on Agent { ${many(100, (n) => `a${n}:codebases{totalCount}`)} }`,
    (n) => `a${n}:agentConnection(first:${(n % 100) + 1}){nodes{...F}} `,
  ),
}

const depths = [14, 40, 1_500, 3_000]

const nested = (open: string, depth: number, inside: string, close: string): string =>
  open.repeat(depth) + inside + close.repeat(depth)

const ofLevels: Readonly<Record<string, (depth: number) => string>> = {
  fields: (depth) => `{agents{${nested('codebases{nodes{agent{', depth / 3, 'id', '}}}')}}}`,
  'two equal fields': (depth) => {
    const one = `agents{${nested('codebases{nodes{agent{', depth / 3, 'id', '}}}')}}`
    return `{${one} ${one}}`
  },
  'introspection fields': (depth) => `{__schema{types{${nested('fields{type{', depth / 2, 'name', '}}')}}}}`,
  'inline fragments': (depth) => `{${nested('...{', depth, 'health', '}')}}`,
  lists: (depth) => `{runs(statuses:${nested('[', depth, '', ']')}){totalCount}}`,
  objects: (depth) => `mutation{${input}${nested('{a:', depth, '1', '}')}){__typename}}`,
}

function pairs(depth: number): string {
  return depth === 0
    ? 'id'
    : `codebases{nodes{agent{${pairs(depth - 1)}}}} codebases{nodes{agent{${pairs(depth - 1)}}}}`
}

/** How often a piece fits into the largest text, together with the surrounding text. */
const fits = (piece: string): number => Math.floor((largestText - 100) / Buffer.byteLength(piece))

const single: Readonly<Record<string, DocumentParts>> = {
  'a fragment that unfolds to millions of fields': `{ agents { ...F0 } } ${many(12, (n) => `fragment F${n} on Agent { ${many(4, (m) => `a${m}: codebases { nodes { agent { ...F${n + 1} } } }`)} }`)} fragment F12 on Agent { id }`,
  'equal fields in pairs, 10 levels': `{agents{${pairs(10)}}}`,
  'a long string': `{node(id:"${'x'.repeat(fits('x'))}"){id}}`,
  'a string of escapes': `{node(id:"${'\\n'.repeat(fits('\\n'))}"){id}}`,
  'a string of code points': `{node(id:"${'\\u{1F600}'.repeat(fits('\\u{1F600}'))}"){id}}`,
  'a string of wide characters': `{node(id:"${'\u{1F600}'.repeat(fits('\u{1F600}'))}"){id}}`,
  'a block string of many lines': `{node(id:"""${'\n x'.repeat(fits('\n x'))}"""){id}}`,
  'block strings': list('{', '}', () => 'node(id:"""\n\n\n\n"""){id}'),
  'a long name': `{${'x'.repeat(fits('x'))}}`,
  'long names': list('{', '}', (n) => `${'x'.repeat(40)}${n} `),
  'a long number': `{node(id:${'1'.repeat(fits('1'))}){id}}`,
  comments: list('{health', '}', () => '#\n'),
  commas: list('{health', '}', () => ','),
  'line ends': list('{health', '}', () => '\n'),
  'a mistake at the end': list('{', '', () => 'health '),
  'a mistake on the last of many lines': list('{', '', () => 'health\n'),
}

export function worstDocuments(): readonly WorstDocument[] {
  const fragments = Object.entries(ofFragments).flatMap(([what, text]) =>
    fragmentCounts.map((count) => ({ what: `${count} fragments ${what}`, text: text(count) })),
  )
  const parts = Object.entries(ofParts).flatMap(([what, made]) =>
    counts.map((count) => ({ what: `${count} ${what}`, text: textOf(made, count) })),
  )
  const levels = Object.entries(ofLevels).flatMap(([what, text]) =>
    depths.map((depth) => ({ what: `${depth} levels of ${what}`, text: text(depth) })),
  )
  const rest = Object.entries(single).map(([what, made]) => ({ what, text: textOf(made, Number.POSITIVE_INFINITY) }))
  return [...fragments, ...parts, ...levels, ...rest].filter(({ text }) => Buffer.byteLength(text) <= largestText)
}
