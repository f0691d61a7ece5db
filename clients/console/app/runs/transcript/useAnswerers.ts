/** The people who answered the questions of a run. The answers are in the run's journal, with the caller that sent each. */
import { createContext } from 'preact'
import { useEffect } from 'preact/hooks'
import { isActorId, readActorTitles } from '../../data/actorTitles.ts'
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useAsyncData } from '../../data/useQuery.ts'

const answersQuery = graphql(`query ($id: ID!) { actorHistory(id: $id, last: 100) {
  nodes { event payload principal } pageInfo { hasPreviousPage }
} }`)

export interface Answerers {
  /** Names by the ID of the question. */
  readonly names: ReadonlyMap<string, string>
  /** Whether `names` has all answers of people. Then the permission policy of the run gave the others. */
  readonly isComplete: boolean
}

const unknown: Answerers = { names: new Map(), isComplete: false }

export const AnswererContext = createContext(unknown)

/** @param answerCount the number of answers in the transcript. Nothing is read while it is 0 */
export function useAnswerers(runId: string, answerCount: number): Answerers {
  const key = answerCount === 0 ? '' : `answerers of ${runId}`
  const { data, refresh } = useAsyncData(key, () => (key === '' ? Promise.resolve(unknown) : readAnswerers(runId)))
  useEffect(() => {
    if (answerCount > 1) refresh()
  }, [answerCount])
  return data ?? unknown
}

async function readAnswerers(id: string): Promise<Answerers> {
  const { nodes, pageInfo } = (await requestGraphql(answersQuery, { id })).actorHistory
  const answers = nodes.filter(({ event }) => event === 'answer')
  const callers = [...new Set(answers.map(({ principal }) => principal))]
  const titles = await readActorTitles(callers.filter(isActorId))
  return {
    names: new Map(
      answers.map(({ payload, principal }) => [readQuestionId(payload), titles.get(principal) ?? principal] as const),
    ),
    isComplete: !pageInfo.hasPreviousPage,
  }
}

function readQuestionId(payload: unknown): string {
  const { questionId } = { ...(payload as Readonly<Record<string, unknown>> | null) }
  return typeof questionId === 'string' ? questionId : ''
}
