/** Preset documents of people, scripts and accidents, with the decisions on them and the installation that imports them. */
import fc from 'fast-check'

export interface World {
  /** The presets that exist before the import. */
  readonly present: readonly PresetShape[]
  readonly document: string
  /** Undefined if a random document may be valid or invalid. */
  readonly valid: boolean | undefined
  readonly decisions: readonly DecisionShape[]
  readonly mappings: readonly { readonly serverKey: string; readonly server: number }[]
  /** A change between the preview and the import. */
  readonly meanwhile: Meanwhile
}

export type ToolShape =
  | { readonly source: 'BUILTIN'; readonly name: string }
  | { readonly source: 'EXTERNAL'; readonly serverKey: string; readonly name: string }

export interface PresetShape {
  readonly name: string
  readonly kind: 'PLAN' | 'SESSION'
  readonly tools: readonly ToolShape[]
}

export interface DecisionShape {
  readonly index: number
  readonly action: 'CREATE' | 'REPLACE' | 'SKIP'
  readonly name?: string
  /** The index of an existing preset. A greater number is a missing one. */
  readonly target?: number
}

export type Meanwhile = 'nothing' | 'rename' | 'delete' | 'add' | 'change of tools' | 'loss of a server'

/** By number: two servers that answer, one that cannot be reached, one that does not exist. */
export const serverTools: readonly (readonly string[] | 'UNREACHABLE' | 'NOT_FOUND')[] = [
  ['t1', 't2', 't3'],
  ['t2', 't3', 't4'],
  'UNREACHABLE',
  'NOT_FOUND',
]
const keys = ['alpha', 'beta', 'server-1']

const kind = fc.constantFrom('PLAN' as const, 'SESSION' as const)
const anyName = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((text) => text.trim())
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name is one line without control characters
  .filter((text) => text !== '' && !/[\u0000-\u001f\u007f\ud800-\udfff]/u.test(text))
const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('a', 'A', 'b', 'c', 'd', 'e', 'ä') }, anyName)

const unique = { selector: (tool: ToolShape) => JSON.stringify(tool), maxLength: 5 }

/** @param known names of built-in tools */
function toolsOf(known: readonly string[], sound: boolean): fc.Arbitrary<ToolShape[]> {
  const builtin = fc.record({
    source: fc.constant('BUILTIN' as const),
    name: sound ? fc.constantFrom(...known) : fc.constantFrom(...known, 'no_such_tool'),
  })
  const external = fc.record({
    source: fc.constant('EXTERNAL' as const),
    serverKey: fc.constantFrom(...keys),
    name: sound ? fc.constantFrom('t2', 't3') : fc.constantFrom('t1', 't2', 't3', 't4', 't5'),
  })
  return fc.uniqueArray(fc.oneof(builtin, external), unique)
}

const presetOf = (known: readonly string[], sound: boolean): fc.Arbitrary<PresetShape> =>
  fc.record({ name, kind, tools: toolsOf(known, sound) })

const sameName = ({ kind, name }: PresetShape): string => `${kind} ${name.normalize('NFKC').toLowerCase()}`

const present = (known: readonly string[]) =>
  fc.uniqueArray(
    presetOf(known, true).map((preset) => ({
      ...preset,
      tools: preset.tools.filter(({ source }) => source === 'BUILTIN'),
    })),
    { selector: sameName, maxLength: 4 },
  )

const written = (presets: readonly unknown[], more: Record<string, unknown> = {}): string =>
  JSON.stringify({ format: 'svc.mcp-presets.export', schemaVersion: 1, presets, ...more })

