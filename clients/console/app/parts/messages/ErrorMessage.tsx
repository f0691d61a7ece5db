/** An error with what to do about it. */
import { formatDelay } from '../../../../../spec/messages/format.ts'
import type { ApiError } from '../../data/apiError.ts'

const advice: Readonly<Record<string, string>> = {
  RATE_LIMITED: 'The server limits the requests of each user.',
  CONFLICT: 'The object changed while you were looking. Nothing was done. Review the new state and try again.',
  NOT_FOUND: 'The object may have been removed, or the address is wrong.',
  FORBIDDEN: 'Contact the administrator of this server.',
}

interface ErrorMessageProps {
  readonly error: ApiError
  /** Whether the page retries automatically if that may help. Otherwise the user must retry. */
  readonly retriesAutomatically?: boolean
}

export function ErrorMessage({ error, retriesAutomatically = false }: ErrorMessageProps) {
  const { code, message, retryable, requestId, retryAfterSeconds } = error
  const later = retryAfterSeconds === undefined ? 'in a moment' : formatDelay(retryAfterSeconds, 'en')
  const hints = [
    advice[code],
    retryable && (retriesAutomatically ? 'Retrying automatically.' : `Try again ${later}.`),
    requestId && `Request ID: ${requestId}.`,
  ].filter(Boolean)
  return (
    <div class="message" role="alert">
      <p>{message}</p>
      {hints.length > 0 && <p class="hint">{hints.join(' ')}</p>}
    </div>
  )
}
