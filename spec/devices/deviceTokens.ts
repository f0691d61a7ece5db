/**
 * The fields by which a device can be reached, on both routes: the token that Apple gave it, the app that the token is for, and
 * which of Apple's two services accepts it.
 */
import * as v from 'valibot'
import { named, text } from '../core/types.ts'

/** According to Apple, a token's length may change. Today it has 32 bytes. */
export const tokenBytes = Object.freeze({ min: 16, max: 100 })

export const pushEnvironment = named(
  'PushEnvironment',
  'The push service of Apple that issued the token. SANDBOX: development builds. PRODUCTION: builds of the store.',
  v.picklist(['SANDBOX', 'PRODUCTION'], 'must be SANDBOX or PRODUCTION'),
)

export type PushEnvironment = v.InferOutput<typeof pushEnvironment>

/** The server to which tokens of an environment are sent. Their encryption is bound to it. */
export const pushOrigins: Readonly<Record<PushEnvironment, string>> = Object.freeze({
  SANDBOX: 'https://api.sandbox.push.apple.com',
  PRODUCTION: 'https://api.push.apple.com',
})

/** The fields that both routes accept. */
export const deviceEntries = {
  clientRegistrationId: v.pipe(
    v.string(),
    v.regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 visible ASCII characters'),
    v.description(
      'An ID that the app generates once for each installation. With environment and topic it identifies the registration.',
    ),
  ),
  token: v.pipe(
    v.string(),
    v.minLength(1, 'must be the device’s token'),
    v.maxLength(1_000, 'must have at most 1000 characters'),
    v.description(`The token from Apple: ${tokenBytes.min} to ${tokenBytes.max} bytes. It is never returned.`),
  ),
  tokenEncoding: v.pipe(
    v.picklist(['HEX', 'BASE64'], 'must be HEX or BASE64'),
    v.description('The encoding of `token`. Base64 can use either alphabet, with or without padding.'),
  ),
  topic: v.pipe(
    v.string(),
    v.regex(/^[A-Za-z0-9]([A-Za-z0-9.-]{0,253}[A-Za-z0-9])?$/, 'must be the app’s bundle identifier'),
    v.description('The app’s bundle identifier.'),
  ),
  environment: pushEnvironment,
  displayName: v.pipe(text({ min: 1, max: 200 }), v.description('The owner’s name of the device.')),
} as const

/** The unique key of a registration. JSON keeps the three values separate. */
export function registrationKey(device: {
  readonly environment: string
  readonly topic: string
  readonly clientRegistrationId: string
}): string {
  return JSON.stringify([device.environment, device.topic, device.clientRegistrationId])
}

/** The token in lower-case hexadecimal, the form that Apple's service uses; undefined if the text is not in the given encoding. */
export function tokenInHex(token: string, encoding: 'HEX' | 'BASE64'): string | undefined {
  const bytes = encoding === 'HEX' ? fromHex(token) : fromBase64(token)
  if (bytes === undefined || bytes.length < tokenBytes.min || bytes.length > tokenBytes.max) return undefined
  return bytes.toString('hex')
}

function fromHex(text: string): Buffer | undefined {
  return /^([0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined
}

/** Accepts only canonical encoder output. A text with other letters or non-zero padding bits was damaged. */
function fromBase64(text: string): Buffer | undefined {
  const plain = text
    .replace(/={1,2}$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  const bytes = Buffer.from(plain, 'base64url')
  return bytes.toString('base64url') === plain ? bytes : undefined
}
