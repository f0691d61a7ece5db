/**
 * The portable document with which presets are moved between installations. It names external servers by keys that are valid only
 * in this document. The user who imports it assigns one of their own servers to each key.
 */
import * as v from 'valibot'

/** Letters, digits and hyphens: a recognizable name of a server, or `server-1`. */
export const serverKey = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/, 'must be 1 to 64 lower-case letters, digits and inner hyphens'),
)
