/** What a view says where it has nothing to show, or could not be asked. */
import type { ComponentChildren } from 'preact'
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
  DISCONNECTED: 'It is tried again by itself.',
  UNAVAILABLE: 'It is tried again by itself.',
  COST_LIMIT_EXCEEDED: 'You have asked a great deal in the last minutes. It is tried again by itself.',
  NOT_FOUND: 'It may have been removed, or the address is wrong.',
  FORBIDDEN: 'Ask who looks after this server.',
}

export function Refused({ refusal }: { readonly refusal: Refusal }) {
  return (
    <div class="message" role="alert">
      <p>{refusal.message}</p>
      <p class="hint">
        {advice[refusal.code] ?? 'It is tried again by itself.'}
        {refusal.requestId && ` The server’s log has it under ${refusal.requestId}.`}
      </p>
    </div>
  )
}
