import type { TypedRow } from '../../../machines/rows.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import type { TypedViews } from '../typedViews.ts'

/** The IDs of the objects with which people work if the news is about a part of one, by the ID of the part. A part that was purged is missing. */
export async function findNewsObjects(
  news: readonly TypedRow<'news'>[],
  views: TypedViews,
): Promise<ReadonlyMap<string, string>> {
  const load = async <K extends ActorKind>(kind: K, toObjectId: (row: TypedRow<K>) => string) => {
    const ids = news.flatMap(({ init: { subject } }) => (subject.kind === kind ? [subject.id] : []))
    if (ids.length === 0) return []
    const rows = await views.getMany(kind, [...new Set(ids)])
    return [...rows.values()].map((row) => [row.id, toObjectId(row)] as const)
  }
  const found = await Promise.all([
    load('workflowStep', ({ init }) => init.place.runId),
    load('schedule', ({ init }) => init.workflowId),
    load('pushBuild', ({ init }) => init.buildConfigurationId),
  ])
  return new Map(found.flat())
}
