/** Sends files through uploads and transfers whose clients are cut, and checks each against the acknowledgements of its clients. */
import { createHash, randomFillSync } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { siblingId } from '../../../../../spec/core/ids.ts'
import { type CuttingTcpProxy, startCuttingTcpProxy } from '../../../../kit/program/servers/cuttingTcpProxy.ts'
import { until } from '../../../../kit/program/until.ts'
import type { Random } from '../../random.ts'
import type { TransferSource } from '../clients/transferSource.ts'
import type { TransferTarget } from '../clients/transferTarget.ts'
import type { UploadSender } from '../clients/uploadSender.ts'
import type { StageAgent, UploadStage } from '../uploadStage.ts'
import type { ClientKind, Cuts } from './cuts.ts'
import { type CutClientResult, runWithCuts } from './runWithCuts.ts'

const MiB = 1024 * 1024
const chunkBytes = 16 * MiB
const mostBytes = 40 * MiB
/** The heads of one request and of its answer. */
const headBytes = 16 * 1024
/** Of a hundred files. */
const shares = { upload: 46, deletedUpload: 8, transfer: 46 }
export type FileKind = keyof typeof shares

/** How a sender ends whose upload was deleted. An answer to HEAD has no body. */
const endsOfDeleted: ReadonlySet<string> = new Set(['NOT_FOUND', 'HTTP_404', 'FAILED_PRECONDITION'])

/**
 * The most bytes that a cut may cost. An upload sends the whole file at once, so a chunk is the bytes that the server has not committed, and those that its
 * kernel has received and the server has not read. A source sends the next chunk only after the answer to the one before. Of the bytes of a
 * target, those are lost that its kernel has received and the target has not written. A kernel holds many bytes only on a slow machine.
 */
const mostAgainBytes: Readonly<Record<ClientKind, number>> = {
  upload: chunkBytes + largestReceiveBuffer(),
  source: chunkBytes,
  target: chunkBytes + largestReceiveBuffer(),
}

export interface FilesUnderCutsParts {
  readonly stage: UploadStage
  readonly folder: string
  readonly cuts: Cuts
  violate(text: string): void
}

interface FileUnderCuts {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

export class FilesUnderCuts {
  readonly #parts: FilesUnderCutsParts
  readonly #stored: string[] = []
  readonly #mostAgain: Record<ClientKind, number> = { upload: 0, source: 0, target: 0 }
  readonly #sums = { uploads: 0, deleted: 0, transfers: 0, bytes: 0, again: 0 }
  #files = 0

  constructor(parts: FilesUnderCutsParts) {
    this.#parts = parts
  }

  /** The IDs of the uploads that are READY. */
  get stored(): readonly string[] {
    return this.#stored
  }

  sums() {
    return { ...this.#sums, mostAgainPerCut: this.#mostAgain }
  }

  /** @param kind is drawn unless it is given */
  async sendOne(random: Random, kind: FileKind = random.weighted(shares)): Promise<void> {
    const size = 1 + Math.floor(random.next() * mostBytes)
    const bytes = randomFillSync(Buffer.allocUnsafe(size))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const path = join(this.#parts.folder, `file-${this.#files++}`)
    await writeFile(path, bytes)
    const file = { path, size, sha256 }
    if (kind === 'transfer') await this.#transfer(file, random)
    else await this.#upload(file, random, kind === 'deletedUpload')
    await rm(path)
    this.#sums.bytes += size
  }

  async #upload(file: FileUnderCuts, random: Random, isDeleted: boolean): Promise<void> {
    const { stage, cuts, violate } = this.#parts
    const { source } = stage
    const id = await stage.createUpload(file.size, file.sha256)
    let deletion: Promise<void> | undefined
    const remove = () => {
      deletion ??= stage.deleteUpload(id)
    }
    const options = ({ port }: CuttingTcpProxy): UploadSender => ({
      ...{ path: file.path, size: file.size, credential: source.credential, epoch: source.epoch },
      url: `http://127.0.0.1:${port}/api/build-artifact-uploads/${id}`,
    })
    const result = await this.#run(id, 'upload', options, file, random, {
      ...(isDeleted && {
        inTheMiddle: () => {
          remove()
          if (random.next() < 0.5) cuts.fail('upload', 'killServer', random)
        },
      }),
    })
    this.#sums.uploads++
    if (isDeleted) {
      remove()
      await deletion
      this.#sums.deleted++
      if (result.end.type === 'failed' && !endsOfDeleted.has(result.end.code))
        violate(`${id} was deleted, and its sender received the error ${result.end.message}`)
      const status = await stage.statusOf('upload', id)
      if (status !== 'DELETED') violate(`${id} was deleted and is ${status}`)
      return
    }
    this.#requireDone(id, result)
    await this.#requireStored(id, file.sha256)
  }

