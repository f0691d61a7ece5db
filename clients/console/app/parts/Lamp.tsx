/** A status badge with a color: in progress, waiting, stopped, or over. */
import { aspectOf } from './aspects.ts'
import { nameWords } from './nameWords.ts'

export function Lamp({ status }: { readonly status: string }) {
  return (
    <span class="lamp" data-aspect={aspectOf(status)}>
      {nameWords(status)}
    </span>
  )
}
