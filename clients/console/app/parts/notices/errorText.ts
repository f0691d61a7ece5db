/** The text of an error. That of the server is in English. */
import type { ApiError } from '../../data/apiError.ts'
import { messages } from '../../messages.ts'

const { errors: texts } = messages.parts

/** The errors that the console itself detects, by their codes. Requests do not translate them, since a worker sends requests too. */
const ownErrors: Readonly<Record<string, string>> = {
  DISCONNECTED: texts.notResponding,
  EMPTY_RESPONSE: texts.emptyResponse,
  UPLOAD_INTERRUPTED: texts.uploadInterrupted,
}

export function getErrorText({ code, message }: ApiError): string {
  return ownErrors[code] ?? message
}
