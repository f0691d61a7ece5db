/** What an address names is not there. */

import type { Refusal } from '../data/ask.ts'
import { Empty } from './Notice.tsx'
import { useTitle } from './useTitle.ts'

/** Whether the server knows nothing of that name, or can't make out the name. */
export function namesNothing(refusal: Refusal | undefined): boolean {
  return refusal?.code === 'NOT_FOUND' || refusal?.code === 'BAD_USER_INPUT'
}

export function Missing({ what }: { readonly what: string }) {
  useTitle(['Not here'])
  return (
    <section>
      <h1>Not here</h1>
      <Empty title={what}>
        <p>
          It may have been removed, or the address is wrong. <a href="/">See what waits for you</a>
        </p>
      </Empty>
    </section>
  )
}
