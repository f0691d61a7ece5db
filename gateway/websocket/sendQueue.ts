/**
 * The messages that wait to be sent on one socket. uWebSockets.js would drop messages without an error or buffer without a limit, so
 * this queue replaces its buffer. It sends several messages in one cork while the network accepts them, and counts the rest.
 */

/**
 * A message in two parts, sent as two fragments of one WebSocket message. `head` is specific to this socket. All sockets with the
 * same payload share `body`, so that a thousand subscribers cost one serialization and no strings of their own.
 */
export interface SharedMessage {
  readonly head: Buffer
  readonly body: Buffer
}

export type OutMessage = string | SharedMessage

/**
 * The socket below the queue. `send` returns false if the network is full: the message was accepted, but send no more until it
 * drains.
 */
export interface Wire {
  send(message: OutMessage): boolean
  cork(work: () => void): void
}

/** The number of bytes that uWebSockets.js gathers in one write. Additional bytes are copied once more. */
const corkBytes = 16 * 1024
/** The maximum size of the frame headers of one message. */
const overheadBytes = 20

/** Queues with messages to send after this iteration of the event loop. All are flushed together. */
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
 * Schedules a flush for the end of this event loop iteration. After a slow flush it waits a little longer, so that more messages
 * share one write to each socket: a thousand sockets cost a thousand system calls, even for small messages.
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

  /** @param limit in characters, which are about as many bytes */
  constructor(wire: Wire, limit: number) {
    this.#wire = wire
    this.#limit = limit
  }

  /** The queue exceeds its limit. Senders that can stop must stop. */
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

  /** Resolves when at most half of the limit is waiting, or the socket is closed. */
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

  /** The network accepts data again. */
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
