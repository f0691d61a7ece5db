/** Changes of zips: of the fields of their headers, and of their files, which are packed again. Source: PKWARE's APPNOTE 6.3. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Random } from '../../../soak/random.ts'
import { mutateNumber, type NumberField } from './bytes.ts'
import { hostileText } from './hostile.ts'
import { mutateMachO } from './machO.ts'
import { mutatePlist } from './plist.ts'

export interface ZipPart {
  readonly name: Buffer
  readonly bytes: Buffer
  readonly isPacked: boolean
  readonly flags: number
  /** The upper byte is the system that wrote it. */
  readonly madeBy: number
  readonly attributes: number
  readonly extra: Buffer
  readonly comment: Buffer
}

export const zipPart = (name: string | Buffer, bytes: Buffer, more: Partial<ZipPart> = {}): ZipPart => ({
  ...{ name: Buffer.from(name), bytes, isPacked: true, flags: 0x800, madeBy: 0x314, attributes: 0 },
  ...{ extra: Buffer.alloc(0), comment: Buffer.alloc(0), ...more },
})

interface ZipForm {
  /** Sizes of 64 bits. */
  readonly isWide: boolean
  /** The sizes come after the bytes, as a stream writes them. */
  readonly hasDescriptors: boolean
  readonly comment: Buffer
}

const plainForm: ZipForm = { isWide: false, hasDescriptors: false, comment: Buffer.alloc(0) }

export function writeZip(parts: readonly ZipPart[], form: Partial<ZipForm> = {}): Buffer {
  const { isWide, hasDescriptors, comment } = { ...plainForm, ...form }
  const written: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  const add = (bytes: Buffer) => {
    written.push(bytes)
    offset += bytes.length
  }
  for (const part of parts) {
    const at = offset
    const packed = part.isPacked ? deflateRawSync(part.bytes) : part.bytes
    const flags = part.flags | (hasDescriptors ? 8 : 0)
    const sizes = Buffer.alloc(12)
    sizes.writeUInt32LE(crc32(part.bytes), 0)
    sizes.writeUInt32LE(packed.length, 4)
    sizes.writeUInt32LE(part.bytes.length, 8)
    const facts = [...le16(20), ...le16(flags), ...le16(part.isPacked ? 8 : 0), ...le32(0)]
    const names = [...le16(part.name.length)]
    add(
      Buffer.concat([
        signature.local,
        Buffer.from(facts),
        hasDescriptors ? Buffer.alloc(12) : sizes,
        Buffer.from([...names, 0, 0]),
        part.name,
      ]),
    )
    add(packed)
    if (hasDescriptors) add(Buffer.concat([signature.descriptor, sizes]))
    const extra = Buffer.concat([
      isWide ? wideSizes(part.bytes.length, packed.length, at) : Buffer.alloc(0),
      part.extra,
    ])
    const none = Buffer.from(le32(0xffffffff))
    directory.push(
      signature.central,
      Buffer.from([...le16(part.madeBy), ...facts]),
      isWide ? Buffer.concat([sizes.subarray(0, 4), none, none]) : sizes,
      Buffer.from([
        ...names,
        ...le16(extra.length),
        ...le16(part.comment.length),
        0,
        0,
        0,
        0,
        ...le32(part.attributes),
      ]),
      ...[isWide ? none : Buffer.from(le32(at)), part.name, extra, part.comment],
    )
  }
  const entries = Buffer.concat(directory)
  const directoryAt = offset
  add(entries)
  if (isWide) add(wideEnd(parts.length, entries.length, directoryAt))
  const count = le16(Math.min(parts.length, 0xffff))
  add(
    Buffer.concat([
      signature.end,
      Buffer.from([
        0,
        0,
        0,
        0,
        ...count,
        ...count,
        ...le32(entries.length),
        ...le32(directoryAt),
        ...le16(comment.length),
      ]),
      comment,
    ]),
  )
  return Buffer.concat(written)
}

const signature = {
  local: Buffer.from('PK\x03\x04', 'latin1'),
  central: Buffer.from('PK\x01\x02', 'latin1'),
  descriptor: Buffer.from('PK\x07\x08', 'latin1'),
  end: Buffer.from('PK\x05\x06', 'latin1'),
  wideEnd: Buffer.from('PK\x06\x06', 'latin1'),
  wideLocator: Buffer.from('PK\x06\x07', 'latin1'),
}

const le16 = (value: number): number[] => [value & 0xff, (value >>> 8) & 0xff]
const le32 = (value: number): number[] => [...le16(value), ...le16(value >>> 16)]
const le64 = (value: number): number[] => [...le32(value), ...le32(Math.floor(value / 2 ** 32))]

const wideSizes = (size: number, packed: number, at: number): Buffer =>
  Buffer.from([...le16(1), ...le16(24), ...le64(size), ...le64(packed), ...le64(at)])

