/**
 * Uploads and transfers that are cut off again and again: by killed servers, killed agents, broken connections and an S3 that fails. The checks
 * follow from what the agents were acknowledged.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { random as randomOf } from '../random.ts'
import { type CutCounts, Cuts, type WantedCuts } from './cuts/cuts.ts'
import { type FileKind, FilesUnderCuts } from './cuts/filesUnderCuts.ts'
import { verifyBlobs } from './cuts/verifyBlobs.ts'
import { type BlobPlace, startUploadStage } from './uploadStage.ts'

/** The first file of each of the senders that work at once, so that each kind occurs in a short run too. */
const firstKinds = ['upload', 'transfer', 'deletedUpload'] as const

export interface UploadChaosOptions extends WantedCuts {
  readonly seed: number
  readonly place: BlobPlace
  readonly signal?: AbortSignal
  say?(line: string): void
  onViolation?(text: string): void
}

export interface UploadChaosResult {
  readonly counts: CutCounts
  readonly cuts: number
  readonly kills: number
  readonly uploads: number
  /** Of the uploads, those that were deleted while their bytes arrived. */
  readonly deleted: number
  readonly transfers: number
  readonly bytes: number
  /** Bytes that were sent more than once. */
  readonly again: number
  /** The most of them after one cut, as a mean of one file. */
  readonly mostAgainPerCut: Readonly<Record<keyof CutCounts, number>>
  /** Objects that killed servers left on S3, and that the sweep removed. */
  readonly leftovers: number
  readonly violations: readonly string[]
  readonly seconds: number
}

export async function uploadChaos(options: UploadChaosOptions): Promise<UploadChaosResult> {
  const { seed, place, signal, say = () => {} } = options
  const began = performance.now()
  const stage = await startUploadStage(place)
  const folder = await mkdtemp(join(tmpdir(), 'sb-upload-chaos-'))
  const violations: string[] = []
  const violate = (text: string) => {
    violations.push(text)
    options.onViolation?.(text)
  }
  const cuts = new Cuts(stage, options)
  const files = new FilesUnderCuts({ stage, folder, cuts, violate })
  const sendMany = async (firstKind: FileKind, n: number) => {
    const random = randomOf(seed * 100 + n)
    for (let sent = 0; !cuts.isDone && signal?.aborted !== true; sent++) {
      await files.sendOne(random, sent === 0 ? firstKind : undefined)
      say(`${cuts.total} cuts, ${cuts.kills} kills, ${files.stored.length} files, ${violations.length} violations`)
    }
  }
  try {
    await Promise.all(firstKinds.map(sendMany))
    await cuts.settle()
    say('all cuts are done; looking for orphans and lost bytes')
    const leftovers = await verifyBlobs(stage, files.stored, violate)
    const { counts, total, kills } = cuts
    return {
      ...{ counts, cuts: total, kills, leftovers, violations, ...files.sums() },
      seconds: (performance.now() - began) / 1_000,
    }
  } finally {
    await stage.end()
    await rm(folder, { recursive: true, force: true })
  }
}
