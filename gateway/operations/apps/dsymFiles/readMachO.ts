/**
 * Reads the headers of a Mach-O file: a thin one, or a fat one with a slice for each architecture. The formats are those of Apple's
 * `mach-o/loader.h` and `mach-o/fat.h`. A file is hostile: each count and each offset is checked before it is used, and only headers are read.
 */
import { type ByteSource, partOf } from './byteSource.ts'

export interface MachOSlice {
  /** As Apple's tools name it: `arm64`, `arm64e`, `x86_64`, … */
  readonly arch: string
  /** Upper case, with hyphens. Null if the linker gave it none, as to an object file. */
  readonly uuid: string | null
  /** Whether it is the symbols of a binary (`MH_DSYM`), and not the binary. */
  readonly isDsym: boolean
  /** The address of `__TEXT` for which it was linked. Null if it has no such segment. */
  readonly textAddress: bigint | null
  /** The sections of DWARF, by their names: `__debug_info`, … They are places in the slice. */
  readonly dwarf: ReadonlyMap<string, MachORange>
  /** The number of symbols in its symbol table. */
  readonly symbolCount: number
  /** The places of its symbol table and of the names in it. They are not checked. Null if it has none. */
  readonly symbols: MachOSymbols | null
  /** The sections with instructions, with the addresses for which they were linked. */
  readonly codeSections: readonly CodeSection[]
  /** Whether addresses have 64 bits. */
  readonly is64: boolean
  /** The place of the slice in the file. */
  readonly range: MachORange
}

export interface MachOSymbols {
  readonly table: MachORange
  readonly names: MachORange
}

export interface CodeSection {
  /** The number of the section among all sections, from 1. A symbol has that of its section. */
  readonly ordinal: number
  readonly address: bigint
  readonly size: bigint
}

/** Bytes from an offset. */
export interface MachORange {
  readonly offset: number
  readonly size: number
}

/** The file is no Mach-O file, or a wrong one. The message completes "The file …". */
export class MachOProblem extends Error {
  override readonly name = 'MachOProblem'
}

/** Xcode builds for at most five architectures at once. A Java class file has the same first bytes as a fat file, and 45 or more here. */
const mostSlices = 16
/** The load commands of a large app have some KiB. */
const mostCommandBytes = 4 * 1024 * 1024
const mostSections = 10_000

const fatMagic = 0xcafebabe
const fat64Magic = 0xcafebabf
const thinMagic = 0xfeedface
const thin64Magic = 0xfeedfacf
const dsymFileType = 0xa

/** @throws MachOProblem */
export async function readMachO(file: ByteSource): Promise<readonly MachOSlice[]> {
  try {
    const magic = (await file.read(0, 4)).readUInt32BE()
    const ranges =
      magic === fatMagic || magic === fat64Magic ? await readFat(file, magic) : [{ offset: 0, size: file.size }]
    const slices: MachOSlice[] = []
    for (const range of ranges) slices.push(await readSlice(partOf(file, range.offset, range.size), range))
    return slices
  } catch (error) {
    if (error instanceof RangeError) throw new MachOProblem(`is cut off or damaged: ${error.message}`)
    throw error
  }
}

/** The numbers of a fat header are big-endian, whatever those of its slices are. */
async function readFat(file: ByteSource, magic: number): Promise<readonly MachORange[]> {
  const count = (await file.read(4, 4)).readUInt32BE()
  if (count === 0) throw new MachOProblem('has no architecture')
  if (count > mostSlices) throw new MachOProblem(`has ${count} architectures, and at most ${mostSlices} are read`)
  const entryBytes = magic === fat64Magic ? 32 : 20
  const header = await file.read(8, count * entryBytes)
  const ranges = Array.from({ length: count }, (_, index) => {
    const at = index * entryBytes + 8
    return magic === fat64Magic
      ? { offset: Number(header.readBigUInt64BE(at)), size: Number(header.readBigUInt64BE(at + 8)) }
      : { offset: header.readUInt32BE(at), size: header.readUInt32BE(at + 4) }
  })
  refuseOverlaps(ranges, 8 + header.length)
  return ranges
}

