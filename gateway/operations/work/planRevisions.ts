import { createTwoFilesPatch } from 'diff'
import { connectionOf, nestedPageArguments } from '../../../spec/core/connections.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { planRevision } from '../../../spec/work/planRevisions.ts'
import { requesterBy } from '../accounts/requester.ts'
import { pageOfList } from '../core/computedConnection.ts'
import type { PageArguments } from '../core/connections.ts'
import type { GraphqlObject, PartType, Relation, RelationContext } from '../objectType.ts'
import type { TypedViews } from '../typedViews.ts'
import { lastRevision, type NumberedRevision, readRevision } from './planContent.ts'

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

/** A page of the revisions. Only the texts of the page, and the one before each for the difference, are read. */
export const revisionsOfPlan = {
  type: 'derived',
  output: connectionOf('PlanRevision', planRevision),
  arguments: nestedPageArguments,
  nullable: false,
  description: 'The revisions of the text, newest first.',
  load: async (parents: readonly GraphqlObject[], { views }: RelationContext, args: PageArguments) =>
    await Promise.all(
      parents.map(async ({ id }) => {
        const last = await lastNumber(String(id), views)
        const numbers = Array.from({ length: last }, (_, index) => last - index)
        const page = pageOfList(numbers, args, String)
        const nodes = await readOutputs(String(id), page.nodes, views)
        return { ...page, nodes, edges: page.edges.map((edge, index) => ({ ...edge, node: nodes[index] })) }
      }),
    ),
} as const satisfies Relation & { readonly description: string; readonly nullable: boolean }

/** Newest first. */
export async function latestRevisionsOf(planId: string, max: number, views: TypedViews) {
  const last = await lastNumber(planId, views)
  const numbers = Array.from({ length: Math.min(last, max) }, (_, index) => last - index)
  return await readOutputs(planId, numbers, views)
}

async function lastNumber(planId: string, views: TypedViews): Promise<number> {
  const plan = await views.get('plan', planId)
  return (plan && (await lastRevision(plan, views))?.number) ?? 0
}

async function readOutputs(planId: string, numbers: readonly number[], views: TypedViews) {
  const wanted = [...new Set(numbers.flatMap((number) => [number, number - 1]))].filter((number) => number > 0)
  const read = await Promise.all(
    wanted.map(async (number) => [number, await revisionOf(planId, number, views)] as const),
  )
  const revisions = new Map(read)
  return numbers.flatMap((number) => {
    const revision = revisions.get(number)
    return revision === undefined ? [] : [toOutput(revision, revisions.get(number - 1))]
  })
}

/** A plan of an earlier version has only its last answer. */
async function revisionOf(planId: string, number: number, views: TypedViews): Promise<NumberedRevision | undefined> {
  const stored = await readRevision(planId, number, views)
  if (stored !== undefined || number > 1) return stored
  const plan = await views.get('plan', planId)
  return plan && (await lastRevision(plan, views))
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
