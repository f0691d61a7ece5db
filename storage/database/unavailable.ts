/** An unavailable database is not a defect. The caller gets `UNAVAILABLE` and can retry. */
import { Failure } from '../../spec/core/failure.ts'
import { isServerError } from '../connections/errors.ts'

const retryAfterMs = 1_000

/** The server shuts down, starts, is full or timed out: classes 08, 53 and 57, and other errors that the statement did not cause. */
const passing = /^(08|53|57|58|40001|40P01|55P03|25006)/

/** Error codes of a connection that could not be opened or that broke: those of postgres.js and of the operating system. */
const broken = /^(CONNECTION_|CONNECT_|E[A-Z]+$)/

export function isUnavailable(error: unknown): boolean {
  if (isServerError(error)) return passing.test(error.code)
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return error instanceof Error && !(error instanceof Failure) && typeof code === 'string' && broken.test(code)
}

/** Wraps a port so that its methods fail with `UNAVAILABLE` if the database is unavailable. Other errors pass through. */
export function reportingUnavailable<T extends object>(port: T): T {
  const methods = new Map<unknown, unknown>()
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const known = methods.get(value)
      if (known !== undefined) return known
      const method = (...given: unknown[]): unknown => {
        const answer: unknown = value.apply(target, given)
        return answer instanceof Promise ? answer.catch(throwUnavailable) : answer
      }
      methods.set(value, method)
      return method
    },
  })
}

function throwUnavailable(error: unknown): never {
  if (!isUnavailable(error)) throw error
  const message = 'The database does not answer at the moment. Ask again.'
  throw Object.assign(new Failure('UNAVAILABLE', message, { retryAfterMs }), { cause: error })
}
