import { createTwoFilesPatch } from 'diff'
import { toDateTime } from '../../../spec/core/types.ts'
import { planRevision } from '../../../spec/work/planRevisions.ts'
import { requesterBy } from '../accounts/requester.ts'
import { computedConnection } from '../core/computedConnection.ts'
import type { PartType } from '../objectType.ts'
import type { TypedViews } from '../typedViews.ts'
import { type NumberedRevision, readRevisions } from './planContent.ts'

/** Revisions that are read. A plan has a few; this bounds the memory of one request. */
const revisionsMax = 1_000
/** A comparison of texts that differ in more lines shows all lines as replaced. */
const changedLinesMax = 2_000

export const planRevisionType: PartType = {
  name: 'PlanRevision',
  schema: planRevision,
  relations: {
    author: {
      ...requesterBy('authorId'),
      description: 'The user, API key or run that wrote the text. Null if the user was removed.',
    },
  },
}

export const revisionsOfPlan = computedConnection('PlanRevision', planRevision, {
  description: `The revisions of the text, newest first, of the first ${revisionsMax}.`,
  positionOf: ({ revision }) => String(revision),
  load: async (parents, { views }) => await Promise.all(parents.map(({ id }) => revisionsOf(String(id), views))),
})

export async function revisionsOf(planId: string, views: TypedViews) {
  const revisions = await readRevisions(planId, revisionsMax, views)
  return revisions.map((revision, index) => toOutput(revision, revisions[index - 1])).reverse()
}

function toOutput({ number, text, runId, author, at }: NumberedRevision, before: NumberedRevision | undefined) {
  return {
    revision: number,
    text,
    diff: before === undefined ? null : difference(before, text, number),
    runId,
    authorId: author,
    createdAt: toDateTime(at),
  }
}

function difference(before: NumberedRevision, text: string, number: number): string {
  const names = [`revision ${before.number}`, `revision ${number}`] as const
  return (
    createTwoFilesPatch(...names, before.text, text, undefined, undefined, { maxEditLength: changedLinesMax }) ??
    replaced(names, before.text, text)
  )
}

function replaced([from, to]: readonly [string, string], before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)]
  return [`--- ${from}`, `+++ ${to}`, `@@ -1,${old.length} +1,${now.length} @@`, ...lines, ''].join('\n')
}
