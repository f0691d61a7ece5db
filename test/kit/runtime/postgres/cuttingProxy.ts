/** A TCP proxy before PostgreSQL that cuts connections on demand: before the request arrives, or before the answer arrives. */
import { type Pair, type Pairs, pairsTo } from './pairs.ts'
import type { TestDatabase } from './postgres.ts'

interface CutOptions {
  /** A text that commit messages contain. Only messages with it are cut. */
  readonly marks?: string
  readonly half?: boolean
}

export class CuttingProxy {
  readonly target: TestDatabase['target']
  readonly close: () => Promise<void>
  /** Whether the next commit is lost on its way to the server, or its answer on its way back. */
  cut: 'request' | 'answer' | 'nothing' = 'nothing'
  /** While true, connections stay open but nothing arrives on either side. Data that was held back is lost. */
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

  /** @param half keeps PostgreSQL's side of a cut connection open, so that its backend continues */
  static async start(to: TestDatabase['target'], { marks, half = false }: CutOptions = {}): Promise<CuttingProxy> {
    const pairs = await pairsTo(to, (pair) => proxy.#accept(pair), { half, refuses: () => proxy.#away })
    const proxy: CuttingProxy = new CuttingProxy(pairs, marks)
    return proxy
  }

  /** The number of open connections. */
  get open(): number {
    return this.#pairs.size
  }

  get away(): boolean {
    return this.#away
  }

  /** While true, connections are cut and new ones are reset, as if no process listened. */
  set away(value: boolean) {
    this.#away = value
    if (value) this.dropClients()
  }

  /** Resets all connections (TCP RST) on the side of the program. */
  resetClients(): void {
    for (const { client } of this.#pairs) client.resetAndDestroy()
  }

  /** Cuts all connections on the side of the program. PostgreSQL's side stays open, as behind a dead network. */
  dropClients(): void {
    for (const { client } of this.#pairs) client.destroy()
  }

  #accept({ client, server }: Pair) {
    let answerCut = false
    // A connection that has lost data stays silent.
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
        // The answer exists, so the commit is durable, but the program does not receive it.
        if (answerCut) client.destroy()
        else client.write(data)
      },
    }
  }
}
