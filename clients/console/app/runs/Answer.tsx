/** A question of a run to a person, and the answer: one of its options, or a text. */
import { useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from '../data/ask.ts'
import { Refused } from '../parts/Notice.tsx'
import { PermissionSubject } from './PermissionSubject.tsx'
import type { Question } from './question.ts'

interface AnswerProps {
  readonly runId: string
  readonly questionId: string
  readonly question: Question
}

const mutation = 'mutation ($input: AnswerRunInput!) { answerRun(input: $input) { run { id } } }'

export function Answer({ runId, questionId, question }: AnswerProps) {
  const [refusal, setRefusal] = useState<Refusal>()
  const [sent, setSent] = useState(false)
  const { title, options } = question
  const send = (answer: { readonly optionId: string } | { readonly text: string }) => {
    setSent(true)
    setRefusal(undefined)
    ask(mutation, { input: { runId, questionId, answer } }).catch((error: unknown) => {
      setSent(false)
      setRefusal(refusalOf(error))
    })
  }
  return (
    <section class="question" aria-labelledby="question">
      <h2 id="question">It asks</h2>
      <p class="words">{title}</p>
      <PermissionSubject question={question} />
      {refusal && <Refused refusal={refusal} />}
      {sent ? (
        <p role="status" class="hint">
          Answered. Its agent is told.
        </p>
      ) : (
        <>
          {options.length > 0 && (
            <div class="choices row">
              {options.map(({ optionId, name }) => (
                <button key={optionId} type="button" onClick={() => send({ optionId })}>
                  {name}
                </button>
              ))}
            </div>
          )}
          {options.length === 0 && (
            <form
              class="answer"
              onSubmit={(event) => {
                event.preventDefault()
                send({ text: String(new FormData(event.currentTarget).get('text') ?? '') })
              }}
            >
              <input name="text" aria-label="Your answer" required autoComplete="off" />
              <button type="submit" class="primary">
                Answer
              </button>
            </form>
          )}
        </>
      )}
    </section>
  )
}
