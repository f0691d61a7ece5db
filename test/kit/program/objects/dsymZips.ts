/** Zips with small dSYMs, whose Mach-O files have headers and no symbols. */
import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Upper case, as crash reports write it. */
export const newImageUuid = (): string => randomUUID().toUpperCase()

/** A file of the type MH_DSYM for arm64 with one load command, LC_UUID. Source: Apple's `mach-o/loader.h`. */
export function smallMachO(uuid: string, padding = 0): Buffer {
  const file = Buffer.alloc(56 + padding)
  const words = [0xfeedfacf, 0x0100000c, 0, 0xa, 1, 24, 0, 0, 0x1b, 24]
  for (const [index, word] of words.entries()) file.writeUInt32LE(word, index * 4)
  Buffer.from(uuid.replaceAll('-', ''), 'hex').copy(file, 40)
  return file
}

export function infoPlist(bundleIdentifier: string, version = '1.2', build = '34'): string {
  const fields = {
    CFBundleIdentifier: `com.apple.xcode.dsym.${bundleIdentifier}`,
    CFBundlePackageType: 'dSYM',
    CFBundleShortVersionString: version,
    CFBundleVersion: build,
  }
  const lines = Object.entries(fields).map(([key, value]) => `<key>${key}</key><string>${value}</string>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>${lines.join('')}</dict></plist>\n`
}

export interface SmallDsym {
  /** The name of the bundle without `.dSYM`. */
  readonly name: string
  readonly bundleIdentifier: string
  readonly uuid?: string
  /** Bytes of the file beyond its headers. */
  readonly padding?: number
}

/** A zip of dSYMs whose files are stored without compression. */
export function zipOfDsyms(dsyms: readonly SmallDsym[]): Buffer {
  return storedZip(
    dsyms.flatMap(({ name, bundleIdentifier, uuid = newImageUuid(), padding }): [string, Buffer][] => [
      [`${name}.dSYM/Contents/Info.plist`, Buffer.from(infoPlist(bundleIdentifier))],
      [`${name}.dSYM/Contents/Resources/DWARF/${name.split('.')[0]}`, smallMachO(uuid, padding)],
    ]),
  )
}

/** Source of the format: PKWARE's APPNOTE 6.3. */
export function storedZip(files: readonly (readonly [path: string, bytes: Buffer])[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, bytes] of files) {
    const name = Buffer.from(path)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    parts.push(Buffer.from('PK\x03\x04'), facts, name, bytes)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), facts, place, name)
    offset += 30 + name.length + bytes.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, entries, end])
}
