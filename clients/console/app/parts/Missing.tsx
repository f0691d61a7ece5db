/** The view for an address of an object that does not exist. */

import type { Refusal } from '../data/ask.ts'
import { Empty } from './Notice.tsx'
import { useTitle } from './useTitle.ts'

/** Returns whether the server has no object with the ID, or rejects the ID. */
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
