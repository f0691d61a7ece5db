/** How an account route is declared. */
import type * as v from 'valibot'
import type { Principal } from '../../../spec/principal.ts'
import type { HttpRequest } from '../../request.ts'
import type { Answer, Method } from '../../route.ts'
import type { AuthServices } from './services.ts'

export interface AuthCall<Input = unknown> {
  readonly request: HttpRequest
  readonly principal: Principal
  readonly input: Input
  readonly services: AuthServices
}

export interface AuthOperation {
  readonly method: Method
  readonly path: string
  readonly description: string
  /** `session`: a signed-in user. `anyone`: also callers without a credential. */
  readonly access: 'session' | 'anyone'
  readonly body: v.GenericSchema | undefined
  handle(call: AuthCall): Promise<Answer>
}

/** Declares one with the type of its body. */
export function authOperation<const S extends v.GenericSchema | undefined>(
  operation: Omit<AuthOperation, 'handle' | 'body'> & {
    readonly body: S
    handle(call: AuthCall<S extends v.GenericSchema ? v.InferOutput<S> : undefined>): Promise<Answer>
  },
): AuthOperation {
  return operation as unknown as AuthOperation
}
