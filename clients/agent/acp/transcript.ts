import type { ContentBlock, SessionUpdate, ToolCall, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type * as v from 'valibot'
import type { runEvent } from '../../../spec/runs/conversation.ts'
import type { ConcealedStream, Concealer } from '../concealed.ts'
import { SpoolWriter } from '../connection/spool.ts'
import type { JobFolder } from '../jobs/folder.ts'
import { bounded } from './bounded.ts'
import { ToolCalls } from './toolCalls.ts'

/** OTHER is for the types of a newer agent, which this one does not send. */
type RunEventType = Exclude<v.InferOutput<typeof runEvent>['type'], 'OTHER'>

/**
 * The first chunk of a message is an event at once, so that a person sees it without a delay. The others are gathered into one event for up to
 * so many milliseconds and characters.
 */
const gatherMs = 50
const gatherCharacters = 8 * 1024
/** The maximum size of the answer in the job's result, in characters. The last ones are kept. */
const answerCharacters = 64 * 1024

/** Records a conversation: events for the run, and messages for the log. Both are in order and without the run's token. */
export class Transcript {
  /** The last part of the CLI's messages. */
  answer = ''
  /** The number of pieces of messages that the CLI has sent. */
  pieces = 0
  readonly toolCalls = new ToolCalls()
  private readonly events: SpoolWriter
  private readonly log: SpoolWriter
  private readonly concealer: Concealer
  private readonly onWritten: () => void
  private readonly concealed: ConcealedStream
  private readonly stderrStream: ConcealedStream
  private gathering: { type: 'MESSAGE' | 'THOUGHT'; text: string } | undefined
  private timer: NodeJS.Timeout | undefined
  private closed = false
  private isAnswered = false

  /**
   * @param onWritten called after each write to the spools of the job
   * @param onFailure called if one of them could not be written
   */
  constructor(folder: JobFolder, concealer: Concealer, onWritten: () => void, onFailure: (error: unknown) => void) {
    this.concealer = concealer
    this.onWritten = onWritten
    this.concealed = concealer.stream()
    this.stderrStream = concealer.stream()
    const onFull = () => this.system('The run has more than 2 GiB of events; later ones are not kept.')
    this.events = new SpoolWriter(folder.events, { onFull, onFailure })
    this.log = new SpoolWriter(folder.output, { onFailure })
  }

  /** Records one `session/update` of the CLI. Kinds without information about the work (modes, menus, usage) are ignored. */
  update(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.addText('MESSAGE', update.content)
        break
      case 'agent_thought_chunk':
        this.addText('THOUGHT', update.content)
        break
      case 'tool_call':
      case 'tool_call_update':
        this.toolCall(update)
        break
      case 'plan':
        this.event('PLAN', { entries: update.entries })
        break
    }
  }

  /** Records a message of the CLI about a tool call. */
  toolCall(update: ToolCall | ToolCallUpdate): void {
    this.event(this.toolCalls.record(update), without(update))
  }

  /** Records the plan that the CLI presented. It replaces the messages as the answer. */
  presentPlan(text: string): void {
    this.flush()
    const plan = this.concealer.text(text)
    this.append('MESSAGE', { text: plan })
    this.write('STDOUT', Buffer.from(`${plan}\n`))
    this.answer = plan.slice(0, answerCharacters)
    if (plan.length > answerCharacters)
      this.system(`The plan is longer than ${answerCharacters} characters. Its end is only in this log.`)
    this.isAnswered = true
  }

  event(type: RunEventType, data: unknown): void {
    this.flush()
    this.append(type, this.concealer.value(data))
  }

  /** Writes a line of the agent itself to the log. */
  system(line: string): void {
    this.writeGathered()
    this.write('SYSTEM', Buffer.from(`${this.concealer.text(line)}\n`))
  }

  stderr(data: Buffer): void {
    // Write the gathered text first. The message continues after the error output.
    this.writeGathered()
    this.write('STDERR', this.stderrStream.takeBytes(data))
  }

  close(): void {
    if (this.closed) return
    this.flush()
    this.write('STDERR', Buffer.from(this.stderrStream.rest(), 'latin1'))
    this.closed = true
    this.events.close()
    this.log.close()
  }

  private addText(type: 'MESSAGE' | 'THOUGHT', content: ContentBlock): void {
    if (type === 'MESSAGE') this.pieces += 1
    if (content.type === 'text') this.gather(type, content.text)
    else this.event(type, { content })
  }

  private gather(type: 'MESSAGE' | 'THOUGHT', text: string): void {
    if (this.gathering && this.gathering.type !== type) this.flush()
    const isFirst = this.gathering === undefined
    this.gathering ??= { type, text: '' }
    this.gathering.text += this.concealed.take(text)
    if (isFirst || this.gathering.text.length >= gatherCharacters) this.writeGathered()
    else this.timer ??= setTimeout(() => this.writeGathered(), gatherMs)
  }

  /** Ends the current message, because something else follows. */
  private flush(): void {
    if (this.gathering) this.gathering.text += this.concealed.rest()
    this.writeGathered()
    this.gathering = undefined
  }

  private writeGathered(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (!this.gathering?.text) return
    const gathered = { ...this.gathering }
    this.gathering.text = ''
    this.append(gathered.type, { text: gathered.text })
    if (gathered.type !== 'MESSAGE') return
    if (!this.isAnswered) this.answer = (this.answer + gathered.text).slice(-answerCharacters)
    this.write('STDOUT', Buffer.from(gathered.text))
  }

  private append(type: RunEventType, data: unknown): void {
    if (this.closed) return
    this.events.write('EVENT', Buffer.from(JSON.stringify({ type, data: bounded(data) })))
    this.onWritten()
  }

  private write(stream: 'STDOUT' | 'STDERR' | 'SYSTEM', data: Buffer): void {
    if (this.closed || data.length === 0) return
    this.log.write(stream, data)
    this.onWritten()
  }
}

function without(update: { sessionUpdate?: string; _meta?: unknown }): Record<string, unknown> {
  const { sessionUpdate: _, _meta: __, ...rest } = update
  return rest
}
