/**
 * `npm run chaos:disk`: another process fills the disk of the server in the middle of uploads and transfers. They are refused with 507, nothing is
 * lost, and they continue by themselves when there is room again. The exit status is 0 only if nothing was found.
 *
 * Options: `--file-system ext4|tmpfs`, and `--reserve`, the bytes of LIMIT_DISK_RESERVE_BYTES. With 1 the file system refuses, else the check of
 * the reserve. It mounts file systems, so it runs in a mount namespace of its own.
 */
import { fork } from 'node:child_process'
import { createHash, randomFillSync } from 'node:crypto'
import { symlinkSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { uploadBlob } from '../../../../../spec/builds/uploads.ts'
import { siblingId } from '../../../../../spec/core/ids.ts'
import { startCuttingTcpProxy } from '../../../../kit/program/servers/cuttingTcpProxy.ts'
import { until } from '../../../../kit/program/until.ts'
import type { ClientMessage } from '../clients/clientMessages.ts'
import type { TransferSource } from '../clients/transferSource.ts'
import type { UploadSender } from '../clients/uploadSender.ts'
import { verifyBlobs } from '../cuts/verifyBlobs.ts'
import { startUploadStage, type UploadStage } from '../uploadStage.ts'
import { type FileSystem, fileSystems, LimitedDisk } from './limitedDisk.ts'

const MiB = 1024 * 1024
const diskBytes = 1024 * MiB
const fileBytes = 96 * MiB
const filesOfEachKind = 3
/** So long the disk stays full. */
const fullMs = 6_000
const recoveryMs = 120_000

interface SentFile {
  readonly uploadId: string
  readonly isTransfer: boolean
  readonly path: string
  /** The path of its URL. */
  readonly route: string
  readonly sha256: string
  /** The bytes that were acknowledged to the client. */
  acknowledged: number
  /** The refusals for want of room since the disk is full. */
  refusals: number
  isDone: boolean
}

const { values } = parseArgs({
  options: { 'file-system': { type: 'string', default: 'ext4' }, reserve: { type: 'string', default: '1' } },
})
const fileSystem = fileSystems.find((name) => name === values['file-system'])
if (fileSystem === undefined) throw new Error(`--file-system is ${values['file-system']}. Give ext4 or tmpfs.`)
const violations = await fillDisk(fileSystem, Number(values.reserve))
for (const text of violations) console.log(`  VIOLATION ${text}`)
console.log(violations.length === 0 ? 'nothing was found' : `${violations.length} violations`)
process.exit(violations.length === 0 ? 0 : 1)

async function fillDisk(kind: FileSystem, reserve: number): Promise<readonly string[]> {
  const found: string[] = []
  const violate = (text: string) => void found.push(text)
  const folder = await mkdtemp(join(tmpdir(), 'sb-full-disk-'))
  let disk: LimitedDisk | undefined
  const stage = await startUploadStage('files', {
    env: { LIMIT_DISK_RESERVE_BYTES: String(reserve) },
    prepare: (dataDir) => {
      disk = new LimitedDisk(join(folder, 'disk'), kind, diskBytes)
      symlinkSync(disk.folder, dataDir)
    },
  })
  if (disk === undefined) throw new Error('no disk was mounted')
  try {
    await run(stage, disk, folder, violate)
  } finally {
    await stage.end()
    disk.unmount()
    await rm(folder, { recursive: true, force: true })
  }
  return found
}

async function run(stage: UploadStage, disk: LimitedDisk, folder: string, violate: (text: string) => void) {
  const files: SentFile[] = []
  for (let n = 0; n < filesOfEachKind * 2; n++) files.push(await createFile(stage, folder, n % 2 === 1))
  let isFull = false
  let halfSent = 0
  const noteHalf = () => {
    halfSent++
    if (halfSent < files.length) return
    // The bytes of all clients pass through this process, which waits. So the disk becomes full while they are sent.
    disk.fill()
    isFull = true
    console.log(`the disk is full: ${disk.freeBytes} bytes are free`)
  }
  const ends = files.map(async (file) => {
    const proxy = await startCuttingTcpProxy(() => stage.portOf('one'))
    proxy.callAfter(fileBytes / 8, noteHalf)
    await send(stage, file, proxy.port, () => isFull, violate).finally(() => proxy[Symbol.asyncDispose]())
  })
  await until('the disk to be full', async () => isFull)
  await until('each client to be refused', async () => files.every(({ refusals }) => refusals > 0), recoveryMs)
  console.log(
    `refused: ${files.map(({ acknowledged }) => `${acknowledged} of ${fileBytes} bytes are acknowledged`).join(', ')}`,
  )
  await stage.killServer('one')
  console.log('the server was killed and runs again on the full disk')
  const refusals = files.map((file) => file.refusals)
  await sleep(fullMs)
  await until(
    'each client to be refused again',
    async () => files.every((file, n) => file.refusals > (refusals[n] ?? 0)),
    recoveryMs,
  )
  for (const { uploadId, isDone, acknowledged } of files) {
    if (isDone) violate(`${uploadId} was stored on a full disk`)
    const stored = (await stage.blobs.size(uploadBlob(uploadId))) ?? 0
    if (stored < acknowledged) violate(`${uploadId} has ${stored} bytes, and ${acknowledged} were acknowledged`)
  }
  disk.free()
  console.log('there is room again')
  const late = new AbortController()
  await Promise.race([Promise.all(ends), sleep(recoveryMs, undefined, { signal: late.signal }).catch(() => {})])
  late.abort()
  for (const { uploadId, isDone, sha256 } of files) {
    const status = await stage.statusOf('upload', uploadId)
    if (!isDone || status !== 'READY') violate(`${uploadId} is ${status} ${recoveryMs} ms after there was room again`)
    else if ((await stage.storedSum(uploadId)) !== sha256) violate(`${uploadId} does not have the bytes that were sent`)
  }
  await verifyBlobs(
    stage,
    files.map(({ uploadId }) => uploadId),
    violate,
  )
}

async function createFile(stage: UploadStage, folder: string, isTransfer: boolean): Promise<SentFile> {
  const bytes = randomFillSync(Buffer.allocUnsafe(fileBytes))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const id = isTransfer ? await stage.createTransfer(fileBytes, sha256) : await stage.createUpload(fileBytes, sha256)
  const path = join(folder, id)
  await writeFile(path, bytes)
  const route = isTransfer ? 'agent/build-artifact-transfers' : 'build-artifact-uploads'
  const uploadId = siblingId('upload', id)
  return {
    ...{ uploadId, path, isTransfer, sha256, route: `/api/${route}/${id}` },
    acknowledged: 0,
    refusals: 0,
    isDone: false,
  }
}

async function send(
  stage: UploadStage,
  file: SentFile,
  port: number,
  isFull: () => boolean,
  violate: (text: string) => void,
): Promise<void> {
  const { credential, epoch } = stage.source
  const { path, route, isTransfer } = file
  const common = { path, size: fileBytes, credential, epoch, url: `http://127.0.0.1:${port}${route}` }
  const options: UploadSender | TransferSource = isTransfer ? { ...common, chunkBytes: 16 * MiB } : common
  const program = isTransfer ? '../clients/transferSource.ts' : '../clients/uploadSender.ts'
  const child = fork(new URL(program, import.meta.url), [JSON.stringify(options)], { stdio: 'inherit' })
  child.on('message', (message: ClientMessage) => {
    if (message.type === 'progress') {
      if (message.stored < file.acknowledged)
        violate(`${file.uploadId}: ${file.acknowledged} bytes were acknowledged, and then ${message.stored}`)
      file.acknowledged = message.stored
    } else if (message.type === 'interrupted') {
      if (isFull() && /\bdisk\b/.test(message.reason)) file.refusals++
    } else if (message.type === 'failed') violate(`${file.uploadId}: ${message.message}`)
    else file.isDone = true
  })
  await new Promise<void>((resolve) => {
    child.on('exit', () => resolve())
  })
}
