/**
 * An upload of dSYMs by the client, beside curl, which sends the same zip in the same chunks. Each turn has a server without data: a zip that
 * it has already is not sent again.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findBundles } from '../../../../clients/dsym/find/findBundles.ts'
import { startClient, writeClient } from '../../../clients/dsym/kit/client.ts'
import { planBundles, zipInto } from '../../../clients/dsym/kit/zips.ts'
import {
  type CompiledImage,
  makeAppOfImages,
  symbolsOfImage,
  zipOfImages,
} from '../../../kit/program/objects/appImages.ts'
import { createDsymUpload } from '../../../kit/program/objects/dsymUploads.ts'
import { infoPlist } from '../../../kit/program/objects/dsymZips.ts'
import { startBenched } from '../support/benched.ts'
import { uploadDsyms } from './crashReports.ts'

export interface DsymUploadBench {
  readonly compiled: CompiledImage
  readonly bundles: number
  readonly rounds: number
  readonly profile?: string | undefined
  print(line: string): void
}

/** Seconds of the parts of one upload. Those that a program does not have are absent. */
export interface UploadParts {
  readonly zip?: number
  readonly hash?: number
  readonly send: number
  readonly index: number
  /** From the start of the program to its end. */
  readonly whole: number
}

export interface DsymUploadFigures {
  /** Of all files of the bundles. */
  readonly bundleBytes: number
  readonly zipBytes: number
  readonly client: readonly UploadParts[]
  readonly curl: readonly UploadParts[]
}

const chunkBytes = 16 * 1024 * 1024

export async function measureDsymUpload(bench: DsymUploadBench): Promise<DsymUploadFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
  try {
    const products = join(folder, 'products')
    const bundleBytes = writeBundles(products, bench)
    const program = await writeClient(folder)
    const zip = await zipBundles(products, folder)
    const contenders = {
      client: (sender: Sender) => uploadByClient(sender, { folder, products, program, zip }),
      curl: (sender: Sender) => uploadByCurl(sender, { folder, zip }),
    }
    const parts: Record<keyof typeof contenders, UploadParts[]> = { client: [], curl: [] }
    const names = Object.keys(contenders) as (keyof typeof contenders)[]
    for (let round = 0; round < bench.rounds; round++)
      for (const name of round % 2 ? names.toReversed() : names) {
        const found = await onNewServer(join(folder, `${name}${round}`), bench, contenders[name])
        parts[name].push(found)
        bench.print(`${name}: sent in ${found.send.toFixed(2)} s, whole in ${found.whole.toFixed(2)} s`)
      }
    return { bundleBytes, zipBytes: readFileSync(zip).length, ...parts }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Sender {
  readonly url: string
  readonly key: string
}

/** @returns the bytes of all files */
function writeBundles(folder: string, { bundles, compiled }: DsymUploadBench): number {
  let bytes = 0
  for (const image of makeAppOfImages('org.example.shop', bundles).images) {
    const contents = join(folder, `${image.name}.dSYM`, 'Contents')
    mkdirSync(join(contents, 'Resources', 'DWARF'), { recursive: true })
    const files = { 'Info.plist': Buffer.from(infoPlist('org.example.shop')) }
    const symbols = symbolsOfImage(compiled, image)
    for (const [name, content] of [...Object.entries(files), [`Resources/DWARF/${image.name}`, symbols] as const]) {
      writeFileSync(join(contents, name), content)
      bytes += content.length
    }
  }
  return bytes
}

/** As the client does it. @returns the path */
async function zipBundles(products: string, folder: string): Promise<string> {
  const { bundles } = await findBundles([products], (warning) => assert.fail(warning))
  const [plan, more] = await planBundles(bundles)
  if (plan === undefined || more !== undefined)
    throw new Error(`The ${bundles.length} bundles do not become exactly one zip.`)
  return await zipInto(folder, plan)
}

async function onNewServer<T>(
  folder: string,
  { compiled, profile }: DsymUploadBench,
  work: (sender: Sender) => Promise<T>,
): Promise<T> {
  mkdirSync(folder)
  const benched = await startBenched(join(folder, 'data'), 0, { log: join(folder, 'log'), profile })
  try {
    const sender = { url: benched.url, key: benched.apiKey }
    // The code of the server is compiled afterwards.
    await uploadDsyms(sender, zipOfImages(makeAppOfImages('org.example.warm', 3), compiled))
    return await work(sender)
  } finally {
    await benched.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function uploadByClient(
  { url, key }: Sender,
  { folder, products, program, zip }: { folder: string; products: string; program: string; zip: string },
): Promise<UploadParts> {
  const began = performance.now()
  const client = startClient({
    ...{ program, folder, arguments: ['upload', products] },
    environment: { SIGNALBOX_SERVER: url, SIGNALBOX_API_KEY: key, RUNNER_TEMP: folder },
  })
  const { code } = await client.ended
  const whole = (performance.now() - began) / 1_000
  const output = client.stdout()
  assert.equal(code, 0, output + client.stderr())
  assert.ok(output.includes(sha256Of(zip)), `The client has sent another zip than curl sends: ${output}`)
  const [, ...seconds] =
    /zipped in ([\d.]+) s, hashed in ([\d.]+) s, sent in ([\d.]+) s, indexed by the server in ([\d.]+) s/.exec(
      output,
    ) ?? []
  const [zipped, hash, send, index] = seconds.map(Number)
  if (zipped === undefined || hash === undefined || send === undefined || index === undefined)
    throw new Error(`The client has printed no durations: ${output}`)
  return { zip: zipped, hash, send, index, whole }
}

/** One process of curl sends all chunks over one connection. */
async function uploadByCurl(sender: Sender, { folder, zip }: { folder: string; zip: string }): Promise<UploadParts> {
  const bytes = readFileSync(zip)
  const { id } = await createDsymUpload(sender, bytes)
  const upload = `${sender.url}/api/dsyms/uploads/${id}`
  const chunks: string[][] = []
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
    const path = join(folder, `chunk-${offset}`)
    writeFileSync(path, bytes.subarray(offset, offset + chunkBytes))
    const headers = ['Content-Type: application/offset+octet-stream', `Upload-Offset: ${offset}`]
    chunks.push(['-X', 'PATCH', '-T', path, '-o', devNull, ...headers.flatMap((header) => ['-H', header]), upload])
  }
  const send = await timeCurl(sender, chunks)
  const index = await timeCurl(sender, [['-X', 'POST', '-o', join(folder, 'answer'), `${upload}/complete`]])
  const { status } = JSON.parse(readFileSync(join(folder, 'answer'), 'utf8')) as { readonly status: string }
  assert.equal(status, 'INDEXED')
  return { send, index, whole: send + index }
}

/** @returns seconds from the start of the process to its end @throws Error if a request is refused */
async function timeCurl({ key }: Sender, requests: readonly (readonly string[])[]): Promise<number> {
  // Without `Expect`, curl sends the body at once.
  const usual = ['-sS', '--fail', '-H', `X-API-Key: ${key}`, '-H', 'Expect:']
  const args = requests.flatMap((request, index) => [...(index === 0 ? [] : ['--next']), ...usual, ...request])
  const began = performance.now()
  await promisify(execFile)('curl', args)
  return (performance.now() - began) / 1_000
}

function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
