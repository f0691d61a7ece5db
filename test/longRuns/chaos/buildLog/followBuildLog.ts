/**
 * A build on a machine with the real agent prints millions of lines, and a follower reads them with the stock graphql-ws client. Its
 * connection is cut again and again, and the server is killed with SIGKILL. The follower must receive each line exactly once and in order.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMachine } from '../../../kit/program/machine.ts'
import { createConfiguration, startBuild, untilBuild, withRemote } from '../../../kit/program/objects/builds.ts'
import { connect } from '../../../kit/program/socket.ts'
import { startTestProgram, type TestProgram } from '../../../kit/program/testProgram.ts'
import { residentBytes } from '../../bench/support/uploadLoad.ts'

export interface BuildLogOptions {
  readonly lines: number
  /** SIGKILLs of the server while the build prints. */
  readonly kills: number
  /** The follower's connection is cut after as many chunks, on average. */
  readonly chunksBetweenCuts: number
  say(line: string): void
}

export interface BuildLogResult {
  readonly lines: number
  readonly chunks: number
  readonly cuts: number
  readonly kills: number
  readonly seconds: number
  /** The most that the server had in memory. */
  readonly residentBytes: number
  /** Empty if nothing was found. */
  readonly problems: readonly string[]
}

interface Chunk {
  readonly sequence: number
  readonly stream: 'STDOUT' | 'STDERR' | 'SYSTEM' | 'END'
  readonly dataBase64: string
}

const query = `subscription ($buildId: ID!, $afterSequence: Int) {
  buildLogChunkAdded(buildId: $buildId, afterSequence: $afterSequence) { sequence stream dataBase64 }
}`

/** A log without a chunk for so long is a finding. */
const silenceMs = 120_000

export async function followBuildLog({
  lines,
  kills,
  chunksBetweenCuts,
  say,
}: BuildLogOptions): Promise<BuildLogResult> {
  const begun = performance.now()
  const stage = await startTestProgram()
  try {
    const machine = await startMachine(stage, { hasTestClis: false })
    const { repositoryId } = await withRemote(stage, machine)
    const command = `seq -f 'line %.0f of the build' ${lines}`
    const buildConfigurationId = await createConfiguration(stage.ask, {
      ...{ repositoryId, name: 'loud', timeoutSeconds: 86_400 },
      steps: [{ name: 'print', command }],
    })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })
    const read = new ReadLog(lines)
    const killer = new Killer(stage, kills, lines)
    const peak = { bytes: 0 }
    const sampling = setInterval(async () => {
      const bytes = await residentBytes(stage.program.pid).catch(() => 0)
      peak.bytes = Math.max(peak.bytes, bytes)
    }, 500)
    let cuts = 0
    for (let last = performance.now(), before = -1; !read.isOver; ) {
      cuts += await followOnce(stage, id, read, Math.ceil(chunksBetweenCuts * (0.5 + Math.random())))
      await killer.killAfter(read.lines, say)
      if (read.sequence > before) [last, before] = [performance.now(), read.sequence]
      else await sleep(200)
      if (performance.now() - last > silenceMs) {
        read.problems.push(`no chunk after ${read.sequence} for ${silenceMs / 1_000} s`)
        break
      }
    }
    clearInterval(sampling)
    if (read.problems.length === 0) await untilBuild(stage.ask, id, ['SUCCEEDED'], silenceMs)
    const file = await fetch(`${stage.url}/api/builds/${id}/log`, { headers: { 'X-API-Key': stage.key } })
    const problems = [...read.problems, ...(await compareFile(file, read.sha256()))]
    return {
      ...{ lines: read.lines, chunks: read.sequence + 1, cuts, kills: killer.done, problems },
      seconds: (performance.now() - begun) / 1_000,
      residentBytes: peak.bytes,
    }
  } finally {
    await stage.end()
  }
}

/** Follows the log until the number of chunks has come, and resets the connection. Returns 1 if it was cut, 0 if it ended by itself. */
async function followOnce(stage: TestProgram, buildId: string, read: ReadLog, most: number): Promise<number> {
  const client = connect(stage.url, { 'X-API-Key': stage.key }, { lazyCloseTimeout: 0 })
  const ended = Promise.withResolvers<number>()
  let left = most
  client.subscribe<{ buildLogChunkAdded: Chunk }>(
    { query, variables: { buildId, afterSequence: read.sequence } },
    {
      next: ({ data }) => {
        if (data === null || data === undefined || left <= 0) return
        read.take(data.buildLogChunkAdded)
        left -= 1
        if (left === 0) ended.resolve(1)
      },
      error: () => ended.resolve(0),
      complete: () => ended.resolve(0),
    },
  )
  const silent = setTimeout(() => ended.resolve(0), silenceMs / 4)
  const cut = await ended.promise
  clearTimeout(silent)
  client.terminate()
  await client.dispose()
  return cut
}

/** The log as the follower has received it. It keeps no text, but the line that is not complete. */
class ReadLog {
  readonly problems: string[] = []
  sequence = -1
  lines = 0
  isOver = false
  readonly #expected: number
  readonly #hash = createHash('sha256')
  #rest = ''

  constructor(expected: number) {
    this.#expected = expected
  }

  sha256(): string {
    return this.#hash.copy().digest('hex')
  }

  take({ sequence, stream, dataBase64 }: Chunk): void {
    if (sequence !== this.sequence + 1) this.problems.push(`chunk ${sequence} was received after ${this.sequence}`)
    if (stream === 'END') {
      this.isOver = true
      if (this.lines !== this.#expected)
        this.problems.push(`${this.lines} lines were received, and ${this.#expected} were printed`)
      return
    }
    this.sequence = sequence
    const data = Buffer.from(dataBase64, 'base64')
    this.#hash.update(data)
    if (stream === 'STDOUT') this.#takeText(data.toString())
    this.isOver ||= this.problems.length > 0
  }

  #takeText(text: string): void {
    const parts = (this.#rest + text).split('\n')
    this.#rest = parts.pop() ?? ''
    for (const line of parts) {
      const number = /^line (\d+) of the build$/.exec(line)?.[1]
      // The step that notes the commit prints lines of its own.
      if (number === undefined && this.lines === 0) continue
      this.lines += 1
      if (Number(number) !== this.lines) {
        this.problems.push(`line ${this.lines} is "${line.slice(0, 80)}"`)
        return
      }
    }
  }
}

/** Kills the server at equal distances of the log, and starts it again. */
class Killer {
  done = 0
  readonly #stage: TestProgram
  readonly #kills: number
  readonly #lines: number

  constructor(stage: TestProgram, kills: number, lines: number) {
    this.#stage = stage
    this.#kills = kills
    this.#lines = lines
  }

  async killAfter(lines: number, say: (line: string) => void): Promise<void> {
    if (this.done >= this.#kills || lines < ((this.done + 1) * this.#lines) / (this.#kills + 1)) return
    this.done += 1
    await this.#stage.restart()
    say(`${lines.toLocaleString('en')} lines: server killed and started again (${this.done} of ${this.#kills})`)
  }
}

/** The log as a file has the same bytes. */
async function compareFile(file: Response, sha256: string): Promise<readonly string[]> {
  if (!file.ok || file.body === null) return [`the log as a file: status ${file.status}`]
  const hash = createHash('sha256')
  for await (const piece of file.body) hash.update(piece)
  return hash.digest('hex') === sha256 ? [] : ['the log as a file has other bytes than the follower received']
}
