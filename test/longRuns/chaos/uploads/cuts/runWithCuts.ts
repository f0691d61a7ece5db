/** Runs the process of a client whose connections are cut, and which is killed and started again, until its end is acknowledged. */
import { fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CuttingTcpProxy } from '../../../../kit/program/servers/cuttingTcpProxy.ts'
import type { Random } from '../../random.ts'
import type { ClientMessage } from '../clients/clientMessages.ts'
import type { ClientKind, Cuts } from './cuts.ts'

const programs: Readonly<Record<ClientKind, URL>> = {
  upload: new URL('../clients/uploadSender.ts', import.meta.url),
  source: new URL('../clients/transferSource.ts', import.meta.url),
  target: new URL('../clients/transferTarget.ts', import.meta.url),
}

export interface ClientToCut {
  readonly kind: ClientKind
  readonly options: object
  /** Counts the bytes of the file. */
  readonly proxy: CuttingTcpProxy
  readonly size: number
  readonly cuts: Cuts
  readonly random: Random
  /** Is called once, at a place in the middle of the file, before anything is cut. */
  readonly inTheMiddle?: () => void
  /** Is called if acknowledged bytes are no longer there. */
  onFall(from: number, to: number): void
}

export interface CutClientResult {
  readonly end: Extract<ClientMessage, { type: 'done' | 'failed' }>
  /** The cuts that this client had, with those that hit all, and the connections that it has given up itself or that S3 has ended while it was down. */
  readonly cuts: number
  /** Bytes that were passed on more than once. The heads of requests and answers count too. */
  readonly again: number
  /** Requests that failed. Each has a head. */
  readonly interruptions: number
}

export async function runWithCuts(client: ClientToCut): Promise<CutClientResult> {
  const { kind, options, proxy, size, cuts, random } = client
  const before = cuts.common
  let { inTheMiddle } = client
  let own = 0
  let stored = 0
  let interruptions = 0
  for (;;) {
    const child = fork(programs[kind], [JSON.stringify(options)], { stdio: 'inherit' })
    const plan = () => {
      const at = Math.floor(random.next() * Math.max(1, size - stored))
      if (inTheMiddle !== undefined) {
        const callBack = inTheMiddle
        inTheMiddle = undefined
        proxy.callAfter(at, callBack)
        return
      }
      if (cuts.isDone || random.next() < 0.15) return
      const cut = cuts.pick(random)
      const count = () => {
        own++
        cuts.count(kind, cut)
      }
      if (cut === 'reset' || cut === 'silence') proxy.cutAfter(at, cut, count)
      else
        proxy.callAfter(at, () => {
          if (cut !== 'killClient') cuts.fail(kind, cut, random)
          else if (child.kill('SIGKILL')) count()
        })
    }
    plan()
    const end = await new Promise<CutClientResult['end'] | undefined>((resolve) => {
      child.on('message', (message: ClientMessage) => {
        if (message.type === 'progress') {
          if (message.stored < stored) client.onFall(stored, message.stored)
          stored = message.stored
        } else if (message.type === 'interrupted') {
          interruptions++
          // On a slow machine a client may give up a connection that nothing has cut. While S3 is down, each new attempt fails too.
          if (/\bsilent\b/.test(message.reason) || cuts.isS3Stopped) own++
          plan()
        } else resolve(message)
      })
      child.on('exit', () => resolve(undefined))
    })
    if (end !== undefined)
      return { end, cuts: own + cuts.common - before, again: Math.max(0, proxy.passed - size), interruptions }
    interruptions++
    await sleep(20)
  }
}
