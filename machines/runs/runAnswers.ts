import type { Json } from '../../spec/core/actor.ts'
import { Failure } from '../../spec/core/failure.ts'

/** Refuses an option that the question does not offer. Any other answer is passed on, because only the agent can check it. */
export function refuseAnswer(question: Json | undefined, answer: Json): Failure | undefined {
  const optionId = fieldOf(answer, 'optionId')
  const options = fieldOf(question ?? null, 'options')
  if (optionId === undefined || !Array.isArray(options)) return undefined
  const offered = options.flatMap((option: Json) => fieldOf(option, 'optionId') ?? [])
  if (offered.includes(optionId)) return undefined
  const names = offered.length === 0 ? 'none' : offered.join(', ')
  return new Failure(
    'BAD_USER_INPUT',
    `The question does not offer the option ${JSON.stringify(optionId)}. It offers: ${names}. Answer with one of them, or with { "text": … }.`,
    { details: { field: 'answer', options: offered } },
  )
}

function fieldOf(value: Json, name: string): Json | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json })[name]
    : undefined
}
