/**
 * Sends zips of dSYMs to a server that is killed while it receives, verifies and indexes them. Each result is checked from the client's side:
 * the offsets that the server has acknowledged, the bytes that were sent again, and the dSYMs that it returns.
 */
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { newImageUuid, zipOfDsyms } from '../../../kit/program/objects/dsymZips.ts'
import { startTestProgram, type TestProgram } from '../../../kit/program/testProgram.ts'
import { Random } from '../../soak/random.ts'

const MiB = 1024 * 1024
const chunkBytes = 4 * MiB
/** A request and its repeats take no longer, ms. */
const mostMs = 180_000

export interface KillsRequest {
  readonly kills: number
  readonly seed: number
  say(line: string): void
}

export interface KillsResult {
  readonly kills: number
  readonly uploads: number
  /** The kills by the status that the upload had before or after them. */
  readonly byStatus: Readonly<Record<string, number>>
  /** How often an upload failed with SERVER_RESTARTED and was completed again. */
  readonly restarted: number
  /** The most bytes that were sent again after one kill. */
  readonly sentAgain: number
  readonly problems: readonly string[]
}

interface Completed {
  readonly status: string
  readonly dsyms: readonly { readonly images: readonly { readonly uuid: string }[] }[]
}

export async function sendUnderKills({ kills, seed, say }: KillsRequest): Promise<KillsResult> {
  const stage = await startTestProgram()
  const run = new Run(stage, new Random(seed), kills)
  try {
    while (run.kills < kills) {
      await run.sendZip()
      say(`${run.kills} kills, ${run.uploads} uploads, ${run.restarted} completed again`)
    }
    return run.result()
  } finally {
    await stage.end()
  }
}

const phases = ['RECEIVING', 'VERIFYING', 'INDEXING'] as const

class Run {
  readonly #stage: TestProgram
  readonly #random: Random
  readonly #most: number
  readonly #problems: string[] = []
  readonly #byStatus: Record<string, number> = {}
  kills = 0
  uploads = 0
  restarted = 0
  #sentAgain = 0

  constructor(stage: TestProgram, random: Random, most: number) {
    this.#stage = stage
    this.#random = random
    this.#most = most
  }

  result(): KillsResult {
    const { kills, uploads, restarted } = this
    return {
      ...{ kills, uploads, restarted },
      byStatus: this.#byStatus,
      sentAgain: this.#sentAgain,
      problems: this.#problems,
    }
  }

  async sendZip(): Promise<void> {
    const uuids = Array.from({ length: this.#random.between(5, 60) }, newImageUuid)
    const bytes = zipOfDsyms(
      uuids.map((uuid, n) => ({
        name: `Shop${n}.app`,
        bundleIdentifier: `org.example.app${n}`,
        uuid,
        padding: this.#random.below(MiB),
      })),
    )
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const phase = this.#random.pick(phases)
    const body = JSON.stringify({ filename: 'dSYMs.zip', size: bytes.length, sha256 })
    const own = { 'idempotency-key': randomBytes(8).toString('hex'), 'content-type': 'application/json' }
    const created = await this.#until(async () => await this.#call('POST', '', own, body), 201)
    const { id } = (await created.json()) as { readonly id: string }
    await this.#sendBytes(id, bytes, phase === 'RECEIVING')
    await this.#complete(id, uuids, phase === 'RECEIVING' ? undefined : phase)
    this.restarted += await this.#countInterruptions(id)
    this.uploads++
  }

  async #sendBytes(id: string, bytes: Buffer, isKilled: boolean): Promise<void> {
    let acknowledged = 0
    let left = isKilled ? this.#random.between(1, 3) : 0
    let offset = 0
    while (offset < bytes.length) {
      const to = Math.min(bytes.length, offset + chunkBytes)
      const kill = left > 0 && this.#random.chance(0.5) ? this.#kill(this.#random.below(60), 'RECEIVING') : undefined
      if (kill !== undefined) left--
      const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
      const sent = await this.#call('PATCH', `/${id}`, headers, bytes.subarray(offset, to)).catch(() => undefined)
      await kill
      if (sent?.status === 204) {
        offset = acknowledged = Number(sent.headers.get('upload-offset'))
        continue
      }
      const head = await this.#until(async () => await this.#call('HEAD', `/${id}`), 200)
      const stored = Number(head.headers.get('upload-offset'))
      if (stored < acknowledged)
        this.#problems.push(`${id}: ${acknowledged} bytes were acknowledged, ${stored} are stored`)
      this.#sentAgain = Math.max(this.#sentAgain, to - stored)
      offset = stored
    }
  }

  async #complete(id: string, uuids: readonly string[], phase: string | undefined): Promise<void> {
    let isKilled = phase !== undefined
    for (const endsAt = Date.now() + mostMs; ; ) {
      const kill = isKilled ? this.#kill(this.#random.below(phase === 'VERIFYING' ? 30 : 300), phase ?? '') : undefined
      isKilled = false
      const answer = await this.#call('POST', `/${id}/complete`).catch(() => undefined)
      await kill
      if (answer?.status === 200) return this.#compare(id, (await answer.json()) as Completed, uuids)
      if (answer !== undefined && answer.status !== 503) {
        const { error } = (await answer.json()) as {
          readonly error: { readonly problem?: string; readonly message: string }
        }
        if (error.problem !== 'SERVER_RESTARTED') this.#problems.push(`${id}: ${answer.status} ${error.message}`)
      }
      if (Date.now() > endsAt) {
        this.#problems.push(`${id}: not completed within ${mostMs / 1_000} s`)
        return
      }
      await sleep(100)
    }
  }

  #compare(id: string, { status, dsyms }: Completed, uuids: readonly string[]): void {
    const found = dsyms.flatMap(({ images }) => images.map(({ uuid }) => uuid))
    if (status !== 'INDEXED' || found.join() !== uuids.join())
      this.#problems.push(
        `${id}: ${status}, and its ${found.length} dSYMs are not the ${uuids.length} that were sent, in their order`,
      )
  }

  async #countInterruptions(id: string): Promise<number> {
    const { actorHistory } = await this.#stage.ask<{ actorHistory: { nodes: readonly { readonly event: string }[] } }>(
      'query ($id: ID!) { actorHistory(id: $id, last: 100) { nodes { event } } }',
      { id },
    )
    return actorHistory.nodes.filter(({ event }) => event === 'interrupted').length
  }

  async #kill(afterMs: number, status: string): Promise<void> {
    if (this.kills >= this.#most) return
    this.kills++
    this.#byStatus[status] = (this.#byStatus[status] ?? 0) + 1
    await sleep(afterMs)
    await this.#stage.restart()
  }

  async #until(request: () => Promise<Response>, status: number): Promise<Response> {
    for (const endsAt = Date.now() + mostMs; ; ) {
      const answer = await request().catch(() => undefined)
      if (answer?.status === status) return answer
      if (Date.now() > endsAt) throw new Error(`no answer ${status} within ${mostMs / 1_000} s, but ${answer?.status}`)
      await sleep(100)
    }
  }

  async #call(method: string, path: string, headers: Record<string, string> = {}, body?: Uint8Array | string) {
    return await fetch(`${this.#stage.url}/api/dsyms/uploads${path}`, {
      method,
      headers: { 'x-api-key': this.#stage.key, ...headers },
      ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
    })
  }
}
