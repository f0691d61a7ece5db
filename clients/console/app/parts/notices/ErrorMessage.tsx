/** An error with what to do about it. */
import { formatDelay } from '../../../../../spec/messages/format.ts'
import type { ApiError } from '../../data/apiError.ts'
import { format, locale, messages } from '../../messages.ts'
import { getErrorText } from './errorText.ts'

const { errors: texts } = messages.parts

const advice: Readonly<Record<string, string>> = {
  RATE_LIMITED: texts.rateLimited,
  CONFLICT: texts.conflict,
  NOT_FOUND: texts.notFound,
  FORBIDDEN: texts.forbidden,
}

interface ErrorMessageProps {
  readonly error: ApiError
  /** Whether the page retries automatically if that may help. Otherwise the user must retry. */
  readonly retriesAutomatically?: boolean
}

export function ErrorMessage({ error, retriesAutomatically = false }: ErrorMessageProps) {
  const { code, retryable, requestId, retryAfterSeconds } = error
  const later =
    retryAfterSeconds === undefined
      ? texts.retryLater
      : format(texts.retryIn, { delay: formatDelay(retryAfterSeconds, locale) })
  const hints = [
    advice[code],
    retryable && (retriesAutomatically ? texts.retrying : later),
    requestId && format(texts.requestId, { id: requestId }),
  ].filter(Boolean)
  return (
    <div class="message" role="alert">
      <p>{getErrorText(error)}</p>
      {hints.length > 0 && <p class="hint">{hints.join(' ')}</p>}
    </div>
  )
}
