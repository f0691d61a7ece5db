/** The dSYMs in zips that Python's zipfile writes, and in zips that are made to harm their reader. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { sourceOf } from '../../../../gateway/operations/apps/dsymFiles/byteSource.ts'
import { readDsymZip, type ZipBounds, ZipProblem } from '../../../../gateway/operations/apps/dsymFiles/dsymZip.ts'
import { Random } from '../../../longRuns/soak/random.ts'

const folder = mkdtempSync(join(tmpdir(), 'dsym-zip-'))
after(() => rmSync(folder, { recursive: true }))

const bounds: ZipBounds = { files: 100_000, bundles: 500, bytes: 1024 ** 3 }
const read = (bytes: Uint8Array, own: Partial<ZipBounds> = {}) => readDsymZip(sourceOf(bytes), { ...bounds, ...own })

/** Runs a script of Python that writes the zip `z`, and returns its bytes. */
function zipOf(script: string): Buffer {
  const path = join(folder, 'made.zip')
  const lines = [
    'import zipfile, sys, stat, io',
    `z = zipfile.ZipFile(${JSON.stringify(path)}, 'w', zipfile.ZIP_DEFLATED)`,
  ]
  writeFileSync(join(folder, 'make.py'), `${[...lines, script, 'z.close()'].join('\n')}\n`)
  execFileSync('python3', ['-W', 'ignore', join(folder, 'make.py')])
  return readFileSync(path)
}

const app = 'Products/Shop.app.dSYM'
const symbols = `${app}/Contents/Resources/DWARF/Shop`
const whole = `
z.writestr('${app}/Contents/Info.plist', b'plist')
z.writestr('${symbols}', b'symbols' * 1000)
z.writestr('${app}/Contents/Resources/Relocations/aarch64/Shop.yml', b'not read')
z.writestr('__MACOSX/${app}/Contents/Resources/DWARF/._Shop', b'attributes')
z.writestr('${app}/Contents/Resources/DWARF/._Shop', b'attributes')
z.writestr('README.txt', b'other files are left out')
z.writestr('Pay.framework.dSYM/Contents/Resources/DWARF/Pay', b'pay')
`

async function contentsOf(bytes: Uint8Array) {
  const { bundles } = await read(bytes)
  return await Promise.all(
    bundles.map(async ({ path, infoPlist, symbols: files }) => ({
      path,
      infoPlist: infoPlist && (await buffer(await infoPlist.open())).toString(),
      symbols: await Promise.all(
        files.map(async (file) => [file.path, (await buffer(await file.open())).length, file.size]),
      ),
    })),
  )
}

const wholeContents = [
  { path: app, infoPlist: 'plist', symbols: [[symbols, 7_000, 7_000]] },
  {
    path: 'Pay.framework.dSYM',
    infoPlist: undefined,
    symbols: [['Pay.framework.dSYM/Contents/Resources/DWARF/Pay', 3, 3]],
  },
]

describe('a zip', () => {
  test('returns the dSYMs of any folder, without other files and those that macOS adds', async () => {
    assert.deepEqual(await contentsOf(zipOf(whole)), wholeContents)
  })

  test('can have uncompressed files or 64-bit sizes', async () => {
    assert.deepEqual(
      await contentsOf(zipOf(whole.replaceAll('z.writestr', 'z.compression = 0; z.writestr'))),
      wholeContents,
    )
    const wide = whole.replace(
      /^z\.writestr\((.*), (.*)\)$/gm,
      (_, name, bytes) => `with z.open(zipfile.ZipInfo(${name}), 'w', force_zip64=True) as f: f.write(${bytes})`,
    )
    assert.deepEqual(await contentsOf(zipOf(wide)), wholeContents)
  })

  test('can be written as a stream, with the sizes after the bytes', async () => {
    const path = JSON.stringify(join(folder, 'made.zip'))
    const streamed = `
class Pipe(io.RawIOBase):
  def __init__(self, f): self.f = f
  def writable(self): return True
  def write(self, b): return self.f.write(b)
z.close()
z = zipfile.ZipFile(Pipe(open(${path}, 'wb')), 'w', zipfile.ZIP_DEFLATED)
${whole}`
    assert.deepEqual(await contentsOf(zipOf(streamed)), wholeContents)
  })

  test('can have more than 65,535 files', async () => {
    const bytes = zipOf(`for n in range(66000): z.writestr(f'f{n}', b'')\n${whole}`)
    assert.deepEqual(await contentsOf(bytes), wholeContents)
    await assert.rejects(read(bytes, { files: 66_000 }), new ZipProblem('has 66007 files, and at most 66000 are read'))
  })

  test('can have names of any language, and links in a dSYM are listed', async () => {
    const { bundles, links } = await read(
      zipOf(`
z.writestr('Größe 大.dSYM/Contents/Resources/DWARF/Größe', b'x')
link = zipfile.ZipInfo('Größe 大.dSYM/Contents/Resources/DWARF/Link'); link.create_system = 3
link.external_attr = (stat.S_IFLNK | 0o777) << 16
z.writestr(link, b'/etc/passwd')
`),
    )
    assert.deepEqual(
      [bundles.map(({ path, symbols: files }) => [path, files.length]), links],
      [[['Größe 大.dSYM', 1]], ['Größe 大.dSYM/Contents/Resources/DWARF/Link']],
    )
  })
})

