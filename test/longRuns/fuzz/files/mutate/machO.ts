/** Changes of the headers of Mach-O files. Source: Apple's `mach-o/loader.h` and `mach-o/fat.h`. */
import type { Random } from '../../../soak/random.ts'
import { mutateNumber, type NumberField } from './bytes.ts'

interface Command {
  readonly type: number
  readonly at: number
  readonly size: number
}

interface ThinHeader {
  readonly at: number
  readonly bytes: number
  readonly commands: readonly Command[]
}

const [fat, fat64, thin, thin64] = [0xcafebabe, 0xcafebabf, 0xfeedface, 0xfeedfacf]

/** The headers of the slices, as far as they can be read. */
function headersOf(file: Buffer): readonly ThinHeader[] {
  if (file.length < 32) return []
  const magic = file.readUInt32BE(0)
  if (magic !== fat && magic !== fat64) return thinHeader(file, 0)
  const entryBytes = magic === fat64 ? 32 : 20
  const count = Math.min(file.readUInt32BE(4), Math.floor((file.length - 8) / entryBytes), 16)
  return Array.from({ length: count }, (_, index) => {
    const at = 8 + index * entryBytes + 8
    return thinHeader(file, magic === fat64 ? Number(file.readBigUInt64BE(at)) : file.readUInt32BE(at))
  }).flat()
}

function thinHeader(file: Buffer, at: number): ThinHeader[] {
  if (at + 32 > file.length) return []
  const magic = file.readUInt32LE(at)
  if (magic !== thin && magic !== thin64) return []
  const bytes = magic === thin64 ? 32 : 28
  const commands: Command[] = []
  const most = Math.min(file.readUInt32LE(at + 16), 1_000)
  for (let place = at + bytes; commands.length < most && place + 8 <= file.length; ) {
    const size = file.readUInt32LE(place + 4)
    commands.push({ type: file.readUInt32LE(place), at: place, size })
    if (size < 8) break
    place += size
  }
  return [{ at, bytes, commands }]
}

const words = (at: number, count: number): NumberField[] =>
  Array.from({ length: count }, (_, index) => ({ at: at + index * 4, bytes: 4 }))
const wide = (at: number, count: number): NumberField[] =>
  Array.from({ length: count }, (_, index) => ({ at: at + index * 8, bytes: 8 }))

function fieldsOf(file: Buffer): readonly NumberField[] {
  const fields: NumberField[] = []
  if (file.length >= 8 && [fat, fat64].includes(file.readUInt32BE(0))) {
    const count = Math.min(file.readUInt32BE(4), 16)
    const isBigEndian = true
    fields.push({ at: 0, bytes: 4, isBigEndian }, { at: 4, bytes: 4, isBigEndian })
    if (file.readUInt32BE(0) === fat) fields.push(...words(8, count * 5).map((field) => ({ ...field, isBigEndian })))
    else fields.push(...wide(8, count * 4).map((field) => ({ ...field, isBigEndian })))
  }
  for (const { at, commands } of headersOf(file)) {
    fields.push(...words(at, 7))
    for (const command of commands) fields.push(...words(command.at, 2), ...fieldsOfCommand(file, command))
  }
  return fields
}

function fieldsOfCommand(file: Buffer, { type, at, size }: Command): NumberField[] {
  if (type === 0x2) return words(at + 8, 4)
  if (type === 0x1b) return wide(at + 8, 2)
  if (type === 0x1)
    return [...words(at + 24, 8), ...sections(file, at + 48, 56, 68, size).flatMap((own) => words(at + own + 32, 9))]
  if (type !== 0x19) return words(at + 8, Math.min(8, Math.floor(size / 4)))
  return [
    ...[...wide(at + 24, 4), ...words(at + 56, 4)],
    ...sections(file, at + 64, 72, 80, size).flatMap((own) => [...wide(at + own + 32, 2), ...words(at + own + 48, 8)]),
  ]
}

/** The places of the sections in a segment. */
function sections(file: Buffer, countAt: number, from: number, each: number, size: number): readonly number[] {
  if (countAt + 4 > file.length) return []
  const count = Math.min(file.readUInt32LE(countAt), Math.floor(size / each), 100)
  return Array.from({ length: count }, (_, index) => from + index * each)
}

