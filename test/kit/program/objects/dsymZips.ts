/** Zips with small dSYMs, whose Mach-O files have one function in their symbol table and no DWARF. */
import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Upper case, as crash reports write it. */
export const newImageUuid = (): string => randomUUID().toUpperCase()

/** The addresses of the image and of its function `main`, as the linker chose them. */
export const smallImage = { address: 0x1_0000_0000n, mainAddress: 0x1_0000_1000n, mainBytes: 0x100n } as const

const header = { bytes: 32, uuidBytes: 24, segmentBytes: 72, sectionBytes: 80, symbolsBytes: 24 } as const
const commandBytes = header.uuidBytes + header.segmentBytes + header.sectionBytes + header.symbolsBytes
const symbolOffset = header.bytes + commandBytes
const symbolBytes = 16
const symbolNames = Buffer.from('\0_main\0\0')
/** Bytes of the file without padding. */
export const smallMachOBytes = symbolOffset + symbolBytes + symbolNames.length

/** A file of the type MH_DSYM for arm64: LC_UUID, `__TEXT` with one section, and LC_SYMTAB. Source: Apple's `mach-o/loader.h`. */
export function smallMachO(uuid: string, padding = 0): Buffer {
  const file = Buffer.alloc(smallMachOBytes + padding)
  let at = 0
  const words = (...all: readonly number[]): void => {
    for (const word of all) at = file.writeUInt32LE(word, at)
  }
  const name = (text: string): void => {
    file.write(text, at, 'latin1')
    at += 16
  }
  const places = (...all: readonly bigint[]): void => {
    for (const place of all) at = file.writeBigUInt64LE(place, at)
  }
  words(0xfeedfacf, 0x0100000c, 0, 0xa, 3, commandBytes, 0, 0)
  words(0x1b, header.uuidBytes)
  at += Buffer.from(uuid.replaceAll('-', ''), 'hex').copy(file, at)
  words(0x19, header.segmentBytes + header.sectionBytes)
  name('__TEXT')
  places(smallImage.address, 0x4000n, 0n, 0n)
  words(5, 5, 1, 0)
  name('__text')
  name('__TEXT')
  places(smallImage.mainAddress, smallImage.mainBytes)
  words(0, 4, 0, 0, 0x80000400, 0, 0, 0)
  words(0x2, header.symbolsBytes, symbolOffset, 1, symbolOffset + symbolBytes, symbolNames.length)
  // A defined external symbol (N_SECT | N_EXT) in section 1.
  words(1)
  file.writeUInt8(0x0f, at)
  file.writeUInt8(1, at + 1)
  at += 4
  places(smallImage.mainAddress)
  symbolNames.copy(file, at)
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
