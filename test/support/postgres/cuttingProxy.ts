/** A TCP proxy before PostgreSQL that cuts connections on demand: before what was sent arrives, or before the answer does. */
import { type Pair, type Pairs, pairsTo } from '../pairs.ts'
import type { TestDatabase } from './postgres.ts'

interface CutOptions {
  /** What a commit's message contains: only such messages are cut. */
  readonly marks?: string
  readonly half?: boolean
}

export class CuttingProxy {
  readonly target: TestDatabase['target']
  readonly close: () => Promise<void>
  /** What becomes of the next commit: lost on its way there, or its answer on its way back. */
  cut: 'request' | 'answer' | 'nothing' = 'nothing'
  /** While true, connections stay open and nothing more arrives on either side. What was held back is lost. */
  silent = false
  readonly #marks: string | undefined
  readonly #pairs: ReadonlySet<Pair>
  #away = false

  private constructor({ target, open, close }: Pairs<Pair>, marks: string | undefined) {
    this.target = target
    this.close = close
    this.#pairs = open
    this.#marks = marks
  }

  /** @param half leaves PostgreSQL's side of a cut connection open, so that its backend goes on */
  static async start(to: TestDatabase['target'], { marks, half = false }: CutOptions = {}): Promise<CuttingProxy> {
    const pairs = await pairsTo(to, (pair) => proxy.#accept(pair), { half, refuses: () => proxy.#away })
    const proxy: CuttingProxy = new CuttingProxy(pairs, marks)
    return proxy
  }

  /** Connections that are open. */
  get open(): number {
    return this.#pairs.size
  }

  get away(): boolean {
    return this.#away
  }

  /** Nothing gets through: connections are cut, and new ones are reset, as where nobody listens. */
  set away(value: boolean) {
    this.#away = value
    if (value) this.dropClients()
  }

  /** Resets all connections (TCP RST) on the side of the program. */
  resetClients(): void {
    for (const { client } of this.#pairs) client.resetAndDestroy()
  }

  /** Cuts all connections on the side of the program; PostgreSQL's side stays open, as behind a dead network. */
  dropClients(): void {
    for (const { client } of this.#pairs) client.destroy()
  }

  #accept({ client, server }: Pair) {
    let answerCut = false
    // A connection that has missed something stays silent.
    let missed = false
    const misses = () => {
      missed ||= this.silent
      return missed
    }
    return {
      client,
      server,
      fromClient: (data: Buffer) => {
        if (misses()) return
        if (this.cut !== 'nothing' && this.#marks !== undefined && data.includes(this.#marks)) {
          const lost = this.cut
          this.cut = 'nothing'
          if (lost === 'request') {
            client.destroy()
            return
          }
          answerCut = true
        }
        server.write(data)
      },
      fromServer: (data: Buffer) => {
        if (misses()) return
        // The answer is there, so it is committed: the program is not told.
        if (answerCut) client.destroy()
        else client.write(data)
      },
    }
  }
}
