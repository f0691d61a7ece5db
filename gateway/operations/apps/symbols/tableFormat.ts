/**
 * The format of a symbol table: the answers to all look-ups of one Mach-O slice, sorted by address.
 *
 * **Pages.** The file is a sequence of pages of 4,096 bytes. A page has 4,092 bytes of content and the CRC-32 of them, with the number of the
 * page as the initial value. So a damaged or misplaced page is found when it is read. All places below count bytes of content from the start.
 * All numbers are little-endian. A varint has 7 bits in each byte, the lowest first, and the highest bit is set in all bytes but the last. A
 * difference is a varint whose lowest bit is the sign (zigzag).
 *
 * **Head.** 16 bytes: the magic `SBSYMTAB`, the version (u32), 0 (u32).
 *
 * **Blocks.** A segment is a range of addresses with one answer. It ends where the next segment starts, and the last segment has an empty
 * answer. A block has up to 64 segments within 4 GiB of addresses. The fields of a segment, as differences from the segment before, or from 0
 * at the start of a block:
 *   - its address (a varint; the first is 0, and the index has the address)
 *   - its node, or 0 (a difference)
 *   - its file, or 0 (a difference)
 *   - its line, or 0 (a difference)
 *   - its column, or 0 (a varint of the column itself)
 *
 * **Index levels.** A record has 16 bytes: the first address of a block (u64), and its place among the blocks (u64). Level 0 has all blocks.
 * Each further level has every 256th record of the level below. The last level has at most 256 records.
 *
 * **Nodes.** A node is a function or an inlined call. Its ID counts from 1. A record has 20 bytes:
 *   - a function: its name (u32), 0 (u32), its address (u64), 0 (u32)
 *   - a call: the name of the called function (u32), the node around it (u32, a lower ID), and the file, line and column of the call (u32 each)
 *
 * **Strings.** A string is its length (a varint) and its bytes in UTF-8, at most 65,536. Each raw name and each path is stored once.
 *
 * **Names.** Its ID counts from 1. A record has 8 bytes: the place among the strings of the raw name (u32), and of the demangled name (u32),
 * which is the same place if the name is not mangled.
 *
 * **Files.** The ID counts from 1. A record has 4 bytes: the place among the strings of the path (u32).
 *
 * **Foot.** The last page. The magic, the version (u32), the number of index levels (u32). Then the place and the length (u64 each) of the
 * blocks, nodes, strings, names, files and of 8 index levels. Then the statistics: units, damaged units, segments (u32 each).
 */
export const tableMagic = Buffer.from('SBSYMTAB', 'latin1')
/** Raise it with each change of the format, and of what a look-up finds. A table of another version is written again from its dSYM. */
export const tableVersion = 1

export const pageBytes = 4096
export const pageContentBytes = 4092

export const headBytes = 16
export const indexRecordBytes = 16
export const nodeRecordBytes = 20
export const nameRecordBytes = 8
export const fileRecordBytes = 4

export const indexFanOut = 256
/** With 256 records for each, they suffice for more blocks than there are addresses. */
export const mostIndexLevels = 8
export const blockSegments = 64
/** A segment has at most a varint of 33 bits and four of 32. */
export const mostBlockBytes = blockSegments * 25
/** Longer strings are cut off. */
export const mostStringBytes = 65_536
/** Scopes around an address. A unit with more is damaged. */
export const mostFrames = 256

export const sectionNames = ['blocks', 'nodes', 'strings', 'names', 'files'] as const
export type TableSectionName = (typeof sectionNames)[number]

/** Bytes of content. */
export interface TableSection {
  readonly offset: number
  readonly size: number
}

export interface SymbolTableStatistics {
  /** Compilation units of DWARF. */
  readonly units: number
  /** Units of which a part was not read, because it is damaged. */
  readonly damagedUnits: number
  readonly segments: number
}

export interface TableFoot {
  readonly sections: Readonly<Record<TableSectionName, TableSection>>
  /** From level 0. */
  readonly levels: readonly TableSection[]
  readonly statistics: SymbolTableStatistics
}

const sectionsOffset = 16
const sectionBytes = 16
const statisticsOffset = sectionsOffset + (sectionNames.length + mostIndexLevels) * sectionBytes

export function encodeHead(): Buffer {
  const head = Buffer.alloc(headBytes)
  tableMagic.copy(head)
  head.writeUInt32LE(tableVersion, tableMagic.length)
  return head
}

export function encodeFoot({ sections, levels, statistics }: TableFoot): Buffer {
  const foot = Buffer.alloc(pageContentBytes)
  encodeHead().copy(foot)
  foot.writeUInt32LE(levels.length, 12)
  const all = [...sectionNames.map((name) => sections[name]), ...levels]
  for (const [index, { offset, size }] of all.entries()) {
    foot.writeBigUInt64LE(BigInt(offset), sectionsOffset + index * sectionBytes)
    foot.writeBigUInt64LE(BigInt(size), sectionsOffset + index * sectionBytes + 8)
  }
  const { units, damagedUnits, segments } = statistics
  for (const [index, count] of [units, damagedUnits, segments].entries())
    foot.writeUInt32LE(count, statisticsOffset + index * 4)
  return foot
}

/** @returns undefined if it is not a foot of this version, or names places that are not within so many bytes of content */
export function decodeFoot(foot: Buffer, contentBytes: number): TableFoot | undefined {
  const levelCount = foot.readUInt32LE(12)
  if (!foot.subarray(0, 12).equals(encodeHead().subarray(0, 12)) || levelCount < 1 || levelCount > mostIndexLevels)
    return undefined
  const sectionAt = (index: number): TableSection => ({
    offset: Number(foot.readBigUInt64LE(sectionsOffset + index * sectionBytes)),
    size: Number(foot.readBigUInt64LE(sectionsOffset + index * sectionBytes + 8)),
  })
  const [blocks, nodes, strings, names, files] = sectionNames.map((_, index) => sectionAt(index))
  if (!blocks || !nodes || !strings || !names || !files) return undefined
  const levels = Array.from({ length: levelCount }, (_, level) => sectionAt(sectionNames.length + level))
  const isWithin = ({ offset, size }: TableSection) => offset + size <= contentBytes
  if (![blocks, nodes, strings, names, files, ...levels].every(isWithin)) return undefined
  const [units = 0, damagedUnits = 0, segments = 0] = [0, 1, 2].map((index) =>
    foot.readUInt32LE(statisticsOffset + index * 4),
  )
  return {
    sections: { blocks, nodes, strings, names, files },
    levels,
    statistics: { units, damagedUnits, segments },
  }
}