describe('a hostile zip', () => {
  const symbolsIn = (name: string, bytes = "b'x'") => `z.writestr(${JSON.stringify(name)}, ${bytes})`
  const hostile: readonly (readonly [string, string, RegExp])[] = [
    ['with an absolute name', symbolsIn(`/${symbols}`), /^cannot be read: absolute path/],
    ['with a name above its folder', symbolsIn(`a/../../${symbols}`), /^cannot be read: invalid relative path/],
    [
      'with a backslash in a name',
      symbolsIn(symbols.replaceAll('/', '\\')),
      /^cannot be read: invalid characters in fileName/,
    ],
    [
      'with two files of one name',
      `${symbolsIn(symbols)}\n${symbolsIn(symbols)}`,
      /^has two files with the name "Products/,
    ],
    [
      'with a file that is compressed to less than 1/200',
      symbolsIn(symbols, "b'\\0' * 2000000"),
      /^has ".*DWARF\/Shop", which is packed to less than 1\/200$/,
    ],
    [
      'with another compression',
      `z.compression = zipfile.ZIP_BZIP2\n${symbolsIn(symbols)}`,
      /^has ".*" with the compression method 12\. Only Deflate is read$/,
    ],
    [
      'with more dSYMs than are read',
      `for n in range(501): z.writestr(f'a{n}.dSYM/Contents/Info.plist', b'x')`,
      /^has more than 500 dSYMs\. Send them in several zips$/,
    ],
  ]
  for (const [title, script, message] of hostile)
    test(`${title} is refused`, () => assert.rejects(read(zipOf(script)), { name: 'ZipProblem', message }))

  test('that is not a zip is refused with a message that does not end with a period', () =>
    assert.rejects(read(Buffer.from('no zip')), { name: 'ZipProblem', message: /^cannot be read: .*[^.]$/ }))

  test('with more bytes than are unpacked is refused', () =>
    assert.rejects(
      read(zipOf(whole), { bytes: 7_000 }),
      new ZipProblem('has more than 7000 bytes when it is unpacked'),
    ))

  /** The places of the central headers. */
  const headersOf = (bytes: Buffer): number[] => {
    const found = []
    for (let at = bytes.indexOf('PK\u0001\u0002'); at >= 0; at = bytes.indexOf('PK\u0001\u0002', at + 1)) found.push(at)
    return found
  }

  test('whose files share their bytes is refused', async () => {
    const bytes = zipOf(`${symbolsIn(symbols)}\n${symbolsIn(`${symbols}2`)}`)
    const [first = 0, second = 0] = headersOf(bytes)
    bytes.copy(bytes, second + 42, first + 42, first + 46)
    await assert.rejects(read(bytes), { name: 'ZipProblem', message: /^has files that overlap, such as "Products/ })
  })

  test('is refused with a problem that can be stored and shown', async () => {
    const name = `\\\u0001\u202e${'x'.repeat(40_000)}`
    const error = await read(zipOf(symbolsIn(name))).catch((problem: unknown) => problem)
    assert.ok(error instanceof ZipProblem)
    assert.match(error.message, /^cannot be read: invalid characters in fileName: \\\ufffd\ufffdx+…$/)
    assert.equal(error.message.length, 500)
  })

  test('with an encrypted file is refused', async () => {
    const bytes = zipOf(symbolsIn(symbols))
    const [header = 0] = headersOf(bytes)
    bytes.writeUInt16LE(bytes.readUInt16LE(header + 8) | 1, header + 8)
    await assert.rejects(read(bytes), { name: 'ZipProblem', message: /^has the encrypted file "Products/ })
  })

  test('that states another size fails at the end of the file', async () => {
    const bytes = zipOf(symbolsIn(symbols, "b'symbols' * 1000"))
    const [header = 0] = headersOf(bytes)
    bytes.writeUInt32LE(6_000, header + 24)
    const { bundles } = await read(bytes)
    await assert.rejects(async () => {
      for (const file of bundles[0]?.symbols ?? []) await buffer(await file.open())
    }, /too many bytes in the stream/)
  })

  test('that is cut off or damaged is read or refused, without any other error', async () => {
    const original = zipOf(whole)
    const random = new Random(22)
    const outcomes = { read: 0, refused: 0 }
    const attempt = async (bytes: Buffer) => {
      try {
        for (const { symbols: files, infoPlist } of (await read(bytes)).bundles)
          for (const file of [...files, ...(infoPlist ? [infoPlist] : [])]) await buffer(await file.open())
        outcomes.read++
      } catch (error) {
        assert.ok(error instanceof Error && !(error instanceof TypeError), String(error))
        outcomes.refused++
      }
    }
    for (let length = 0; length < original.length; length += 7) await attempt(original.subarray(0, length))
    for (let round = 0; round < 500; round++) {
      const bytes = Buffer.from(original)
      for (let change = 1 + random.below(4); change > 0; change--)
        bytes[random.below(bytes.length)] = random.pick([0, 1, 0x7f, 0x80, 0xff, random.below(256)])
      await attempt(bytes)
    }
    assert.ok(outcomes.read > 50 && outcomes.refused > 200, JSON.stringify(outcomes))
  })
})

test('a problem has the same message after a thread passes it on, even if it ends with two periods', () => {
  const { message } = new ZipProblem('cannot be read: invalid relative path: README/..')
  assert.equal(message, 'cannot be read: invalid relative path: README/')
  assert.equal(new ZipProblem(message).message, message)
})
