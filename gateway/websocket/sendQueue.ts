/**
 * What waits to be sent on one socket. uWebSockets.js drops silently or grows without end, so the queue is ours: messages
 * leave while the network takes them, several in one cork, and the rest waits here, counted.
 */

/**
 * A message in two pieces, sent as two fragments of one WebSocket message: `head` is this socket's own, `body` is shared by all
 * who get the same payload, so that a thousand subscribers cost one serialization and no strings of their own.
 */
export interface SharedMessage {
  readonly head: Buffer
  readonly body: Buffer
}

export type OutMessage = string | SharedMessage

/** The socket below. `send` answers false where the network is full: the message is taken, but nothing more until it drains. */
export interface Wire {
  send(message: OutMessage): boolean
  cork(work: () => void): void
}

/** uWebSockets.js gathers so many bytes in one write; what comes on top of them is copied once more. */
const corkBytes = 16 * 1024
/** Of frame headers, at most, for one message. */
const overheadBytes = 20

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
  #waiting: OutMessage[] = []
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

  push(message: OutMessage): void {
    if (this.#closed) return
    this.#waiting.push(message)
    this.#size += sizeOf(message)
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
    const fillCork = (): void => {
      let room = corkBytes
      do {
        const message = this.#waiting[sent++]
        if (message === undefined) return
        const size = sizeOf(message)
        this.#size -= size
        room -= size + overheadBytes
        if (!this.#wire.send(message)) {
          this.#blocked = true
          return
        }
      } while (sent < this.#waiting.length && sizeOf(this.#waiting[sent]) + overheadBytes <= room)
    }
    while (sent < this.#waiting.length && !this.#blocked && !this.#closed) this.#wire.cork(fillCork)
    if (this.#closed) return
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

function sizeOf(message: OutMessage | undefined): number {
  if (message === undefined) return 0
  return typeof message === 'string' ? message.length : message.head.length + message.body.length
}
