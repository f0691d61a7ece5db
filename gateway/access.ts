/** The one place where an operation's `access` is compared with who asks. Deny by default. */
import { Failure } from '../spec/failure.ts'
import type { Operation } from '../spec/operation.ts'
import type { Principal } from '../spec/principal.ts'

/** @throws Failure FORBIDDEN; UNAUTHENTICATED for nobody */
export function authorize(operation: Pick<Operation, 'name' | 'access'>, principal: Principal): void {
  if (operation.access.includes(principal.kind)) return
  if (principal.kind === 'anonymous') throw new Failure('UNAUTHENTICATED', 'This needs a credential.')
  throw new Failure('FORBIDDEN', `${operation.name} is not open to this kind of credential.`)
}
