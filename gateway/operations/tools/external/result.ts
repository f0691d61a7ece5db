/** Checks the form of a tool's result. The client compares it with the advertised schema. */
import { ExternalCallFailed, type ExternalResult } from '../../../../spec/tools/external.ts'

type UncheckedResult = Readonly<Record<string, unknown>>

/** @throws ExternalCallFailed PROTOCOL_ERROR if it is not a tool result: clients could not read it */
export function parseToolResult(raw: UncheckedResult): ExternalResult {
  const { content = [], structuredContent, isError, _meta } = raw
  const isResult =
    (raw.content !== undefined || structuredContent !== undefined) &&
    Array.isArray(content) &&
    content.every((block) => isObject(block) && typeof block.type === 'string') &&
    (structuredContent === undefined || isObject(structuredContent)) &&
    (isError === undefined || typeof isError === 'boolean')
  if (!isResult)
    throw new ExternalCallFailed(
      'PROTOCOL_ERROR',
      'REFUSED',
      'The server sent an invalid tool result. The call may have taken effect: check before you repeat it.',
    )
  return {
    content,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError !== undefined && { isError }),
    ...(isObject(_meta) && { _meta }),
  }
}

function isObject(value: unknown): value is UncheckedResult {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
