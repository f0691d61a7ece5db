/** The messages with which a process that `measuredProgram.ts` has started reports that it is ready, its memory and its processor time. */

export interface Measured {
  readonly rssBytes: number
  /** The memory that V8 uses, including buffers outside of its heap. */
  readonly heldBytes: number
  /** The size of V8's heap. */
  readonly heapBytes: number
  /** Microseconds of processor time since the start. */
  readonly cpuMicros: number
  /** `performance.now()` of that process. */
  readonly at: number
}

export type Question = { readonly id: number; readonly type: 'measure' | 'collect' }

export interface Served {
  readonly url: string
  readonly agentPort: number
  stop(): Promise<void>
}

/** Reports that it is ready, and answers until it receives the message to stop. */
export function beMeasured({ url, agentPort, stop }: Served): void {
  process.on('message', (message) => {
    const { id, type } = message as Question
    void measured(type).then((measured) => process.send?.({ id, measured }))
  })
  process.on('disconnect', () => process.exit(1))
  process.on('SIGTERM', () => void stop().then(() => process.exit(0)))
  process.send?.({ type: 'ready', url, agentPort })
}

async function measured(type: Question['type']): Promise<Measured> {
  // Garbage that only finalizers release takes more than one round, and V8 returns pages a little later.
  for (let round = 0; type === 'collect' && round < 4; round++) {
    await globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    rssBytes: rss,
    heapBytes: heapTotal,
    heldBytes: heapUsed + external,
    cpuMicros: user + system,
    at: performance.now(),
  }
}
