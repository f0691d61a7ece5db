/** A question of a run to a person, and the answer: one of its options, or a text. */
import { useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from '../data/ask.ts'
import { Refused } from '../parts/Notice.tsx'
import { PermissionSubject } from './PermissionSubject.tsx'

interface AnswerProps {
  readonly runId: string
  readonly questionId: string
  /** The question in the format of the coding CLI. */
  readonly question: unknown
}

interface Option {
  readonly optionId: string
  readonly name: string
}

const mutation = 'mutation ($input: AnswerRunInput!) { answerRun(input: $input) { run { id } } }'

export function Answer({ runId, questionId, question }: AnswerProps) {
  const [refusal, setRefusal] = useState<Refusal>()
  const [sent, setSent] = useState(false)
  const options = optionsOf(question)
  const send = (answer: unknown) => {
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
      <p class="words">{wordsOf(question)}</p>
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

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** A permission request of ACP has options. Any other question is answered with a text. */
function optionsOf(question: unknown): readonly Option[] {
  const { options } = record(question)
  return (Array.isArray(options) ? options : []).flatMap((one) => {
    const { optionId, name } = record(one)
    return typeof optionId === 'string' ? [{ optionId, name: typeof name === 'string' ? name : optionId }] : []
  })
}

function wordsOf(question: unknown): string {
  const { text, title, message, toolCall } = record(question)
  const words = [text, title, message, record(toolCall).title].find((one) => typeof one === 'string')
  return typeof words === 'string' ? words : JSON.stringify(question, null, 2)
}
