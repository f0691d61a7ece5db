/**
 * The portable document: presets as they go from one installation to another. Tools of external servers stand in it under a key that
 * means something in this document alone; whoever imports it says which of their own servers each key is.
 */
import * as v from 'valibot'

/** Letters, digits and hyphens: a name to recognise a server by, or `server-1`. */
export const serverKey = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/, 'must be 1 to 64 lower-case letters, digits and inner hyphens'),
)