function refuseOverlaps(ranges: readonly MachORange[], headerEnd: number): void {
  let end = headerEnd
  for (const range of ranges.toSorted((a, b) => a.offset - b.offset)) {
    if (range.offset < end) throw new MachOProblem('has architectures that overlap')
    end = range.offset + range.size
  }
}

async function readSlice(slice: ByteSource, range: MachORange): Promise<MachOSlice> {
  const magic = (await slice.read(0, 4)).readUInt32LE()
  if (magic !== thinMagic && magic !== thin64Magic) throw new MachOProblem(problemOfMagic(magic))
  const is64 = magic === thin64Magic
  const headerBytes = is64 ? 32 : 28
  const header = await slice.read(0, headerBytes)
  const commandBytes = header.readUInt32LE(20)
  if (commandBytes > mostCommandBytes)
    throw new MachOProblem(`has ${commandBytes} bytes of load commands, and at most ${mostCommandBytes} are read`)
  const commands = splitCommands(await slice.read(headerBytes, commandBytes), header.readUInt32LE(16))
  return {
    arch: archOf(header.readUInt32LE(4), header.readUInt32LE(8)),
    isDsym: header.readUInt32LE(12) === dsymFileType,
    ...readCommands(commands, slice, is64 ? symbolBytes.wide : symbolBytes.narrow),
    is64,
    range,
  }
}

function problemOfMagic(magic: number): string {
  const isSwapped = [0xcefaedfe, 0xcffaedfe].includes(magic)
  return isSwapped ? 'is for a big-endian processor, which is not supported' : 'is not a Mach-O file'
}

interface LoadCommand {
  readonly type: number
  readonly bytes: Buffer
}

function splitCommands(bytes: Buffer, count: number): readonly LoadCommand[] {
  const commands: LoadCommand[] = []
  let offset = 0
  for (let index = 0; index < count; index++) {
    const size = bytes.readUInt32LE(offset + 4)
    if (size < 8 || offset + size > bytes.length) throw new MachOProblem(`has a load command of ${size} bytes`)
    commands.push({ type: bytes.readUInt32LE(offset), bytes: bytes.subarray(offset, offset + size) })
    offset += size
  }
  return commands
}

type CommandFacts = Pick<MachOSlice, 'uuid' | 'textAddress' | 'dwarf' | 'symbolCount' | 'symbols' | 'codeSections'>

/** The size of a `struct nlist`. */
const symbolBytes = { narrow: 12, wide: 16 } as const

function readCommands(commands: readonly LoadCommand[], slice: ByteSource, bytesOfSymbol: number): CommandFacts {
  let uuid: string | null = null
  let textAddress: bigint | null = null
  let symbolCount = 0
  let symbols: MachOSymbols | null = null
  let sectionCount = 0
  const codeSections: CodeSection[] = []
  const dwarf = new Map<string, MachORange>()
  for (const { type, bytes } of commands) {
    if (type === commandTypes.uuid) uuid = formatUuid(bytes.subarray(8, 24))
    if (type === commandTypes.symbols) {
      symbolCount = bytes.readUInt32LE(12)
      symbols = {
        table: { offset: bytes.readUInt32LE(8), size: symbolCount * bytesOfSymbol },
        names: { offset: bytes.readUInt32LE(16), size: bytes.readUInt32LE(20) },
      }
    }
    const layout = segmentLayouts[type]
    if (layout === undefined) continue
    const name = cString(bytes, 8)
    if (name === '__TEXT') textAddress = layout.readAddress(bytes, 24)
    for (const section of sectionsOf(bytes, layout)) {
      sectionCount++
      const { address, size, hasCode } = section
      if (hasCode) codeSections.push({ ordinal: sectionCount, address, size })
      // A section of an object file is in a segment without a name.
      if (section.segment !== '__DWARF') continue
      partOf(slice, section.range.offset, section.range.size)
      dwarf.set(section.name, section.range)
    }
  }
  return { uuid, textAddress, dwarf, symbolCount, symbols, codeSections }
}

