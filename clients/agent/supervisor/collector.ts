import type { ConcealedStream, Concealer } from '../concealed.ts'
import { chunkBytes, type SpoolStream, type SpoolWriter } from '../connection/spool.ts'

/** Milliseconds for which output is gathered before it becomes a frame. */
const patienceMs = 20

/** Gathers small writes into frames, in the order in which they arrived, across streams. */
export class Collector {
  private readonly writer: SpoolWriter
  private readonly streams: Readonly<Record<'STDOUT' | 'STDERR', ConcealedStream>>
  private stream: SpoolStream = 'STDOUT'
  private pending: Buffer[] = []
  private bytes = 0
  private timer: NodeJS.Timeout | undefined
  private closed = false

  constructor(writer: SpoolWriter, concealer: Concealer) {
    this.writer = writer
    const bytes = concealer.forBytes()
    this.streams = { STDOUT: bytes.stream(), STDERR: bytes.stream() }
  }

  /** Adds the output of a command step. */
  output(stream: 'STDOUT' | 'STDERR', data: Buffer): void {
    this.add(stream, this.streams[stream].takeBytes(data))
  }

  private add(stream: SpoolStream, data: Buffer): void {
    if (this.closed || data.length === 0) return
    if (stream !== this.stream) this.flush()
    this.stream = stream
    this.pending.push(data)
    this.bytes += data.length
    if (this.bytes >= chunkBytes) this.flush()
    else this.timer ??= setTimeout(() => this.flush(), patienceMs)
  }

  /** Adds a line of the agent itself. */
  system(line: string): void {
    this.add('SYSTEM', Buffer.from(`${line}\n`))
  }

  flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.bytes === 0) return
    this.writer.write(this.stream, Buffer.concat(this.pending))
    this.pending = []
    this.bytes = 0
  }

  close(): void {
    for (const stream of ['STDOUT', 'STDERR'] as const) {
      this.add(stream, Buffer.from(this.streams[stream].rest(), 'latin1'))
    }
    this.flush()
    this.closed = true
    this.writer.close()
  }
}
