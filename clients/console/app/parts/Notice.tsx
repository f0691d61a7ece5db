/** The notice of a view that has nothing to show, or whose request failed. */
import type { ComponentChildren } from 'preact'
import { formatDelay } from '../../../../spec/messages/format.ts'
import type { Refusal } from '../data/ask.ts'

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="title">{title}</p>
      {children}
    </div>
  )
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what} …
    </p>
  )
}

const advice: Readonly<Record<string, string>> = {
  RATE_LIMITED: 'The server limits how much one person asks in five minutes.',
  CONFLICT:
    'It has moved on since you looked, and nothing was done. Leave this, look at what has come, and decide anew.',
  NOT_FOUND: 'It may have been removed, or the address is wrong.',
  FORBIDDEN: 'Ask who looks after this server.',
}

/** @param byItself whether the page retries automatically if that may help. Otherwise the user must retry */
export function Refused({ refusal, byItself = false }: { readonly refusal: Refusal; readonly byItself?: boolean }) {
  const { code, message, retryable, requestId, retryAfterSeconds } = refusal
  const later = retryAfterSeconds === undefined ? 'in a moment' : formatDelay(retryAfterSeconds, 'en')
  const words = [
    advice[code],
    retryable && (byItself ? 'It is tried again by itself.' : `Try it again ${later}.`),
    requestId && `The server’s log has it under ${requestId}.`,
  ].filter(Boolean)
  return (
    <div class="message" role="alert">
      <p>{message}</p>
      {words.length > 0 && <p class="hint">{words.join(' ')}</p>}
    </div>
  )
}
