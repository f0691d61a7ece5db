/** Changes of property lists, as XML and in Apple's binary format, and new binary ones whose objects refer to each other. */
import { type BinaryObject, writeBinaryPlist } from '../../../../kit/program/objects/binaryPlists.ts'
import type { Random } from '../../../soak/random.ts'
import { mutateNumber, type NumberField } from './bytes.ts'
import { hostileText } from './hostile.ts'
import { encodeText, mutateText } from './text.ts'

const trailerBytes = 32
const keys = ['CFBundleIdentifier', 'CFBundleShortVersionString', 'CFBundleVersion', '__proto__', 'CFBundlePackageType']

export const isBinaryPlist = (file: Buffer): boolean => file.subarray(0, 6).toString('latin1') === 'bplist'

export function mutatePlist(file: Buffer, random: Random, other: Buffer): Buffer {
  if (random.chance(0.1)) return makeBinaryPlist(random)
  if (isBinaryPlist(file)) return mutateNumber(file, binaryFields(file), random)
  return encodeText(mutateXml(file.toString(), random, other.toString()), random)
}

/** The trailer, the table of offsets, and the markers and references of objects. */
function binaryFields(file: Buffer): readonly NumberField[] {
  const trailer = file.length - trailerBytes
  if (trailer < 8) return []
  const isBigEndian = true
  const fields: NumberField[] = [
    ...[6, 7].map((at): NumberField => ({ at: trailer + at, bytes: 1 })),
    ...[8, 16, 24].map((at): NumberField => ({ at: trailer + at, bytes: 8, isBigEndian })),
  ]
  const tableAt = Number(file.readBigUInt64BE(trailer + 24))
  for (let at = tableAt; at < Math.min(trailer, tableAt + 1_000); at++) fields.push({ at, bytes: 1 })
  // Any byte before the table is a marker, a reference or text.
  for (let at = 8; at < Math.min(tableAt, trailer, 2_000); at++) fields.push({ at, bytes: 1 })
  return fields
}

/** The keys of an Info.plist, with values that refer to others, or to themselves. */
function makeBinaryPlist(random: Random): Buffer {
  const names = keys.map((text): BinaryObject => ({ text }))
  const count = random.pick([1, 8, 40, 300])
  const isGraph = random.chance(0.5)
  const values = Array.from({ length: count }, (_, index): BinaryObject => {
    const own = 1 + names.length + index
    // An object that refers twice to the next one has 2 to the power of its depth values when it is expanded.
    if (isGraph) return { array: [own + 1, own + 1].map((one) => Math.min(one, names.length + count)) }
    const any = () => random.below(1 + names.length + count)
    return random.pick<BinaryObject>([
      { text: hostileText(random) },
      { array: Array.from({ length: random.pick([0, 1, 3, 20]) }, any) },
      { keys: [any(), 1], values: [any(), any()] },
      { bytes: random.pick(rareObjects) },
    ])
  })
  const value = () => 1 + names.length + random.below(random.chance(0.5) ? 1 : count)
  const top = { keys: names.map((_, index) => index + 1), values: names.map(value) }
  return writeBinaryPlist([top, ...names, ...values])
}

/** Objects of the other types: null, true, a real number that is NaN, a date, an integer of 128 bits, a UID, data, a set, a fill byte, and an unknown type. */
const rareObjects = [
  ...[
    '00',
    '09',
    '237ff8000000000001',
    '33fff0000000000000',
    '14ffffffffffffffffffffffffffffffff',
    '80ff',
    '44deadbeef',
  ],
  ...['c0', '0f', '70', '5f13ffffffffffffffff', 'af12ffffffff', '1380000000000000ff', '22ff800000'],
].map((hex) => Buffer.from(hex, 'hex'))

function mutateXml(text: string, random: Random, other: string): string {
  if (random.chance(0.5)) return mutateText(text, random, other)
  const elements = [...text.matchAll(/<(string|key|integer|array|dict|real|date|data)>/g)]
  const at = elements.length === 0 ? 0 : random.pick(elements).index
  const depth = random.pick([3, 1_000, 20_000])
  const part = random.pick([
    `<!DOCTYPE plist [<!ENTITY a "${'b'.repeat(100)}"><!ENTITY b "${'&a;'.repeat(1_000)}"><!ENTITY c "${'&b;'.repeat(1_000)}">]>`,
    ...[
      '<string>&c;</string>',
      '<string>&#0;</string>',
      '<string>&#x202e;&#xd800;</string>',
      '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
    ],
    `<string><![CDATA[${hostileText(random)}]]></string>`,
    '<array>'.repeat(depth) + '</array>'.repeat(random.pick([depth, 0])),
    '<dict><key>a</key>'.repeat(depth),
    `<key>${random.pick(keys)}</key><string>${hostileText(random)}</string>`,
    `<a ${Array.from({ length: random.pick([1, 2_000]) }, (_, index) => `b${index}="c"`).join(' ')}>`,
    ...[
      '<integer>NaN</integer>',
      '<integer/>',
      '<real>1e999</real>',
      '<date>never</date>',
      '<data>!!!</data>',
      '<key/>',
      '<!--',
      ']]>',
      '<?a',
    ],
    `<!--${'-'.repeat(random.pick([1, 50_000]))}-->`,
    '&'.repeat(random.pick([1, 5_000])),
  ])
  return text.slice(0, at) + part + text.slice(at)
}
