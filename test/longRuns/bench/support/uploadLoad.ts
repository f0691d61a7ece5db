/** Sends a file in one request, as fast as the server takes it. The same code for every contender. */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'

export interface UploadTarget {
  readonly url: string
  readonly method: 'POST' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
}

/** @returns seconds until the answer. @throws Error if it is not 204 */
export async function sendWhole({ url, method, headers }: UploadTarget, path: string, size: number): Promise<number> {
  const began = performance.now()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, 'content-length': String(size) } }, resolve)
    sent.on('error', reject)
    createReadStream(path, { highWaterMark: 1024 * 1024 })
      .on('error', reject)
      .pipe(sent)
  })
  answer.resume()
  if (answer.statusCode !== 204) throw new Error(`${url} answered ${answer.statusCode}`)
  return (performance.now() - began) / 1_000
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
