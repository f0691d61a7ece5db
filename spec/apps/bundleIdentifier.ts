import * as v from 'valibot'

/** The characters that Apple accepts: letters, digits, hyphens and full stops. */
export const bundleIdentifier = v.pipe(
  v.string(),
  v.maxLength(155, 'must have at most 155 characters'),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9.-]*$/, 'must be a bundle identifier, such as org.example.shop'),
  v.description('The bundle identifier of the app, for example `org.example.shop`.'),
)

/** Normalizes a bundle identifier to find an app, because case does not distinguish apps. */
export const appKey = (own: string): string => own.toLowerCase()
