/** Slices of load on several contenders alternately, and the result of each: the median of its slices. */
import type { Contender } from './contender.ts'
import type { HttpTarget } from './httpLoad.ts'
import type { Loader } from './loadProcess.ts'
import type { SocketTarget } from './socketLoad.ts'

interface Slice {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly serverMicros: number
  readonly postgresMicros: number
  /** The share of one core that the load itself used. */
  readonly loadShare: number
}

interface Series {
  readonly what: string
  readonly name: string
  readonly inFlight: number
  readonly slices: Slice[]
}

export class Rounds {
  readonly #loader: Loader
  readonly #postgres: () => Promise<number>
  readonly #series = new Map<string, Series>()

  constructor(loader: Loader, postgres: () => Promise<number>) {
    this.#loader = loader
    this.#postgres = postgres
  }

  async slice(what: string, contender: Contender, target: HttpTarget | SocketTarget): Promise<void> {
    const used = async () => [await contender.cpuMicros(), await this.#postgres()] as const
    let before = used()
    const result = await this.#loader.run(target, () => {
      before = used()
    })
    const [server, postgres] = await before
    const [serverNow, postgresNow] = await used()
    const count = (result.perSecond * target.forMs) / 1_000
    const { name } = contender
    const key = `${what} ${name} ${target.inFlight}`
    const series = this.#series.get(key) ?? { what, name, inFlight: target.inFlight, slices: [] }
    this.#series.set(key, series)
    series.slices.push({
      perSecond: result.perSecond,
      p50: result.p50,
      p99: result.p99,
      serverMicros: (serverNow - server) / count,
      postgresMicros: (postgresNow - postgres) / count,
      loadShare: (result.cpuMicros * count) / 1_000 / target.forMs,
    })
  }

  /** The result of one contender under one load; undefined if it had no slice. */
  medians(what: string, name: string, inFlight: number): Slice | undefined {
    const series = this.#series.get(`${what} ${name} ${inFlight}`)
    return series && medianSlice(series)
  }

  /** `× first` compares with the first contender of the same load: how many times as many requests a second, and a core-second. */
  table(): Record<string, string | number>[] {
    const all = [...this.#series.values()].sort((a, b) => a.what.localeCompare(b.what) || a.inFlight - b.inFlight)
    return all.map((series) => {
      const first = all.find(({ what, inFlight }) => what === series.what && inFlight === series.inFlight) ?? series
      const own = medianSlice(series)
      const best = medianSlice(first)
      return {
        what: series.what,
        by: series.name,
        'in flight': series.inFlight,
        'per second': own.perSecond,
        'p50 ms': own.p50,
        'p99 ms': own.p99,
        'server µs': own.serverMicros,
        'PostgreSQL µs': own.postgresMicros,
        'load, cores': own.loadShare,
        'first ×, a second': best.perSecond / own.perSecond,
        'first ×, CPU': own.serverMicros / best.serverMicros,
      }
    })
  }
}

function medianSlice({ slices }: Series): Slice {
  const of = (key: keyof Slice) => median(slices.map((slice) => slice[key]))
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    serverMicros: of('serverMicros'),
    postgresMicros: of('postgresMicros'),
    loadShare: of('loadShare'),
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
