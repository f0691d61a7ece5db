/**
 * A start that cannot go on. `message` is one sentence for the person who started the program: what is wrong, where,
 * and what to do about it. It holds no secret; `cause` is the error underneath, where there is one.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}
