/** Telemetry: batches of records, of which those with a `recordId` are repeated until they are acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises'
import { send, wanted } from './http.ts'
import type { LoadContext } from './load.ts'
import { recorded } from './requests.ts'

const repeatMs = 40_000
/** Long enough that a batch is a statement of more than 1 KiB. */
const filler = 'y'.repeat(300)

export async function postTelemetry(context: LoadContext, instance: number): Promise<void> {
  const { requests, random } = context
  const named = random.next() < 0.7
  const count = random.whole(1, 8)
  const token = requests.token()
  const items = Array.from({ length: count }, (_, index) => ({
    body: `${token} ${index} ${filler}`,
    severityText: 'INFO',
    ...(named ? { recordId: `${token}${index}` } : {}),
  }))
  const until = performance.now() + repeatMs
  for (let at = instance; performance.now() < until; at = context.other(at)) {
    const request = requests.begin('telemetry', at, token, String(count))
    const answer = await recorded(request, async () => {
      const answered = await send(`${context.url(at)}/api/telemetry/console-logs`, 'POST', {}, { items })
      return wanted(answered, 201)
    })
    if (answer !== undefined || !named || request.outcome === 'refused') return
    await sleep(100)
  }
}