type MachOChange = (file: Buffer, random: Random, other: Buffer) => Buffer

const changes: readonly MachOChange[] = [
  (file, random) => mutateNumber(file, fieldsOf(file), random),
  (file, random) => mutateNumber(file, fieldsOf(file), random),
  (file, random) => mutateNumber(file, fieldsOf(file), random),
  /** A command twice, or none of it. The counts of the header follow, or do not. */
  function repeatCommand(file, random) {
    const headers = headersOf(file).filter(({ commands }) => commands.length > 0)
    if (headers.length === 0) return file
    const header = random.pick(headers)
    const { at, size } = random.pick(header.commands)
    const bytes = file.subarray(at, at + size)
    const most = Math.floor((512 * 1024) / Math.max(8, bytes.length))
    const times = Math.min(random.pick([0, 2, 3, 200, 5_000]), most)
    const copy = Buffer.concat([
      file.subarray(0, at),
      ...Array.from({ length: times }, () => bytes),
      file.subarray(at + size),
    ])
    if (random.chance(0.2) || header.at + 24 > copy.length) return copy
    copy.writeUInt32LE((copy.readUInt32LE(header.at + 16) + times - 1) >>> 0, header.at + 16)
    copy.writeUInt32LE((copy.readUInt32LE(header.at + 20) + (times - 1) * bytes.length) >>> 0, header.at + 20)
    return copy
  },
  function changeSectionName(file, random) {
    const places = [
      ...file
        .subarray(0, 65_536)
        .toString('latin1')
        .matchAll(/__[A-Za-z_]{2,14}/g),
    ]
    if (places.length === 0) return file
    const copy = Buffer.from(file)
    const name = random.pick([
      random.bytes(16),
      Buffer.from(random.pick(['__DWARF', '__TEXT', '__debug_info', '__debug_line']).padEnd(16, '\0')),
    ])
    name.copy(copy, random.pick(places).index)
    return copy
  },
  wrapInFat,
  overlapSlices,
]

/** Two slices have the same bytes. Both can be read if the reader does not compare their places. */
function overlapSlices(file: Buffer, random: Random): Buffer {
  if (file.length < 8 || ![fat, fat64].includes(file.readUInt32BE(0))) return file
  const entryBytes = file.readUInt32BE(0) === fat64 ? 32 : 20
  const count = Math.min(file.readUInt32BE(4), Math.floor((file.length - 8) / entryBytes), 16)
  if (count < 2) return file
  const [from, to] = [random.below(count), random.below(count)]
  const copy = Buffer.from(file)
  // The place and the size of a slice come after its architecture.
  file.copy(copy, 8 + to * entryBytes + 8, 8 + from * entryBytes + 8, 8 + (from + 1) * entryBytes)
  return copy
}

/** The file and the other one as slices. */
function wrapInFat(file: Buffer, random: Random, other: Buffer): Buffer {
  const parts = Array.from({ length: random.pick([1, 2, 3, 16, 17]) }, (_, index) => (index % 2 === 0 ? file : other))
  const isWide = random.chance(0.5)
  const entryBytes = isWide ? 32 : 20
  const header = Buffer.alloc(8 + entryBytes * parts.length)
  header.writeUInt32BE(isWide ? fat64 : fat, 0)
  header.writeUInt32BE(parts.length, 4)
  let offset = header.length
  for (const [index, part] of parts.entries()) {
    const at = 8 + index * entryBytes
    if (isWide) {
      header.writeBigUInt64BE(BigInt(offset), at + 8)
      header.writeBigUInt64BE(BigInt(part.length), at + 16)
    } else {
      header.writeUInt32BE(offset, at + 8)
      header.writeUInt32BE(part.length, at + 12)
    }
    offset += part.length
  }
  const whole = Buffer.concat([header, ...parts])
  return whole.length > 1024 * 1024 ? file : whole
}

export function mutateMachO(file: Buffer, random: Random, other: Buffer): Buffer {
  return random.pick(changes)(file, random, other)
}
