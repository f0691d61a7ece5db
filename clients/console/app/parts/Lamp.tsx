/** A status with the aspect of a signal: what goes on, what waits, what has stopped, what is over. */
import { aspectOf } from './aspects.ts'
import { nameWords } from './nameWords.ts'

export function Lamp({ status }: { readonly status: string }) {
  return (
    <span class="lamp" data-aspect={aspectOf(status)}>
      {nameWords(status)}
    </span>
  )
}
