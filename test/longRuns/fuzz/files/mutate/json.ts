/** Changes of the values of JSON. The result may be no JSON, and may have keys twice. */
import type { Random } from '../../../soak/random.ts'
import { hostileJsonNumber, hostileText, inheritedKeys } from './hostile.ts'
import { mutateText } from './text.ts'

/** A value whose entries can have one key twice, or a text that is written as it is. */
type JsonNode =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'object'; readonly entries: { key: string; value: JsonNode }[] }
  | { readonly kind: 'array'; readonly items: JsonNode[] }

const mostDepth = 200
const mostCharacters = 512 * 1024

function toNode(value: unknown, depth = 0): JsonNode {
  if (value === null || typeof value !== 'object' || depth > mostDepth)
    return { kind: 'text', text: depth > mostDepth ? 'null' : JSON.stringify(value) }
  if (Array.isArray(value)) return { kind: 'array', items: value.map((item) => toNode(item, depth + 1)) }
  return {
    kind: 'object',
    entries: Object.entries(value).map(([key, own]) => ({ key, value: toNode(own, depth + 1) })),
  }
}

function write(node: JsonNode): string {
  if (node.kind === 'text') return node.text
  if (node.kind === 'array') return `[${node.items.map(write).join(',')}]`
  return `{${node.entries.map(({ key, value }) => `${JSON.stringify(key)}:${write(value)}`).join(',')}}`
}

/** A place of a value: in a list or in an object. */
interface NodePlace {
  readonly node: JsonNode
  replace(by: JsonNode): void
  readonly parent: JsonNode
}

function* placesIn(parent: JsonNode): Generator<NodePlace> {
  if (parent.kind === 'array')
    for (const [index, node] of parent.items.entries()) {
      yield { node, parent, replace: (by) => (parent.items[index] = by) }
      yield* placesIn(node)
    }
  if (parent.kind === 'object')
    for (const entry of parent.entries) {
      yield { node: entry.value, parent, replace: (by) => (entry.value = by) }
      yield* placesIn(entry.value)
    }
}

const text = (own: string): JsonNode => ({ kind: 'text', text: own })

function hostileNode(random: Random): JsonNode {
  const depth = random.pick([2, 100, 20_000])
  return text(
    random.pick([
      hostileJsonNumber(random),
      JSON.stringify(hostileText(random)),
      JSON.stringify(hostileText(random)),
      ...['null', 'true', 'false', '[]', '{}', '[null]', '""', '"\\ud800"', '"\\u0000"', '"\\u202e"', "'a'", ''],
      ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', '{"toString":1,"length":-1}', '{"then":1}'],
      '['.repeat(depth) + ']'.repeat(depth),
      `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
      `[${Array.from({ length: random.pick([1_001, 2_001]) }, () => '0').join()}]`,
    ]),
  )
}

/** Most readers refuse a value of another kind before they use it. */
function replaceBySameKind({ node, replace }: NodePlace, random: Random): void {
  if (node.kind !== 'text') return
  if (node.text.startsWith('"')) replace(text(JSON.stringify(hostileText(random))))
  else if (/^-?\d/.test(node.text)) replace(text(hostileJsonNumber(random)))
  else replace(hostileNode(random))
}

type NodeChange = (place: NodePlace, random: Random, other: readonly NodePlace[]) => void

const changes: readonly NodeChange[] = [
  ...Array.from({ length: 8 }, () => replaceBySameKind),
  ({ replace }, random) => replace(hostileNode(random)),
  /** A reader that looks a value up in an object finds more than it has put there. */
  ({ replace }, random) => replace(text(JSON.stringify(random.pick(inheritedKeys)))),
  ({ replace }, random, other) => void (other.length > 0 && replace(random.pick(other).node)),
  function changeKey({ parent }, random) {
    if (parent.kind !== 'object' || parent.entries.length === 0) return
    random.pick(parent.entries).key = hostileText(random)
  },
  function swapKeys({ parent }, random, other) {
    if (parent.kind !== 'object' || parent.entries.length === 0) return
    const keys = other.flatMap((one) => (one.parent.kind === 'object' ? one.parent.entries.map(({ key }) => key) : []))
    if (keys.length > 0) random.pick(parent.entries).key = random.pick(keys)
  },
  function addKey({ parent }, random) {
    if (parent.kind === 'object') parent.entries.push({ key: hostileText(random), value: hostileNode(random) })
  },
  function repeatEntry({ parent }, random) {
    if (parent.kind === 'object' && parent.entries.length > 0)
      parent.entries.push({ key: random.pick(parent.entries).key, value: hostileNode(random) })
  },
  function remove({ parent }, random) {
    const list = parent.kind === 'object' ? parent.entries : parent.kind === 'array' ? parent.items : []
    if (list.length > 0) list.splice(random.below(list.length), 1)
  },
  function repeatItem({ parent }, random) {
    if (parent.kind !== 'array' || parent.items.length === 0) return
    const item = random.pick(parent.items)
    const most = Math.floor(mostCharacters / (write(item).length + 1))
    const times = Math.min(most, random.pick([1, 2, 1_000, 1_001, 3_000]))
    parent.items.push(...Array.from({ length: times }, () => item))
  },
  /** The value in itself, many times: a tree of calls is as deep. */
  function nest({ node, replace }, random) {
    const own = write(node)
    if (node.kind !== 'object' || node.entries.length === 0) return
    const key = random.pick(['subFrames', random.pick(node.entries).key])
    const head = `${own.slice(0, -1)},${JSON.stringify(key)}:[`
    const depth = Math.min(random.pick([3, 999, 1_000, 5_000]), Math.floor(mostCharacters / head.length))
    replace(text(`${head.repeat(depth)}${own}${']}'.repeat(depth)}`))
  },
]

export function mutateJson(json: string, random: Random, other: string): string {
  if (random.chance(0.1)) return mutateText(json, random, other)
  try {
    const root: JsonNode = { kind: 'array', items: [toNode(JSON.parse(json))] }
    const others = [...placesIn({ kind: 'array', items: [toNode(parseOr(other, null))] })]
    const places = [...placesIn(root)]
    random.pick(changes)(random.pick(places), random, others)
    return write(root.items[0] ?? text('')).slice(0, mostCharacters)
  } catch (error) {
    // It is no JSON, or is so deep that it cannot be written.
    if (error instanceof SyntaxError || error instanceof RangeError) return mutateText(json, random, other)
    throw error
  }
}

function parseOr(json: string, fallback: unknown): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return fallback
  }
}
