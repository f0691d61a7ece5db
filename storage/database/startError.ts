/**
 * A start that cannot continue. `message` is one sentence for the person who started the program: what is wrong, where, and what
 * to do about it. It contains no secret. `cause` is the underlying error, if there is one.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}
