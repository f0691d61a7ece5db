/** What a password must be like where one is set. */
import * as v from 'valibot'

export const newPassword = v.pipe(
  v.string(),
  v.minLength(8, 'must have at least 8 characters'),
  v.maxLength(128, 'must have at most 128 characters'),
)
