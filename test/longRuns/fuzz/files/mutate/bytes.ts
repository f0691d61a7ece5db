/** Changes of the bytes of any file. */
import type { Random } from '../../../soak/random.ts'
import { hostileNumber } from './hostile.ts'

type ByteChange = (file: Buffer, random: Random, other: Buffer) => Buffer

const place = (file: Buffer, random: Random): number => random.below(file.length + 1)
/** The end of a part that begins there. Most parts are short. */
const endFrom = (start: number, file: Buffer, random: Random): number =>
  Math.min(file.length, start + random.between(1, random.pick([4, 16, 64, 1_024, 65_536])))
const replaced = (file: Buffer, start: number, end: number, by: Uint8Array): Buffer =>
  Buffer.concat([file.subarray(0, start), by, file.subarray(end)])

/** A file does not grow beyond this. */
const mostBytes = 1024 * 1024

const changes: readonly ByteChange[] = [
  function flipBits(file, random) {
    const bytes = Buffer.from(file)
    for (let count = random.pick([1, 1, 2, 8]); count > 0 && bytes.length > 0; count--) {
      const at = random.below(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
    }
    return bytes
  },
  function setBytes(file, random) {
    const bytes = Buffer.from(file)
    for (let count = random.pick([1, 1, 2, 8]); count > 0 && bytes.length > 0; count--)
      bytes[random.below(bytes.length)] = random.pick([0, 1, 0x7f, 0x80, 0xff, random.below(256)])
    return bytes
  },
  function setNumber(file, random) {
    const bits = random.pick([8, 16, 32, 64])
    const number = Buffer.alloc(8)
    number.writeBigUInt64LE(hostileNumber(random, bits, [file.length]))
    const bytes = number.subarray(0, bits / 8)
    const start = place(file, random)
    return replaced(file, start, start + bytes.length, random.chance(0.5) ? bytes : bytes.toReversed())
  },
  function insert(file, random) {
    const start = place(file, random)
    return replaced(file, start, start, random.bytes(random.between(1, 16)))
  },
  function remove(file, random) {
    const start = place(file, random)
    return replaced(file, start, endFrom(start, file, random), Buffer.alloc(0))
  },
  function repeat(file, random) {
    const start = place(file, random)
    const chunk = file.subarray(start, endFrom(start, file, random))
    const most = Math.floor((mostBytes - file.length) / Math.max(1, chunk.length))
    const times = Math.min(Math.max(0, most), random.pick([1, 1, 2, 10, 100, 10_000]))
    return replaced(file, start, start, Buffer.concat(Array.from({ length: times }, () => chunk)))
  },
  function copyWithin(file, random) {
    const from = place(file, random)
    const to = place(file, random)
    const chunk = file.subarray(from, endFrom(from, file, random))
    return replaced(file, to, to + chunk.length, chunk)
  },
  function truncate(file, random) {
    return file.subarray(0, place(file, random))
  },
  function dropHead(file, random) {
    return file.subarray(endFrom(0, file, random))
  },
  function splice(file, random, other) {
    return Buffer.concat([file.subarray(0, place(file, random)), other.subarray(place(other, random))])
  },
  function insertOther(file, random, other) {
    const from = place(other, random)
    const at = place(file, random)
    return replaced(file, at, at, other.subarray(from, endFrom(from, other, random)))
  },
]

export function mutateBytes(file: Buffer, random: Random, other: Buffer): Buffer {
  return random.pick(changes)(file, random, other).subarray(0, mostBytes)
}

/** A number in a file. */
export interface NumberField {
  readonly at: number
  readonly bytes: 1 | 2 | 4 | 8
  readonly isBigEndian?: boolean
}

/** Sets one of the fields to a hostile number, or to that of another field. */
export function mutateNumber(file: Buffer, fields: readonly NumberField[], random: Random): Buffer {
  const inFile = fields.filter(({ at, bytes }) => at >= 0 && at + bytes <= file.length)
  if (inFile.length === 0) return file
  const [target, source] = [random.pick(inFile), random.pick(inFile)]
  const own = readNumber(file, target)
  const near = [file.length, Number(own), Number(readNumber(file, source))]
  const copy = Buffer.from(file)
  writeNumber(copy, target, hostileNumber(random, target.bytes * 8, near))
  return copy
}

export function readNumber(file: Buffer, { at, bytes, isBigEndian = false }: NumberField): bigint {
  const own = Buffer.from(file.subarray(at, at + bytes))
  if (!isBigEndian) own.reverse()
  return BigInt(`0x0${own.toString('hex')}`)
}

export function writeNumber(file: Buffer, { at, bytes, isBigEndian = false }: NumberField, value: bigint): void {
  const number = Buffer.alloc(8)
  number.writeBigUInt64LE(BigInt.asUintN(64, value))
  const own = number.subarray(0, bytes)
  file.set(isBigEndian ? own.toReversed() : own, at)
}
