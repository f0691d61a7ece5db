/** An error with what to do about it. */
import { formatDelay } from '../../../../../spec/messages/format.ts'
import type { ApiError } from '../../data/apiError.ts'
import { emptyResponseMessage, notRespondingMessage } from '../../data/request.ts'
import { format, locale, messages } from '../../messages.ts'

const { errors: texts } = messages.parts

const advice: Readonly<Record<string, string>> = {
  RATE_LIMITED: texts.rateLimited,
  CONFLICT: texts.conflict,
  NOT_FOUND: texts.notFound,
  FORBIDDEN: texts.forbidden,
}

const requestErrors: ReadonlyMap<string, string> = new Map([
  [notRespondingMessage, texts.notResponding],
  [emptyResponseMessage, texts.emptyResponse],
])

interface ErrorMessageProps {
  readonly error: ApiError
  /** Whether the page retries automatically if that may help. Otherwise the user must retry. */
  readonly retriesAutomatically?: boolean
}

export function ErrorMessage({ error, retriesAutomatically = false }: ErrorMessageProps) {
  const { code, message, retryable, requestId, retryAfterSeconds } = error
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
      <p>{requestErrors.get(message) ?? message}</p>
      {hints.length > 0 && <p class="hint">{hints.join(' ')}</p>}
    </div>
  )
}