  async #transfer(file: FileUnderCuts, random: Random): Promise<void> {
    const { stage, folder, cuts, violate } = this.#parts
    const id = await stage.createTransfer(file.size, file.sha256)
    const options = ({ credential, epoch }: StageAgent, { port }: CuttingTcpProxy) => ({
      ...{ credential, epoch, size: file.size },
      url: `http://127.0.0.1:${port}/api/agent/build-artifact-transfers/${id}`,
    })
    const ofSource = (proxy: CuttingTcpProxy): TransferSource => ({
      ...options(stage.source, proxy),
      ...{ path: file.path, chunkBytes },
    })
    const received = join(folder, `received-${id}`)
    const ofTarget = (proxy: CuttingTcpProxy): TransferTarget => ({
      ...options(stage.target, proxy),
      ...{ path: received, name: 'app', sha256: file.sha256 },
    })
    const send = async () => {
      const result = await this.#run(id, 'source', ofSource, file, random)
      this.#requireDone(id, result)
      // The server has acknowledged the whole file. It is killed before the target has it.
      if (!cuts.isDone && random.next() < 0.3) cuts.fail('source', 'killServer', random)
    }
    const sent = send()
    // A target may ask before the file is stored.
    if (random.next() < 0.5) await sent
    const [read] = await Promise.all([this.#run(id, 'target', ofTarget, file, random), sent])
    this.#requireDone(id, read)
    if ((await sumOf(received)) !== file.sha256) violate(`${id}: the target does not have the bytes that were sent`)
    await rm(received, { force: true })
    const status = await stage.statusOf('artifactTransfer', id)
    if (status !== 'COMPLETED') violate(`${id} was acknowledged as complete and is ${status}`)
    this.#sums.transfers++
    const artifactId = siblingId('buildArtifact', id)
    await this.#requireStored(siblingId('upload', artifactId), file.sha256)
    await until(
      'the artifact to be stored',
      async () => (await stage.statusOf('buildArtifact', artifactId)) === 'STORED',
    )
  }

  async #run(
    id: string,
    kind: ClientKind,
    options: (proxy: CuttingTcpProxy) => object,
    { size }: FileUnderCuts,
    random: Random,
    more: { readonly inTheMiddle?: () => void } = {},
  ): Promise<CutClientResult> {
    const { stage, cuts, violate } = this.#parts
    // Each connection may reach another server.
    const proxy = await startCuttingTcpProxy(() => stage.portOf(random.pick(stage.names) ?? 'one'), {
      counts: kind === 'target' ? 'server' : 'client',
    })
    const result = await runWithCuts({
      ...{ kind, options: options(proxy), proxy, size, cuts, random, ...more },
      onFall: (from, to) => violate(`${id}: ${from} bytes were acknowledged to the ${kind}, and then ${to}`),
    }).finally(() => proxy[Symbol.asyncDispose]())
    const { again, interruptions } = result
    this.#sums.again += again
    if (result.cuts > 0) this.#mostAgain[kind] = Math.max(this.#mostAgain[kind], again / result.cuts)
    const heads = (8 + Math.ceil(size / chunkBytes) + interruptions * 3) * headBytes
    if (again > result.cuts * mostAgainBytes[kind] + heads)
      violate(`${id}: ${again} bytes of the ${kind} were sent again after ${result.cuts} cuts`)
    return result
  }

  #requireDone(id: string, { end }: CutClientResult): void {
    if (end.type === 'failed') this.#parts.violate(`${id}: ${end.message}`)
  }

  async #requireStored(uploadId: string, sha256: string): Promise<void> {
    const { stage, violate } = this.#parts
    const status = await stage.statusOf('upload', uploadId)
    if (status !== 'READY') violate(`${uploadId} is ${status}`)
    else if ((await stage.storedSum(uploadId)) !== sha256) violate(`${uploadId} does not have the bytes that were sent`)
    this.#stored.push(uploadId)
  }
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** `net.ipv4.tcp_rmem` */
function largestReceiveBuffer(): number {
  return Number(readFileSync('/proc/sys/net/ipv4/tcp_rmem', 'utf8').trim().split(/\s+/)[2])
}
