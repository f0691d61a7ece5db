/** Property lists in Apple's binary format, valid ones and hostile ones. */

const trailerBytes = 32

/** An object of a binary property list. A reference is the number of an object. */
export type BinaryObject =
  | { readonly text: string }
  | { readonly bytes: Buffer }
  | { readonly array: readonly number[] }
  | { readonly keys: readonly number[]; readonly values: readonly number[] }

/** The first object is the whole. Source of the format: Apple's `CFBinaryPList.c`. */
export function writeBinaryPlist(objects: readonly BinaryObject[], top = 0): Buffer {
  const referenceBytes = objects.length > 256 ? 2 : 1
  const references = (all: readonly number[]) => {
    const bytes = Buffer.alloc(all.length * referenceBytes)
    for (const [index, one] of all.entries()) bytes.writeUIntBE(one, index * referenceBytes, referenceBytes)
    return bytes
  }
  const parts = objects.map((object) => {
    if ('bytes' in object) return object.bytes
    if ('array' in object) return Buffer.concat([marker(0xa, object.array.length), references(object.array)])
    if ('keys' in object)
      return Buffer.concat([marker(0xd, object.keys.length), references(object.keys), references(object.values)])
    const isAscii = /^\p{ASCII}*$/u.test(object.text)
    const characters = isAscii ? Buffer.from(object.text, 'latin1') : Buffer.from(object.text, 'utf16le').swap16()
    return Buffer.concat([marker(isAscii ? 0x5 : 0x6, object.text.length), characters])
  })
  const offsets = Buffer.alloc(objects.length * 4)
  let at = 8
  for (const [index, part] of parts.entries()) {
    offsets.writeUInt32BE(at, index * 4)
    at += part.length
  }
  const trailer = Buffer.alloc(trailerBytes)
  trailer[6] = 4
  trailer[7] = referenceBytes
  trailer.writeBigUInt64BE(BigInt(objects.length), 8)
  trailer.writeBigUInt64BE(BigInt(top), 16)
  trailer.writeBigUInt64BE(BigInt(at), 24)
  return Buffer.concat([Buffer.from('bplist00'), ...parts, offsets, trailer])
}

/** The type of an object and its count, which follows as a number if it is 15 or more. */
function marker(type: number, count: number): Buffer {
  if (count < 15) return Buffer.from([(type << 4) | count])
  const bytes = Buffer.alloc(6)
  bytes[0] = (type << 4) | 15
  bytes[1] = 0x12
  bytes.writeUInt32BE(count, 2)
  return bytes
}