const commandTypes = { segment: 0x1, segment64: 0x19, symbols: 0x2, uuid: 0x1b } as const

interface SegmentLayout {
  readonly headerBytes: number
  readonly sectionBytes: number
  /** The place of the number of sections in a segment. */
  readonly sectionCount: number
  /** The places in a section. */
  readonly sectionSize: number
  readonly sectionOffset: number
  readonly sectionFlags: number
  readAddress(bytes: Buffer, offset: number): bigint
}

const segmentLayouts: Readonly<Record<number, SegmentLayout>> = {
  [commandTypes.segment]: {
    ...{ headerBytes: 56, sectionBytes: 68, sectionCount: 48, sectionSize: 36, sectionOffset: 40, sectionFlags: 56 },
    readAddress: (bytes, offset) => BigInt(bytes.readUInt32LE(offset)),
  },
  [commandTypes.segment64]: {
    ...{ headerBytes: 72, sectionBytes: 80, sectionCount: 64, sectionSize: 40, sectionOffset: 48, sectionFlags: 64 },
    readAddress: (bytes, offset) => bytes.readBigUInt64LE(offset),
  },
}

interface Section {
  readonly name: string
  readonly segment: string
  readonly range: MachORange
  readonly address: bigint
  readonly size: bigint
  readonly hasCode: boolean
}

/** `S_ATTR_PURE_INSTRUCTIONS` and `S_ATTR_SOME_INSTRUCTIONS`. */
const codeFlags = 0x80000400
/** The place of the address in a section. */
const sectionAddress = 32

function sectionsOf(segment: Buffer, layout: SegmentLayout): readonly Section[] {
  const count = segment.readUInt32LE(layout.sectionCount)
  if (count > mostSections) throw new MachOProblem(`has a segment with ${count} sections`)
  return Array.from({ length: count }, (_, index) => {
    const at = layout.headerBytes + index * layout.sectionBytes
    const size = layout.readAddress(segment, at + layout.sectionSize)
    return {
      name: cString(segment, at),
      segment: cString(segment, at + 16),
      range: { offset: segment.readUInt32LE(at + layout.sectionOffset), size: Number(size) },
      address: layout.readAddress(segment, at + sectionAddress),
      size,
      hasCode: (segment.readUInt32LE(at + layout.sectionFlags) & codeFlags) !== 0,
    }
  })
}

/** A name of up to 16 bytes. It ends before the first zero. */
function cString(bytes: Buffer, offset: number): string {
  const name = bytes.toString('latin1', offset, offset + 16)
  if (name.length < 16) throw new RangeError(`a name at ${offset} is not within ${bytes.length} bytes`)
  return name.split('\0', 1)[0] ?? ''
}

function formatUuid(bytes: Buffer): string {
  if (bytes.length < 16) throw new RangeError(`a UUID has ${bytes.length} bytes`)
  return bytes
    .toString('hex')
    .toUpperCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The names by `cputype` and `cpusubtype` of Apple's `mach/machine.h`. */
const architectures: Readonly<
  Record<number, { readonly name: string; readonly variants: Readonly<Record<number, string>> }>
> = {
  7: { name: 'i386', variants: {} },
  16777223: { name: 'x86_64', variants: { 8: 'x86_64h' } },
  12: { name: 'arm', variants: { 6: 'armv6', 9: 'armv7', 11: 'armv7s', 12: 'armv7k' } },
  16777228: { name: 'arm64', variants: { 2: 'arm64e' } },
  33554444: { name: 'arm64_32', variants: {} },
}

/** The highest byte of a subtype has capabilities, such as the version of pointer authentication. */
const subtypeMask = 0x00ffffff

function archOf(cpuType: number, cpuSubtype: number): string {
  const known = architectures[cpuType]
  if (known === undefined) throw new MachOProblem(`is for the unknown processor 0x${cpuType.toString(16)}`)
  return known.variants[cpuSubtype & subtypeMask] ?? known.name
}
