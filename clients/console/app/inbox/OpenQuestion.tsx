/** The open question of a run. It is read only when the user wants to answer, because a permission may have a long diff. */
import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { messages } from '../messages.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { questionFragment } from '../runs/parsePermission.ts'
import { QuestionForm } from '../runs/QuestionForm.tsx'

const questionQuery = graphql('query ($runId: ID!) { run(id: $runId) { questionId question { ...QuestionFields } } }', [
  questionFragment,
])

export function OpenQuestion({ runId }: { readonly runId: string }) {
  const { data, error } = useQuery(questionQuery, { runId })
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  if (data === undefined) return <p role="status">{messages.inbox.question.loading}</p>
  const { questionId, question } = data.run ?? {}
  if (!questionId || !question) return <p role="status">{messages.inbox.question.gone}</p>
  return <QuestionForm runId={runId} questionId={questionId} question={question} />
}
