/** A question of the coding CLI in the transcript: what it is about, the answer, and who gave it. */
import { useContext } from 'preact/hooks'
import { format, messages } from '../../messages.ts'
import { PermissionDetails } from '../PermissionDetails.tsx'
import type { QuestionEntry } from './transcriptEntries.ts'
import { AnswererContext } from './useAnswerers.ts'

const { transcript: texts } = messages.run

export function QuestionItem({ entry }: { readonly entry: QuestionEntry }) {
  const { questionId, question, isAnswered } = entry
  const { names, isComplete } = useContext(AnswererContext)
  const by = names.get(questionId) ?? (isComplete ? texts.permissionPolicy : undefined)
  return (
    <article class="asked" aria-label={texts.question}>
      <p class="asked-title">{question.title}</p>
      <PermissionDetails question={question} />
      {isAnswered ? (
        <p class="answer">
          {entry.answer === null ? texts.questionCanceled : format(texts.answer, { answer: describeAnswer(entry) })}{' '}
          {entry.answer !== null && by !== undefined && (
            <span class="hint">{format(texts.answeredBy, { name: by })}</span>
          )}
        </p>
      ) : (
        <p class="hint">{texts.notAnswered}</p>
      )}
    </article>
  )
}

function describeAnswer({ question, answer }: QuestionEntry): string {
  if (answer?.optionId == null) return answer?.text ?? ''
  return question.options.find(({ optionId }) => optionId === answer.optionId)?.name ?? answer.optionId
}
