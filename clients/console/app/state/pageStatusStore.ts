/** The status of the object that the page shows. */
import { createStore } from '@xstate/store'

interface PageStatusContext {
  /** Undefined if the page does not show one object. */
  readonly status: string | undefined
}

const initial: PageStatusContext = { status: undefined }

export const pageStatusStore = createStore({
  context: initial,
  on: {
    changed: (_context, { status }: { status: string | undefined }): PageStatusContext => ({ status }),
  },
})
