/** A TCP proxy before PostgreSQL that reads the server's messages. On demand it drops messages, or makes connections silent. */
import { type Pair, pairsTo } from './pairs.ts'
import type { TestDatabase } from './postgres.ts'
import { notificationIn, ServerMessages } from './postgresWire.ts'

interface NamedPair extends Pair {
  /** The name of the connection, from its first message. */
  name: string | undefined
  silent: boolean
}

export class NotifyProxy {
  readonly target: TestDatabase['target']
  readonly close: () => Promise<void>
  /** Notifications for which this returns true are dropped and counted. */
  loses: (payload: string) => boolean = () => false
  lost = 0
  /** While true, every CommandComplete is dropped. */
  losesTags = false
  readonly #open: ReadonlySet<NamedPair>
  #allSilent = false

  private constructor({ target, open, close }: Awaited<ReturnType<typeof pairsTo<NamedPair>>>) {
    this.target = target
    this.#open = open
    this.close = close
  }

  static async start(to: TestDatabase['target']): Promise<NotifyProxy> {
    const proxy: NotifyProxy = new NotifyProxy(await pairsTo(to, (pair) => proxy.#accept(pair)))
    return proxy
  }

  /** The currently open connections of this name stay open, but nothing passes through them any more. */
  silence(name: string): void {
    for (const one of this.#open) if (one.name === name) one.silent = true
  }

  /** Nothing passes through any connection, including new ones, as if the process were gone. */
  silenceAll(): void {
    this.#allSilent = true
    for (const one of this.#open) one.silent = true
  }

  #accept({ client, server }: Pair) {
    const messages = new ServerMessages()
    const named = {
      client,
      server,
      name: undefined as string | undefined,
      silent: this.#allSilent,
      fromClient(data: Buffer) {
        named.name ??= /signalbox (\w+)/.exec(data.toString('latin1'))?.[1] ?? ''
        if (!named.silent) server.write(data)
      },
      fromServer: (data: Buffer) => {
        if (!named.silent) client.write(messages.take(data, (message) => this.#drops(message)))
      },
    }
    return named
  }

  #drops(message: Buffer): boolean {
    if (this.losesTags && message[0] === 'C'.charCodeAt(0)) return true
    const payload = notificationIn(message)
    if (payload === undefined || !this.loses(payload)) return false
    this.lost += 1
    return true
  }
}
