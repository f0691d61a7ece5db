/** Sends an upload as fast as the server takes it. The same code for every contender. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'

export interface UploadTarget {
  readonly url: string
  readonly method: 'POST' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  /** The bytes of one request, as the stock client of the server sends them. All if omitted. */
  readonly requestBytes?: number
}

const zeros = Buffer.alloc(1024 * 1024)

/**
 * Sends zeros, always from the same memory, so that the sender needs little of the processor that it shares with the server.
 *
 * @returns seconds until the last answer. @throws Error if one is not 204
 */
export async function sendWhole(target: UploadTarget, size: number): Promise<number> {
  const began = performance.now()
  const most = target.requestBytes ?? size
  for (let offset = 0; offset < size; offset += most) await sendPart(target, offset, Math.min(most, size - offset))
  return (performance.now() - began) / 1_000
}

async function sendPart({ url, method, headers }: UploadTarget, offset: number, size: number): Promise<void> {
  const own = { 'upload-offset': String(offset), 'content-length': String(size) }
  const sent = request(url, { method, headers: { ...headers, ...own } })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  for (let left = size; left > 0; left -= zeros.length)
    if (!sent.write(zeros.subarray(0, Math.min(left, zeros.length)))) await once(sent, 'drain')
  sent.end()
  const [answer] = await answered
  await answer.resume().toArray()
  if (answer.statusCode !== 204) throw new Error(`${url} answered ${answer.statusCode}`)
}

/** The resident memory of a process, bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}

/** The processor time that a process has used so far, seconds. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // In ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Samples the memory of a process while work is done. The first fifth of the work is left out, in which buffers are allocated. */
export async function memoryDuring<T>(
  pid: number,
  work: Promise<T>,
): Promise<{ result: T; least: number; most: number }> {
  const samples: number[] = []
  const ticks = setInterval(() => {
    void residentBytes(pid).then(
      (bytes) => void samples.push(bytes),
      () => {},
    )
  }, 100)
  const result = await work.finally(() => clearInterval(ticks))
  const settled = samples.slice(Math.floor(samples.length / 5))
  return { result, least: Math.min(...settled), most: Math.max(...settled) }
}