/** Each creates a document that no server may accept. */
const damages: readonly ((presets: readonly PresetShape[]) => string)[] = [
  (presets) => written(presets).slice(0, -1),
  (presets) => written(presets, { format: 'svc.mcp-presets' }),
  (presets) => written(presets, { schemaVersion: 2 }),
  (presets) => written(presets, { schemaVersion: '1' }),
  (presets) => written(presets, { extra: true }),
  (presets) => written([...presets, null]),
  (presets) => written([...presets, {}]),
  (presets) => written([...presets, { name: '', kind: 'PLAN', tools: [] }]),
  (presets) => written([...presets, { name: ' x', kind: 'PLAN', tools: [] }]),
  (presets) => written([...presets, { name: 'x\u0000', kind: 'PLAN', tools: [] }]),
  (presets) => written([...presets, { name: '\ud800', kind: 'PLAN', tools: [] }]),
  (presets) => written([...presets, { name: 'x', kind: 'BOTH', tools: [] }]),
  (presets) => written([...presets, { name: 'x', kind: 'PLAN', tools: {} }]),
  (presets) => written([...presets, { name: 'x', kind: 'PLAN', tools: [], id: 'mtp_1' }]),
  (presets) => written([...presets, { name: 'x', kind: 'PLAN', tools: ['get_agents'] }]),
  (presets) => written([...presets, { name: 'x', kind: 'PLAN', tools: [{ source: 'EXTERNAL', name: 't1' }] }]),
  (presets) =>
    written([
      ...presets,
      { name: 'x', kind: 'PLAN', tools: [{ source: 'EXTERNAL', name: 't1', serverKey: 'a', serverId: 'mcs_1' }] },
    ]),
  (presets) =>
    written([
      ...presets,
      { name: 'x', kind: 'PLAN', tools: [1, 2].map(() => ({ source: 'BUILTIN', name: 'get_agents' })) },
    ]),
  () => written(Array.from({ length: 101 }, (_, n) => ({ name: `n${n}`, kind: 'PLAN', tools: [] }))),
  (presets) => written(presets).padEnd(2 * 1024 * 1024 + 1),
  (presets) => `[${written(presets)}]`,
  () => '',
  () => 'null',
]

const decision: fc.Arbitrary<DecisionShape> = fc.record(
  {
    index: fc.nat(6),
    action: fc.constantFrom('CREATE' as const, 'REPLACE' as const, 'REPLACE' as const, 'SKIP' as const),
    name,
    target: fc.nat(4),
  },
  { requiredKeys: ['index', 'action'] },
)
const mapping = fc.record({ serverKey: fc.constantFrom(...keys, 'unknown'), server: fc.nat(3) })
const meanwhile: fc.Arbitrary<Meanwhile> = fc.oneof(
  { weight: 2, arbitrary: fc.constant('nothing' as const) },
  { weight: 3, arbitrary: fc.constantFrom('rename', 'delete', 'add', 'change of tools', 'loss of a server') },
)

/** Valid in all parts: names that are free, tools that exist, every key mapped to a server of its own. */
function sound(known: readonly string[]): fc.Arbitrary<World> {
  return fc
    .record({
      present: present(known),
      presets: fc.uniqueArray(presetOf(known, true), { selector: sameName, maxLength: 6 }),
      replaces: fc.array(fc.boolean(), { maxLength: 6 }),
      meanwhile,
    })
    .map(({ present, presets, replaces, meanwhile }) => {
      const taken = new Set(present.map(sameName))
      const decisions = presets.flatMap((preset, index): DecisionShape[] => {
        if (!taken.has(sameName(preset))) return []
        const target = present.findIndex((one) => sameName(one) === sameName(preset))
        return [replaces[index] ? { index, action: 'REPLACE', target } : { index, action: 'SKIP' }]
      })
      const used = new Set(
        presets.flatMap(({ tools }) => tools.flatMap((tool) => ('serverKey' in tool ? tool.serverKey : []))),
      )
      // Both have t2 and t3. A third key is mapped to a third server, which has them too.
      const mappings = [...used].map((serverKey, index) => ({ serverKey, server: [0, 1, 4][index] ?? 0 }))
      return { present, document: written(presets), valid: true, decisions, mappings, meanwhile }
    })
}

function damaged(known: readonly string[]): fc.Arbitrary<World> {
  return fc.record({ world: sound(known), damage: fc.constantFrom(...damages) }).map(({ world, damage }) => ({
    ...world,
    document: damage((JSON.parse(world.document) as { presets: PresetShape[] }).presets),
    valid: false,
  }))
}

function byChance(known: readonly string[]): fc.Arbitrary<World> {
  return fc
    .record({
      present: present(known),
      presets: fc.array(presetOf(known, false), { maxLength: 6 }),
      decisions: fc.array(decision, { maxLength: 4 }),
      mappings: fc.uniqueArray(mapping, { selector: ({ serverKey }) => serverKey, maxLength: 4 }),
      meanwhile,
    })
    .map(({ presets, ...rest }) => ({ ...rest, document: written(presets), valid: undefined }))
}

/** Any text instead of a document, and any JSON. */
function anything(): fc.Arbitrary<World> {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.json())
  return text.map((document) => ({
    present: [],
    document,
    valid: false,
    decisions: [],
    mappings: [],
    meanwhile: 'nothing',
  }))
}

export const worlds = (known: readonly string[]): fc.Arbitrary<World> =>
  fc.oneof(
    { weight: 4, arbitrary: sound(known) },
    { weight: 4, arbitrary: byChance(known) },
    { weight: 2, arbitrary: damaged(known) },
    { weight: 1, arbitrary: anything() },
  )
