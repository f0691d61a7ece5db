/**
 * What waits to be sent on one socket. uWebSockets.js drops silently or grows without end, so the queue is ours: messages
 * leave while the network takes them, several in one cork, and the rest waits here, counted.
 */

/** The socket below. `send` answers false where the network is full: the message is taken, but nothing more until it drains. */
export interface Wire {
  send(text: string): boolean
  cork(work: () => void): void
}

/** Queues that have something to send after this turn of the event loop; all of them are flushed in one go. */
const dirty = new Set<SendQueue>()
let scheduled = false
/** Milliseconds that the last flush took. */
let lastTook = 0
const longestPauseMs = 5

function flushAll(): void {
  scheduled = false
  const began = performance.now()
  const queues = [...dirty]
  dirty.clear()
  for (const queue of queues) queue.flush()
  lastTook = performance.now() - began
}

/**
 * At the end of this turn; after a flush that took long, a little later, so that more messages share one write to each
 * socket: a thousand sockets cost a thousand system calls however little each is sent.
 */
function scheduleFlush(): void {
  if (scheduled) return
  scheduled = true
  if (lastTook < 1) setImmediate(flushAll)
  else setTimeout(flushAll, Math.min(lastTook, longestPauseMs))
}

export class SendQueue {
  readonly #wire: Wire
  readonly #limit: number
  #waiting: string[] = []
  #size = 0
  #blocked = false
  #closed = false
  #roomWaiters: (() => void)[] = []

  /** @param limit characters, about bytes */
  constructor(wire: Wire, limit: number) {
    this.#wire = wire
    this.#limit = limit
  }

  /** Over its limit: whoever can stop sending must. */
  get full(): boolean {
    return this.#size > this.#limit
  }

  get size(): number {
    return this.#size
  }

  push(text: string): void {
    if (this.#closed) return
    this.#waiting.push(text)
    this.#size += text.length
    if (this.#blocked) return
    dirty.add(this)
    scheduleFlush()
  }

  /** Resolves when less than half of the limit is waiting, or the socket is gone. */
  room(): Promise<void> {
    if (this.#closed || this.#size <= this.#limit / 2) return Promise.resolve()
    return new Promise((resolve) => this.#roomWaiters.push(resolve))
  }

  flush(): void {
    if (this.#closed || this.#blocked || this.#waiting.length === 0) return
    let sent = 0
    this.#wire.cork(() => {
      for (const text of this.#waiting) {
        sent++
        this.#size -= text.length
        if (!this.#wire.send(text)) {
          this.#blocked = true
          return
        }
      }
    })
    this.#waiting = sent === this.#waiting.length ? [] : this.#waiting.slice(sent)
    this.#wakeWaiters()
  }

  /** The network takes more again. */
  drained(): void {
    this.#blocked = false
    this.flush()
  }

  close(): void {
    this.#closed = true
    this.#waiting = []
    this.#size = 0
    dirty.delete(this)
    this.#wakeWaiters()
  }

  #wakeWaiters(): void {
    if (this.#roomWaiters.length === 0 || (!this.#closed && this.#size > this.#limit / 2)) return
    const waiters = this.#roomWaiters
    this.#roomWaiters = []
    for (const wake of waiters) wake()
  }
}
