/** The log and the events of one attempt, on their way from its folder to the control plane. */
import type { ConversationOutput } from '../acp/conversation.ts'
import type { Frame } from '../connection/spool.ts'
import type { Session, Uplink } from '../connection/uplink.ts'
import { appendJobLog, appendRunEvents, type LogStream } from '../operations.ts'
import type { JobFolder } from './folder.ts'
import { Pump, type PumpOptions } from './pump.ts'

interface RunEvent {
  readonly type: string
  readonly data: unknown
}

export class JobStreams {
  private readonly folder: JobFolder
  private readonly log: Pump
  private readonly events: Pump

  constructor(folder: JobFolder, uplink: Uplink, rules: Pick<PumpOptions, 'signal' | 'onDisowned' | 'onTrouble'>) {
    this.folder = folder
    this.log = new Pump({ ...rules, path: folder.output, uplink, send: this.sendLog })
    this.events = new Pump({ ...rules, path: folder.events, uplink, send: this.sendEvents })
  }

  /** After a reconnect: the control plane has everything below these numbers. */
  resume(logSequence: number, eventSequence: number): void {
    this.log.rewind(logSequence)
    this.events.rewind(eventSequence)
  }

  /** Both are complete. Resolves when the control plane has all of them, or the attempt no longer belongs to this agent. */
  async drain(): Promise<void> {
    await Promise.all([this.log.drain(), this.events.drain()])
  }

  readonly conversation: ConversationOutput = {
    notify: () => {
      this.log.notify()
      this.events.notify()
    },
    untilEventsStored: () => this.events.untilStored(),
  }

  private readonly sendLog = async (session: Session, frames: Frame[]): Promise<number> => {
    const { jobId, attempt } = this.folder
    const chunks = frames.map(({ sequence, stream, data }) => ({
      sequence,
      stream: stream as LogStream,
      dataBase64: data.toString('base64'),
    }))
    return (await session.ask(appendJobLog, { jobId, attempt, chunks })).nextSequence
  }

  private readonly sendEvents = async (session: Session, frames: Frame[]): Promise<number> => {
    const { jobId, attempt } = this.folder
    const events = frames.map(({ sequence, data }) => ({ sequence, ...(JSON.parse(data.toString()) as RunEvent) }))
    return (await session.ask(appendRunEvents, { jobId, attempt, events })).nextSequence
  }
}
