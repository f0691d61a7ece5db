/** The cuts of a run: which kind comes next, how many there were, and those that hit every client because a server or S3 fails. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../random.ts'
import type { UploadStage } from '../uploadStage.ts'

export type CutKind = 'reset' | 'silence' | 'killServer' | 'killClient' | 'failS3'

/** The sender of an upload, and the two agents of a transfer. */
export type ClientKind = 'upload' | 'source' | 'target'

/** Of a hundred cuts. A killed server takes seconds to start. */
const shares: Readonly<Record<CutKind, number>> = { reset: 40, silence: 10, killServer: 12, killClient: 26, failS3: 12 }
/** As long as more kills are wanted, most cuts are kills. */
const killingShares: Readonly<Record<CutKind, number>> = { ...shares, reset: 10, silence: 2, killServer: 80 }
const pauseOfS3Ms = 1_500

/** How often each client was cut. A failure of a server or of S3 is counted at the client whose bytes led to it, and hits all. */
export type CutCounts = Readonly<Record<ClientKind, Readonly<Record<CutKind, number>>>>

export interface WantedCuts {
  readonly cuts: number
  /** The least number of killed servers. */
  readonly kills: number
}

const none = (): Record<CutKind, number> => ({ reset: 0, silence: 0, killServer: 0, killClient: 0, failS3: 0 })

export class Cuts {
  readonly counts: Readonly<Record<ClientKind, Record<CutKind, number>>> = {
    upload: none(),
    source: none(),
    target: none(),
  }
  readonly #stage: UploadStage
  readonly #wanted: WantedCuts
  readonly #failures = new Set<Promise<unknown>>()
  #common = 0
  #isS3Stopped = false

  constructor(stage: UploadStage, wanted: WantedCuts) {
    this.#stage = stage
    this.#wanted = wanted
  }

  /** The cuts so far that hit all clients. */
  get common(): number {
    return this.#common
  }

  get total(): number {
    return Object.values(this.counts).reduce((sum, of) => sum + Object.values(of).reduce((all, one) => all + one, 0), 0)
  }

  get kills(): number {
    return Object.values(this.counts).reduce((sum, { killServer }) => sum + killServer, 0)
  }

  get isS3Stopped(): boolean {
    return this.#isS3Stopped
  }

  get isDone(): boolean {
    return this.total >= this.#wanted.cuts && this.kills >= this.#wanted.kills
  }

  pick(random: Random): CutKind {
    const weights = this.kills < this.#wanted.kills ? killingShares : shares
    return random.weighted(this.#stage.s3 === undefined ? { ...weights, failS3: 0 } : weights)
  }

  count(client: ClientKind, kind: CutKind): void {
    this.counts[client][kind]++
  }

  /** Kills a server, or lets S3 fail. A server that is starting is not killed again, and nothing is counted. */
  fail(client: ClientKind, kind: 'killServer' | 'failS3', random: Random): void {
    const name = random.pick(this.#stage.names) ?? 'one'
    if (kind === 'killServer' && this.#stage.isRestarting(name)) return
    this.#common++
    this.count(client, kind)
    const failure = kind === 'killServer' ? this.#stage.killServer(name) : this.#failS3(random)
    this.#failures.add(failure)
    failure.finally(() => this.#failures.delete(failure))
  }

  /** Resolves when all servers run again. */
  async settle(): Promise<void> {
    await Promise.all(this.#failures)
  }

  async #failS3(random: Random): Promise<void> {
    const { s3 } = this.#stage
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
}
