/** Uploads that are cut off again and again: by killed servers, killed senders, broken connections and an S3 that fails. */
import { fork } from 'node:child_process'
import { createHash, randomFillSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sweepBlobs } from '../../../../gateway/operations/builds/uploads/blobSweep.ts'
import { withRowTypes } from '../../../../gateway/operations/typedViews.ts'
import { uploadBlob, uploadBlobFolder } from '../../../../spec/builds/uploads.ts'
import { type CuttingTcpProxy, startCuttingTcpProxy } from '../../../kit/program/servers/cuttingTcpProxy.ts'
import { type Random, random as randomOf } from '../random.ts'
import type { SenderMessage, SenderOptions } from './sender.ts'
import { type BlobPlace, startUploadStage, type UploadStage } from './uploadStage.ts'

const MiB = 1024 * 1024
/**
 * The most bytes that a cut may cost: those that the server has not committed, and those that its kernel has received and the server has not
 * read. The second is large only while the server is slow.
 */
const mostAgainBytes = 16 * MiB + largestReceiveBuffer()
const sendersAtOnce = 3
const mostBytes = 40 * MiB
const pauseOfS3Ms = 1_500

export type CutKind = 'reset' | 'silence' | 'killServer' | 'killSender' | 'failS3'

/** Of a hundred cuts. A killed server takes seconds to start. */
const shares: Readonly<Record<CutKind, number>> = { reset: 40, silence: 10, killServer: 12, killSender: 26, failS3: 12 }

export interface UploadChaosOptions {
  readonly seed: number
  readonly cuts: number
  readonly place: BlobPlace
  readonly signal?: AbortSignal
  say?(line: string): void
  onViolation?(text: string): void
}

export interface UploadChaosResult {
  readonly cuts: Readonly<Record<CutKind, number>>
  readonly uploads: number
  readonly bytes: number
  /** Bytes that were sent more than once, and the most of one cut, as a mean of its upload. */
  readonly again: number
  readonly mostAgainPerCut: number
  readonly violations: readonly string[]
  readonly seconds: number
}

export async function uploadChaos(options: UploadChaosOptions): Promise<UploadChaosResult> {
  const { seed, place, say = () => {} } = options
  const began = performance.now()
  const stage = await startUploadStage(place)
  const folder = await mkdtemp(join(tmpdir(), 'sb-upload-chaos-'))
  const run = new ChaosRun(stage, folder, options)
  try {
    await Promise.all(Array.from({ length: sendersAtOnce }, (_, n) => run.sendMany(randomOf(seed * 100 + n))))
    say('all cuts are done; looking for orphans and lost bytes')
    await run.verifyEnd()
  } finally {
    await stage.end()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...run.result(), seconds: (performance.now() - began) / 1_000 }
}

class ChaosRun {
  readonly #stage: UploadStage
  readonly #folder: string
  readonly #options: UploadChaosOptions
  readonly #cuts: Record<CutKind, number> = { reset: 0, silence: 0, killServer: 0, killSender: 0, failS3: 0 }
  readonly #violations: string[] = []
  readonly #ids: string[] = []
  /** Cuts that hit every upload, because a server or S3 failed. */
  #common = 0
  /** Failures that go on: a server or S3 that starts again. */
  readonly #failures = new Set<Promise<void>>()
  #isS3Stopped = false
  #bytes = 0
  #again = 0
  #mostAgain = 0
  #files = 0

  constructor(stage: UploadStage, folder: string, options: UploadChaosOptions) {
    this.#stage = stage
    this.#folder = folder
    this.#options = options
  }

  result(): Omit<UploadChaosResult, 'seconds'> {
    return {
      cuts: this.#cuts,
      uploads: this.#ids.length,
      bytes: this.#bytes,
      again: this.#again,
      mostAgainPerCut: this.#mostAgain,
      violations: this.#violations,
    }
  }

  get #total(): number {
    return Object.values(this.#cuts).reduce((sum, count) => sum + count, 0)
  }

