/** A question of a run to a person, and the answer: one of its options, or a text. */
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { useRequest } from '../state/requestStore.ts'
import { PermissionDetails } from './PermissionDetails.tsx'
import type { Question } from './parsePermission.ts'

const { question: texts } = messages.run

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
      <h2 id="question">{texts.title}</h2>
      <p class="question-text">{title}</p>
      <PermissionDetails question={question} />
      {error && <ErrorMessage error={error} />}
      {status === 'pending' || status === 'succeeded' ? (
        <p role="status" class="hint">
          {texts.sent}
        </p>
      ) : (
        <>
          {options.length > 0 && (
            <div class="choices row">
              {options.map(({ optionId, name }) => (
                <ActionButton key={optionId} look="quiet" onClick={() => sendAnswer({ optionId })}>
                  {name}
                </ActionButton>
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
              <input name="text" aria-label={texts.yourAnswer} required autoComplete="off" />
              <ActionButton type="submit" look="primary">
                {texts.send}
              </ActionButton>
            </form>
          )}
        </>
      )}
    </section>
  )
}
