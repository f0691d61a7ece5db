/**
 * The upload of one large file to Signalbox and to `@tus/server`, in turns, and the memory of each server meanwhile. Signalbox hashes with
 * SHA-256, and syncs and commits an offset every 4 MiB. `@tus/server` is measured in three ways:
 *
 * - as it is, which neither hashes nor syncs;
 * - with SHA-256 and one `fdatasync` at the end of the file, so that a crash of the machine may cost the whole file;
 * - the same with requests of 16 MiB, as stock clients send them if `chunkSize` is set. Then a crash costs at most 16 MiB, as with Signalbox.
 *
 * Fails below 1.5 times the rate of the one with the same guarantee, and past 20 MiB of memory around the middle.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { uploadBlob } from '../../../spec/builds/uploads.ts'
import { startUploadStage } from '../chaos/uploads/uploadStage.ts'
import type { TusOptions } from './contenders/tus.ts'
import { startContender } from './support/contender.ts'
import { printMachine, printTable } from './support/report.ts'
import { cpuSeconds, memoryDuring, sendWhole, type UploadTarget } from './support/uploadLoad.ts'

const MiB = 1024 * 1024
/** The contender with the same guarantee, and the rate of Signalbox as a multiple of its rate. */
const sameGuarantee = '@tus/server, hashed and synced every 16 MiB'
const leastRatio = 1.5
const mostDeviation = 20 * MiB

const { values } = parseArgs({
  options: {
    /** Of each file. */
    mib: { type: 'string', default: '4096' },
    rounds: { type: 'string', default: '3' },
  },
})
const size = Number(values.mib) * MiB
const rounds = Number(values.rounds)

printMachine()
const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
try {
  const sha256 = sumOfZeros(size)
  const stage = await startUploadStage('files')
  stops.unshift(() => stage.end())
  const contenders = [
    await tusContender('@tus/server', { durable: false }),
    await tusContender('@tus/server, hashed and synced', { durable: true }),
    await tusContender(sameGuarantee, { durable: true, requestBytes: 16 * MiB }),
    {
      name: 'signalbox',
      pid: stage.server('one').pid,
      target: async (): Promise<UploadTarget> => {
        const id = await stage.createUpload(size, sha256)
        last = id
        return {
          url: `${stage.server('one').url}/api/build-artifact-uploads/${id}`,
          method: 'POST',
          headers: {
            ...{ authorization: `Bearer ${stage.source.credential}`, 'x-agent-epoch': String(stage.source.epoch) },
            'content-type': 'application/octet-stream',
          },
          // As the agent does.
          requestBytes: 32 * MiB,
        }
      },
      clean: async () => {
        const status = await stage.statusOf('upload', last)
        if (status !== 'READY') throw new Error(`the upload is ${status}`)
        await stage.deleteUpload(last)
        await stage.blobs.remove(uploadBlob(last))
      },
    },
  ]
  let last = ''
  const measured = new Map<string, { seconds: number[]; cpu: number[]; least: number; most: number }>()
  for (let round = 0; round < rounds; round++)
    for (const { name, pid, target, clean } of round % 2 ? contenders.toReversed() : contenders) {
      const uploadTarget = await target()
      const cpuBefore = await cpuSeconds(pid)
      const { result, least, most } = await memoryDuring(pid, sendWhole(uploadTarget, size))
      const cpu = (await cpuSeconds(pid)) - cpuBefore
      await clean()
      const known = measured.get(name) ?? { seconds: [], cpu: [], least, most }
      // The memory of the last round: by then all code is compiled.
      measured.set(name, { seconds: [...known.seconds, result], cpu: [...known.cpu, cpu], least, most })
      console.log(`${name}: ${(size / MiB / result).toFixed(0)} MiB/s`)
    }
  printTable(
    [...measured].map(([name, { seconds, cpu, least, most }]) => ({
      server: name,
      'MiB/s': size / MiB / median(seconds),
      'processor, s/GiB': (median(cpu) * 1024 * MiB) / size,
      'memory, MiB': `${Math.round(least / MiB)} to ${Math.round(most / MiB)}`,
    })),
  )
  const rateOf = (name: string): number => size / MiB / median(measured.get(name)?.seconds ?? [])
  const ours = measured.get('signalbox')
  if (ours === undefined) throw new Error('nothing was measured')
  const deviation = (ours.most - ours.least) / 2
  for (const { name } of contenders) {
    if (name === 'signalbox') continue
    const ratio = rateOf('signalbox') / rateOf(name)
    const wanted = name === sameGuarantee ? `, the same guarantee; at least ${leastRatio} is wanted` : ''
    console.log(`${ratio.toFixed(2)} times the rate of ${name}${wanted}`)
    if (name === sameGuarantee && !(ratio >= leastRatio)) process.exitCode = 1
  }
  console.log(`memory within ± ${(deviation / MiB).toFixed(1)} MiB`)
  if (!(deviation <= mostDeviation)) process.exitCode = 1
} finally {
  for (const stop of stops) await stop()
}

async function tusContender(
  name: string,
  { durable, requestBytes = size }: { readonly durable: boolean; readonly requestBytes?: number },
) {
  const tusFolder = await mkdtemp(join(folder, 'tus-'))
  const options: TusOptions = { folder: tusFolder, durable }
  const module = new URL('contenders/tus.ts', import.meta.url)
  const tus = await startContender(name, { module, options, log: join(folder, 'log') })
  stops.unshift(() => tus.stop())
  return {
    ...{ name, pid: tus.pid },
    target: async () => ({ ...(await tusTarget(tus.port, size)), requestBytes }),
    clean: async () => {
      for (const file of await readdir(tusFolder)) await rm(join(tusFolder, file))
    },
  }
}

function sumOfZeros(bytes: number): string {
  const hash = createHash('sha256')
  const zeros = Buffer.alloc(MiB)
  for (let left = bytes; left > 0; left -= zeros.length) hash.update(zeros.subarray(0, Math.min(left, zeros.length)))
  return hash.digest('hex')
}

async function tusTarget(port: number, length: number): Promise<UploadTarget> {
  const version = { 'tus-resumable': '1.0.0' }
  const created = await fetch(`http://127.0.0.1:${port}/files`, {
    method: 'POST',
    headers: { ...version, 'upload-length': String(length) },
  })
  const url = created.headers.get('location')
  if (url === null) throw new Error(`@tus/server answered ${created.status}`)
  return {
    url: new URL(url, `http://127.0.0.1:${port}`).href,
    method: 'PATCH',
    headers: { ...version, 'content-type': 'application/offset+octet-stream' },
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
