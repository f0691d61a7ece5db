/** Polls the readiness of each process. */
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './http.ts'

export interface ReadyAnswer {
  readonly instance: number
  /** `performance.now()` */
  readonly askedAt: number
  readonly answeredAt: number
  /** 0 if no answer arrived: the process does not run, or does not answer within 3 s. */
  readonly status: number
}

const everyMs = 150

export class Readiness {
  readonly answers: ReadyAnswer[] = []

  async watch(instance: number, url: string, done: AbortSignal): Promise<void> {
    while (!done.aborted) {
      const askedAt = performance.now()
      const status = await send(`${url}/api/public/ready`, 'GET', {}, undefined, 3_000).then(
        (answer) => answer.status,
        () => 0,
      )
      this.answers.push({ instance, askedAt, answeredAt: performance.now(), status })
      await sleep(everyMs)
    }
  }
}
