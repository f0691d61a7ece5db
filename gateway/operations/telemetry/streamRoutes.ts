/** The streams of stored telemetry. Without an ID a stream begins with what is stored from now on. */
import type { TelemetryKind } from '../../../spec/telemetry/record.ts'
import { telemetryRoutes } from '../../../spec/telemetry/telemetryRoutes.ts'
import type { TelemetryStreamPosition } from '../../../storage/ports/telemetry.ts'
import type { Answer } from '../../http/route.ts'
import { type EventAnswers, type EventCall, lastEventId, notAnEventId } from '../../subscriptions/eventAnswers.ts'
import type { TopicItem } from '../handler.ts'
import { type ServedRoute, serve } from '../restHandler.ts'
import { toRecord } from './telemetryRecords.ts'

export function serveTelemetryStreams(answers: EventAnswers): readonly ServedRoute[] {
  return [
    serve(telemetryRoutes.streamConsoleLogs, (call) => openStream('CONSOLE_LOG', call, answers)),
    serve(telemetryRoutes.streamAnalyticsEvents, (call) => openStream('ANALYTICS_EVENT', call, answers)),
  ]
}

async function openStream(kind: TelemetryKind, call: EventCall, answers: EventAnswers): Promise<Answer> {
  const { source } = answers.sources.telemetry
  const lastId = lastEventId(call)
  const after = lastId === undefined ? await source.end() : positionOf(lastId)
  // A position that cannot be continued is refused before the stream begins.
  if (lastId !== undefined) await source.read(kind, after)
  return await answers.open(call, {
    topic: { type: 'telemetry', kind, after },
    beginId: idOf(after),
    idOf: (item) => idOf(telemetryIn(item).position),
    dataOf: (item) => toRecord(telemetryIn(item).record),
  })
}

function telemetryIn(item: TopicItem) {
  if (item.type !== 'telemetry') throw new Error(`a stream of telemetry has an item of type ${item.type}`)
  return item
}

function idOf({ tx, number }: TelemetryStreamPosition): string {
  return `${tx}-${number}`
}

/** @throws Failure BAD_USER_INPUT */
function positionOf(id: string): TelemetryStreamPosition {
  const [, tx, number] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? []
  if (tx === undefined || number === undefined) throw notAnEventId()
  return { tx: Number(tx), number: Number(number) }
}
