/** A scripted model that answers every turn with one word, and records when it was asked. */
import { startModelServer } from '../../../stockClis/model/modelServer.ts'
import { replyFromScript } from '../../../stockClis/model/turns.ts'
import { clockTime } from './timedRun.ts'

export interface TimedModel {
  readonly url: string
  /** A prompt by which the model recognizes its run. */
  newPrompt(): { readonly prompt: string; askedAt(): number }
  close(): Promise<void>
}

export async function startTimedModel(): Promise<TimedModel> {
  const asked = new Map<string, number>()
  const server = await startModelServer(
    replyFromScript(({ messages }) => {
      const [run = ''] = /run-\d+-/.exec(messages.map(({ text }) => text).join('\n')) ?? []
      if (!asked.has(run)) asked.set(run, clockTime())
      return { text: ['Hello.'] }
    }),
  )
  let count = 0
  return {
    url: server.url,
    newPrompt: () => {
      count += 1
      const name = `run-${count}-`
      return { prompt: `Answer with one word. This is ${name}`, askedAt: () => asked.get(name) ?? Number.NaN }
    },
    close: () => server.close(),
  }
}