  #violate(text: string): void {
    this.#violations.push(text)
    this.#options.onViolation?.(text)
  }

  async sendMany(random: Random): Promise<void> {
    while (this.#total < this.#options.cuts && this.#options.signal?.aborted !== true) await this.#sendOne(random)
  }

  async #sendOne(random: Random): Promise<void> {
    const { names } = this.#stage
    // Each connection may reach another server.
    const proxy = await startCuttingTcpProxy(() => {
      const name = random.pick(names) ?? 'one'
      return Number(new URL(this.#stage.server(name).url).port)
    })
    try {
      const size = 1 + Math.floor(random.next() * mostBytes)
      const bytes = randomFillSync(Buffer.allocUnsafe(size))
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const path = join(this.#folder, `file-${this.#files++}`)
      await writeFile(path, bytes)
      const id = await this.#stage.create(size, sha256)
      this.#ids.push(id)
      const cutsBefore = this.#common
      const own = await this.#sendWithCuts({ id, path, size }, proxy, random)
      await rm(path)
      this.#judge({ id, size, sha256 }, proxy.passed - size, own + this.#common - cutsBefore)
      const row = await this.#stage.row(id)
      if (row?.columns.status !== 'READY') this.#violate(`${id} is ${row?.columns.status}`)
      else if ((await this.#stage.storedSum(id)) !== sha256) this.#violate(`${id} has other bytes`)
      this.#bytes += size
      this.#options.say?.(`${this.#total} cuts, ${this.#ids.length} uploads, ${this.#violations.length} violations`)
    } finally {
      await proxy[Symbol.asyncDispose]()
    }
  }

  #judge(
    { id }: { readonly id: string; readonly size: number; readonly sha256: string },
    again: number,
    cuts: number,
  ): void {
    this.#again += Math.max(0, again)
    if (cuts > 0) this.#mostAgain = Math.max(this.#mostAgain, again / cuts)
    // Each request has a head.
    if (again > cuts * mostAgainBytes + 64 * 1024)
      this.#violate(`${id}: ${again} bytes were sent again after ${cuts} cuts`)
  }

  /** Returns the number of cuts that only this upload had. */
  async #sendWithCuts(
    { id, path, size }: { readonly id: string; readonly path: string; readonly size: number },
    proxy: CuttingTcpProxy,
    random: Random,
  ): Promise<number> {
    const { credential, epoch } = this.#stage
    const sender: SenderOptions = {
      ...{ path, size, credential, epoch },
      url: `http://127.0.0.1:${proxy.port}/api/build-artifact-uploads/${id}`,
    }
    let own = 0
    let stored = 0
    for (;;) {
      const child = fork(new URL('./sender.ts', import.meta.url), [JSON.stringify(sender)], { stdio: 'inherit' })
      const plan = () => {
        if (this.#total >= this.#options.cuts || random.next() < 0.15) return
        const at = Math.floor(random.next() * Math.max(1, size - stored))
        const kind = this.#pick(random)
        if (kind === 'reset' || kind === 'silence') {
          const before = proxy.cuts
          proxy.cutAfter(at, kind)
          watch.push(() => {
            if (proxy.cuts === before) return false
            this.#cuts[kind]++
            own++
            return true
          })
        } else
          proxy.callAfter(at, () => {
            this.#cuts[kind]++
            if (kind === 'killSender') {
              own++
              child.kill('SIGKILL')
            } else {
              this.#common++
              this.#failures.add(this.#fail(kind, random))
            }
          })
      }
      const watch: (() => boolean)[] = []
      plan()
      const end = await new Promise<SenderMessage | undefined>((resolve) => {
        child.on('message', (message: SenderMessage) => {
          for (const look of watch.splice(0)) if (!look()) watch.push(look)
          if (message.type === 'progress') {
            if (message.stored < stored) this.#violate(`${id}: the offset fell from ${stored} to ${message.stored}`)
            stored = message.stored
          } else if (message.type === 'interrupted') plan()
          else resolve(message)
        })
        child.on('exit', () => resolve(undefined))
      })
      for (const look of watch.splice(0)) look()
      if (end?.type === 'failed') this.#violate(`${id}: ${end.message}`)
      if (end !== undefined) return own
      await sleep(20)
    }
  }

  #pick(random: Random): CutKind {
    return random.weighted(this.#stage.s3 === undefined ? { ...shares, failS3: 0 } : shares)
  }

  async #fail(kind: 'killServer' | 'failS3', random: Random): Promise<void> {
    const { s3, names } = this.#stage
    if (kind === 'killServer') {
      await this.#stage.killServer(random.pick(names) ?? 'one')
      return
    }
    s3?.proxy.cutNow('reset')
    if (this.#isS3Stopped || random.next() < 0.5) return
    this.#isS3Stopped = true
    const stopped = s3?.server.stop()
    // It waits for its connections.
    s3?.proxy.cutNow('reset')
    await stopped
    await sleep(random.next() * pauseOfS3Ms)
    await s3?.server.start()
    this.#isS3Stopped = false
  }

  /** Each upload is READY, and each blob belongs to an upload. */
  async verifyEnd(): Promise<void> {
    await Promise.all(this.#failures)
    const { storage, system, blobs } = this.#stage
    const logs: string[] = []
    const log = (fields: unknown, text: string) => void logs.push(`${text} ${JSON.stringify(fields)}`)
    const result = await sweepBlobs({
      ...{ blobs, system: system.system, views: withRowTypes(storage.views) },
      // All ages have passed.
      clock: { now: () => Date.now() + 48 * 3_600_000 },
      log: { warn: log, error: log } as never,
    })
    if (result.orphans + result.lost > 0) this.#violate(`the sweep found ${JSON.stringify(result)}: ${logs.join('; ')}`)
    const left = new Set((await blobs.list({ folder: uploadBlobFolder, limit: 1_000 })).map(({ name }) => name))
    for (const id of this.#ids) if (!left.has(uploadBlob(id))) this.#violate(`${id} has no blob`)
    if (left.size !== this.#ids.length) this.#violate(`${left.size} blobs of ${this.#ids.length} uploads`)
  }
}

/** `net.ipv4.tcp_rmem` */
function largestReceiveBuffer(): number {
  return Number(readFileSync('/proc/sys/net/ipv4/tcp_rmem', 'utf8').trim().split(/\s+/)[2])
}
