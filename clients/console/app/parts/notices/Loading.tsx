import { messages } from '../../messages.ts'

export function Loading() {
  return (
    <p class="loading" role="status">
      {messages.parts.loading}
    </p>
  )
}