function wideEnd(count: number, bytes: number, at: number): Buffer {
  const facts = [
    ...le16(45),
    ...le16(45),
    ...le32(0),
    ...le32(0),
    ...le64(count),
    ...le64(count),
    ...le64(bytes),
    ...le64(at),
  ]
  const record = Buffer.concat([signature.wideEnd, Buffer.from([...le64(44), ...facts])])
  return Buffer.concat([record, signature.wideLocator, Buffer.from([...le32(0), ...le64(at + bytes), ...le32(1)])])
}

/** Undefined if the list of files cannot be read. */
function readParts(file: Buffer): readonly ZipPart[] | undefined {
  const end = file.lastIndexOf(signature.end)
  if (end < 0 || end + 22 > file.length) return undefined
  const parts: ZipPart[] = []
  let at = file.indexOf(signature.central)
  for (; at >= 0 && at + 46 <= file.length && file.indexOf(signature.central, at) === at; ) {
    const [packedSize, size] = [file.readUInt32LE(at + 20), file.readUInt32LE(at + 24)]
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) => file.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ]
    const local = file.readUInt32LE(at + 42)
    const isPacked = file.readUInt16LE(at + 10) === 8
    const nameAt = at + 46
    const bytes = unpack(file, local, packedSize, size, isPacked)
    parts.push({
      ...{ name: file.subarray(nameAt, nameAt + nameBytes), bytes, isPacked, flags: file.readUInt16LE(at + 8) & ~8 },
      ...{ madeBy: file.readUInt16LE(at + 4), attributes: file.readUInt32LE(at + 38) },
      extra: Buffer.alloc(0),
      comment: file.subarray(nameAt + nameBytes + extraBytes, nameAt + nameBytes + extraBytes + commentBytes),
    })
    at = nameAt + nameBytes + extraBytes + commentBytes
  }
  return parts.length === 0 ? undefined : parts
}

const mostPart = 256 * 1024

function unpack(file: Buffer, local: number, packedSize: number, size: number, isPacked: boolean): Buffer {
  if (local + 30 > file.length || size > mostPart) return Buffer.alloc(0)
  const from = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
  const packed = file.subarray(from, from + packedSize)
  if (!isPacked) return packed
  try {
    return inflateRawSync(packed, { maxOutputLength: mostPart })
  } catch {
    return Buffer.alloc(0)
  }
}

/** The places of numbers in each kind of header, with their bytes. */
const headerFields: readonly (readonly [Buffer, readonly (readonly [number, 1 | 2 | 4 | 8])[]])[] = [
  [
    signature.local,
    [
      [4, 2],
      [6, 2],
      [8, 2],
      [14, 4],
      [18, 4],
      [22, 4],
      [26, 2],
      [28, 2],
    ],
  ],
  [
    signature.central,
    [
      [4, 2],
      [6, 2],
      [8, 2],
      [10, 2],
      [16, 4],
      [20, 4],
      [24, 4],
      [28, 2],
      [30, 2],
      [32, 2],
      [34, 2],
      [38, 4],
      [42, 4],
    ],
  ],
  [
    signature.descriptor,
    [
      [4, 4],
      [8, 4],
      [12, 4],
    ],
  ],
  [
    signature.end,
    [
      [4, 2],
      [6, 2],
      [8, 2],
      [10, 2],
      [12, 4],
      [16, 4],
      [20, 2],
    ],
  ],
  [
    signature.wideEnd,
    [
      [4, 8],
      [16, 4],
      [20, 4],
      [24, 8],
      [32, 8],
      [40, 8],
      [48, 8],
    ],
  ],
  [
    signature.wideLocator,
    [
      [4, 4],
      [8, 8],
      [16, 4],
    ],
  ],
]

function fieldsOf(file: Buffer): readonly NumberField[] {
  const fields: NumberField[] = []
  for (const [head, places] of headerFields)
    for (let at = file.indexOf(head); at >= 0 && fields.length < 10_000; at = file.indexOf(head, at + 4))
      fields.push(...places.map(([place, bytes]): NumberField => ({ at: at + place, bytes })))
  // The extra field with sizes of 64 bits.
  const extra = Buffer.from([1, 0, 24, 0])
  for (let at = file.indexOf(extra); at >= 0 && fields.length < 10_000; at = file.indexOf(extra, at + 4))
    fields.push({ at: at + 2, bytes: 2 }, ...[4, 12, 20].map((place): NumberField => ({ at: at + place, bytes: 8 })))
  return fields
}

export function mutateZip(file: Buffer, random: Random, other: Buffer): Buffer {
  if (random.chance(0.4)) return mutateNumber(file, fieldsOf(file), random)
  const parts = readParts(file)
  if (parts === undefined) return mutateNumber(file, fieldsOf(file), random)
  const changed = [...parts]
  const at = random.below(parts.length)
  const part = changed[at] as ZipPart
  random.pick(partChanges)(changed, at, part, random, readParts(other) ?? [])
  const form = {
    isWide: random.chance(0.15),
    hasDescriptors: random.chance(0.15),
    comment: random.chance(0.05) ? Buffer.from(hostileText(random)) : Buffer.alloc(0),
  }
  return writeZip(changed.slice(0, 3_000), form)
}

