/** A turn of a coding CLI without Signalbox: an ACP client starts it in a worktree. */
import { startBareClient } from '../../../stockClis/bareClient.ts'
import type { StockCli } from '../../../stockClis/clis.ts'
import type { TimedModel } from './timedModel.ts'
import { clockTime, type TimedRun, timedRun } from './timedRun.ts'

export interface DirectOptions {
  readonly cli: StockCli
  readonly model: TimedModel
  /** Contains the home folder of the CLI. */
  readonly folder: string
  readonly worktree: string
}

export async function runDirectly({ cli, model, folder, worktree }: DirectOptions): Promise<TimedRun> {
  const { prompt, askedAt } = model.newPrompt()
  let firstText: number | undefined
  const begin = clockTime()
  const client = await startBareClient({
    ...{ cli, modelUrl: model.url, folder, worktree },
    onUpdate: ({ sessionUpdate }) => {
      if (sessionUpdate === 'agent_message_chunk') firstText ??= clockTime()
    },
  })
  try {
    const initialized = clockTime()
    const { sessionId } = await client.openSession()
    const opened = clockTime()
    await client.prompt(sessionId, prompt)
    if (firstText === undefined) throw new Error(`The CLI ${cli.name} sent no text: ${client.stderr()}`)
    return timedRun(
      [
        ['CLI started until initialize is answered', begin],
        ['session/new', initialized],
        ['session/prompt until the model is asked', opened],
        ['model asked until the text arrives', askedAt()],
      ],
      firstText,
    )
  } finally {
    await client.close()
  }
}
