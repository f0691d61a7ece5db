/** PostgreSQL's own answer that a statement failed. */
export interface ServerError extends Error {
  /** SQLSTATE. */
  readonly code: string
  readonly constraint_name?: string
  readonly column_name?: string
}

export function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && error.name === 'PostgresError'
}

/** The connection ended, was cut, or could not be made. Whether a statement that was sent took effect is not known. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  readonly code = 'CONNECTION_LOST'
}

/** A statement did not get a connection in time, and was not sent. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'
  readonly code = 'CONNECTION_NONE'
}

/** The server answers and does not accept writes: a standby, or a primary that is being demoted. */
export class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer'
  readonly code = 'CONNECTION_READ_ONLY'
}

/**
 * The server ends this session, or it does not accept writes any more (25006). Another session may find a server that does, so
 * this one is given up.
 */
const sessionEnding = /^(57P0[1-5]|08...|25006)$/

export function endsSession(error: unknown): boolean {
  return isServerError(error) && sessionEnding.test(error.code)
}