type PartChange = (parts: ZipPart[], at: number, part: ZipPart, random: Random, other: readonly ZipPart[]) => void

/** A link of Unix, a folder, and a file. */
const fileTypes = [0o120777, 0o040755, 0o100644]

const partChanges: readonly PartChange[] = [
  (parts, at, part, random) => (parts[at] = { ...part, name: changeName(part.name, random) }),
  (parts, at, part, random) => (parts[at] = { ...part, name: changeName(part.name, random) }),
  (parts, at, part, random) => (parts[at] = { ...part, bytes: changeContent(part, random, parts) }),
  (parts, at, part, random) => (parts[at] = { ...part, bytes: changeContent(part, random, parts) }),
  (parts, at, part) => (parts[at] = { ...part, isPacked: !part.isPacked }),
  (parts, at, part, random) =>
    (parts[at] = { ...part, flags: random.pick([0, 0x800, 1, 0x40, 0x2000, random.below(65_536)]) }),
  (parts, at, part, random) => (parts[at] = { ...part, attributes: (random.pick(fileTypes) << 16) >>> 0 }),
  (parts, at, part, random) => (parts[at] = { ...part, extra: hostileExtra(part, random) }),
  repeatPart,
  (parts, at) => parts.splice(at, 1),
  (parts, at, _part, random, other) => parts.splice(at, 0, ...other.slice(0, random.between(1, 8))),
  (parts, at, part, random) =>
    (parts[at] = {
      ...part,
      bytes: Buffer.alloc(random.pick([0, 1, 30_000, 1_000_000, 1_200_000]), random.below(256)),
    }),
  (parts, at, part) => parts.unshift({ ...part, name: part.name.subarray(0, -1) }, ...parts.splice(at, 1)),
]

/**
 * More files than the bounds on files, on dSYMs or on bytes allow. The copies are in dSYMs of their own, or in one dSYM. Few have the same name,
 * because such a zip is refused before its bounds are reached.
 */
function repeatPart(parts: ZipPart[], at: number, part: ZipPart, random: Random): void {
  const inOwnDsyms = (index: number) => `${index}${part.name}`
  const inOneDsym = (index: number) => `${part.name}${index}`
  const rename = random.pick([inOwnDsyms, inOwnDsyms, inOneDsym, inOneDsym, () => part.name.toString()])
  const isLarge = random.chance(0.1)
  const count = isLarge ? 12 : random.pick([1, 20, 400, 600, 2_000])
  // Just below the size from which a reader compares it with the packed size.
  const bytes = isLarge ? Buffer.alloc(1_000_000, random.below(256)) : part.bytes
  const copies = Array.from({ length: count }, (_, index) => ({ ...part, bytes, name: Buffer.from(rename(index)) }))
  parts.splice(at, 0, ...copies)
}

function changeName(name: Buffer, random: Random): Buffer {
  const path = name.toString()
  const names = path.split('/')
  const text = hostileText(random)
  const slash = random.below(names.length + 1)
  return Buffer.from(
    random.pick([
      [...names.slice(0, slash), text, ...names.slice(slash + 1)].join('/'),
      [...names.slice(0, slash), text, ...names.slice(slash)].join('/'),
      path.replace('.dSYM', `${text}.dSYM`),
      `${text}${path}`,
      `${path}${text}`,
      path.replaceAll('/', random.pick(['\\', '//', '/./', '/../', '\0'])),
      path.toUpperCase(),
    ]),
    random.chance(0.9) ? 'utf8' : 'latin1',
  ).subarray(0, 65_535)
}

function changeContent(part: ZipPart, random: Random, parts: readonly ZipPart[]): Buffer {
  const other = random.pick(parts).bytes
  const mutate = part.name.toString().endsWith('.plist') ? mutatePlist : mutateMachO
  return mutate(part.bytes, random, other).subarray(0, mostPart)
}

/** A name in Unicode as an extra field, one that is cut off, and one with sizes of 64 bits. */
function hostileExtra(part: ZipPart, random: Random): Buffer {
  const name = Buffer.from(hostileText(random)).subarray(0, 1_000)
  const checksum = random.chance(0.8) ? crc32(part.name) : random.below(2 ** 32)
  return random.pick([
    Buffer.concat([Buffer.from([0x75, 0x70, ...le16(name.length + 5), 1, ...le32(checksum)]), name]),
    Buffer.from([...le16(1), ...le16(random.below(64)), ...random.bytes(24)]),
    Buffer.from([...le16(1), ...le16(random.below(65_536))]),
    random.bytes(random.below(32)),
  ])
}
