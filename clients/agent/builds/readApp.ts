/** The identity of an iOS app, which is in the Info.plist of its .ipa file. */
import { promisify } from 'node:util'
import { parse } from 'plist'
import * as v from 'valibot'
import { type Entry, open, type ZipFile } from 'yauzl'

/** An Info.plist has some KiB. */
const largestPlist = 1024 * 1024
/** An app has thousands of files, and the Info.plist is one of them. */
const mostEntries = 100_000

const text = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200))

const Info = v.object({
  CFBundleIdentifier: v.pipe(text, v.regex(/^[A-Za-z0-9.-]+$/, 'it is not a bundle identifier')),
  CFBundleShortVersionString: v.optional(text),
  CFBundleVersion: v.optional(text),
  CFBundleDisplayName: v.optional(text),
  CFBundleName: v.optional(text),
})

export interface AppFacts {
  readonly bundleIdentifier: string
  readonly version: string
  readonly build: string | null
  /** The name for people. */
  readonly title: string
}

/** @throws Error if the file is not a zip, has no Info.plist, or the Info.plist cannot be read */
export async function readApp(path: string): Promise<AppFacts> {
  const info = v.safeParse(Info, parsePlist(await readInfo(path)))
  if (!info.success) {
    const [issue] = info.issues
    throw new Error(`${v.getDotPath(issue) ?? 'Info.plist'}: ${issue.message}`)
  }
  const { CFBundleIdentifier: bundleIdentifier, CFBundleVersion: build = null } = info.output
  const { CFBundleShortVersionString, CFBundleDisplayName, CFBundleName } = info.output
  return {
    bundleIdentifier,
    version: CFBundleShortVersionString ?? build ?? '1.0',
    build,
    title: CFBundleDisplayName ?? CFBundleName ?? bundleIdentifier,
  }
}

/** XML or binary. */
function parsePlist(bytes: Buffer) {
  return parse(bytes.toString('latin1', 0, 6) === 'bplist' ? bytes : bytes.toString())
}

async function readInfo(path: string): Promise<Buffer> {
  const zip = await promisify<string, { lazyEntries: true }, ZipFile>(open)(path, { lazyEntries: true })
  try {
    const entry = await findInfo(zip)
    if (entry.uncompressedSize > largestPlist)
      throw new Error(`the Info.plist has ${entry.uncompressedSize} bytes, more than ${largestPlist}`)
    const stream = await promisify(zip.openReadStream.bind(zip) as (entry: Entry, done: Done) => void)(entry)
    const chunks: Uint8Array[] = []
    // The stream ends with an error after the size that the entry states.
    for await (const chunk of stream as AsyncIterable<Uint8Array>) chunks.push(chunk)
    return Buffer.concat(chunks)
  } finally {
    zip.close()
  }
}

type Done = (error: Error | null, stream: NodeJS.ReadableStream) => void

/** The one of the app itself, not those of frameworks and extensions in it. */
async function findInfo(zip: ZipFile): Promise<Entry> {
  let seen = 0
  const found = Promise.withResolvers<Entry>()
  zip.on('error', found.reject)
  zip.on('end', () => found.reject(new Error('it has no Payload/NAME.app/Info.plist')))
  zip.on('entry', (entry) => {
    if (/^Payload\/[^/]+\.app\/Info\.plist$/.test(entry.fileName)) return found.resolve(entry)
    if (++seen > mostEntries) return found.reject(new Error(`it has more than ${mostEntries} files`))
    zip.readEntry()
  })
  zip.readEntry()
  return await found.promise
}
