/**
 * The records of a zip (APPNOTE 6.3.10), with fixed timestamps and permissions, so that the same files are the same bytes. Sizes and
 * offsets of 4 GiB and more, and 65,535 and more files, are in the records of zip64.
 */

export interface ZipEntry {
  readonly name: string
  /** Bytes of the file. */
  readonly size: number
  readonly compressedSize: number
  readonly crc: number
  /** The offset of the local header. */
  readonly offset: number
}

const most16 = 0xffff
const most32 = 0xffffffff

const madeByUnix = 3
const [usualVersion, zip64Version] = [20, 45]
/** The name is UTF-8. */
const flags = 0x0800
const deflateMethod = 8
/** 1980-01-01 00:00:00: a zip has no earlier one. */
const [time, date] = [0, 0x0021]
/** A file that its owner can write and all can read. */
const attributes = 0o100644 * 0x10000

/**
 * The header is written before the compressed size is known, so whether it has 64 bits depends on the size of the file alone. Deflate adds
 * at most 5 bytes for 64 KiB, which is 0.01 %.
 */
function isLarge({ size }: { readonly size: number }): boolean {
  return size > 0xf000_0000
}

/** The length depends on the name and the size only. */
export function localHeader(entry: ZipEntry): Buffer {
  const large = isLarge(entry)
  const extra = large ? zip64Extra([entry.size, entry.compressedSize]) : Buffer.alloc(0)
  const name = Buffer.from(entry.name)
  return Buffer.concat([
    fields(
      [4, 0x04034b50],
      [2, large ? zip64Version : usualVersion],
      [2, flags],
      [2, deflateMethod],
      [2, time],
      [2, date],
      [4, entry.crc],
      [4, large ? most32 : entry.compressedSize],
      [4, large ? most32 : entry.size],
      [2, name.length],
      [2, extra.length],
    ),
    name,
    extra,
  ])
}

export function centralHeader(entry: ZipEntry): Buffer {
  const large = isLarge(entry)
  const isFar = entry.offset >= most32
  const values = [...(large ? [entry.size, entry.compressedSize] : []), ...(isFar ? [entry.offset] : [])]
  const extra = values.length > 0 ? zip64Extra(values) : Buffer.alloc(0)
  const version = values.length > 0 ? zip64Version : usualVersion
  const name = Buffer.from(entry.name)
  return Buffer.concat([
    fields(
      [4, 0x02014b50],
      [2, madeByUnix * 0x100 + version],
      [2, version],
      [2, flags],
      [2, deflateMethod],
      [2, time],
      [2, date],
      [4, entry.crc],
      [4, large ? most32 : entry.compressedSize],
      [4, large ? most32 : entry.size],
      [2, name.length],
      [2, extra.length],
      // No comment, on the first disk, of binary data.
      [2, 0],
      [2, 0],
      [2, 0],
      [4, attributes],
      [4, isFar ? most32 : entry.offset],
    ),
    name,
    extra,
  ])
}

export interface CentralDirectory {
  readonly entries: number
  readonly offset: number
  readonly size: number
}

export function endRecords({ entries, offset, size }: CentralDirectory): Buffer {
  const end = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, Math.min(entries, most16)],
    [2, Math.min(entries, most16)],
    [4, Math.min(size, most32)],
    [4, Math.min(offset, most32)],
    [2, 0],
  )
  if (entries < most16 && offset < most32 && size < most32) return end
  const end64 = fields(
    [4, 0x06064b50],
    // The bytes after this field.
    [8, 44],
    [2, madeByUnix * 0x100 + zip64Version],
    [2, zip64Version],
    [4, 0],
    [4, 0],
    [8, entries],
    [8, entries],
    [8, size],
    [8, offset],
  )
  const locator = fields([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1])
  return Buffer.concat([end64, locator, end])
}

function zip64Extra(values: readonly number[]): Buffer {
  return Buffer.concat([fields([2, 0x0001], [2, values.length * 8]), fields(...values.map(toField64))])
}

function toField64(value: number): Field {
  return [8, value]
}

type Field = readonly [bytes: 2 | 4 | 8, value: number]

/** Numbers one after another, the least byte first. */
function fields(...list: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(list.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of list) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return buffer
}
