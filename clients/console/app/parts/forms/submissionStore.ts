/** The submission of a form. */
import { createStore } from '@xstate/store'
import type { ApiError } from '../../data/apiError.ts'

export interface SubmissionContext {
  readonly isWorking: boolean
  readonly error: ApiError | undefined
  /** Whether the error concerns one of the fields. */
  readonly isFieldError: boolean
}

const initial: SubmissionContext = { isWorking: false, error: undefined, isFieldError: false }

export function createSubmissionStore() {
  return createStore({
    context: initial,
    on: {
      submitted: (): SubmissionContext => ({ ...initial, isWorking: true }),
      succeeded: (): SubmissionContext => initial,
      failed: (_, { error, isFieldError }: { error: ApiError; isFieldError: boolean }): SubmissionContext => ({
        isWorking: false,
        error,
        isFieldError,
      }),
    },
  })
}
