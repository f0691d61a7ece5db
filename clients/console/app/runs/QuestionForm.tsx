/** A question of a run to a person, and the answer: one of its options, or a text. */
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { useRequest } from '../state/requestStore.ts'
import { PermissionDetails } from './PermissionDetails.tsx'
import type { Question } from './parsePermission.ts'

interface QuestionFormProps {
  readonly runId: string
  readonly questionId: string
  readonly question: Question
}

const answerMutation = graphql('mutation ($input: AnswerRunInput!) { answerRun(input: $input) { run { id } } }')

export function QuestionForm({ runId, questionId, question }: QuestionFormProps) {
  const { status, error, send } = useRequest()
  const { title, options } = question
  const sendAnswer = (answer: { readonly optionId: string } | { readonly text: string }) =>
    void send(requestGraphql(answerMutation, { input: { runId, questionId, answer } }))
  return (
    <section class="question" aria-labelledby="question">
      <h2 id="question">The agent asks</h2>
      <p class="question-text">{title}</p>
      <PermissionDetails question={question} />
      {error && <ErrorMessage error={error} />}
      {status === 'pending' || status === 'succeeded' ? (
        <p role="status" class="hint">
          Answer sent.
        </p>
      ) : (
        <>
          {options.length > 0 && (
            <div class="choices row">
              {options.map(({ optionId, name }) => (
                <button key={optionId} type="button" onClick={() => sendAnswer({ optionId })}>
                  {name}
                </button>
              ))}
            </div>
          )}
          {options.length === 0 && (
            <form
              class="answer-form"
              onSubmit={(event) => {
                event.preventDefault()
                sendAnswer({ text: String(new FormData(event.currentTarget).get('text') ?? '') })
              }}
            >
              <input name="text" aria-label="Your answer" required autoComplete="off" />
              <button type="submit" class="primary">
                Send answer
              </button>
            </form>
          )}
        </>
      )}
    </section>
  )
}
