/** The preview of an import: the action and the problems of each preset. */

export const planProblemCodes = [
  'DOCUMENT_TOO_LARGE',
  'NOT_JSON',
  'INVALID_DOCUMENT',
  'TOO_MANY_PRESETS',
  'DUPLICATE_TOOL',
  'UNKNOWN_INDEX',
  'DUPLICATE_DECISION',
  'TARGET_REQUIRED',
  'TARGET_NOT_ALLOWED',
  'TARGET_NOT_FOUND',
  'TARGET_TAKEN',
  'KIND_MISMATCH',
  'NAME_NOT_ALLOWED',
  'NAME_TAKEN',
  'UNKNOWN_SERVER_KEY',
  'DUPLICATE_MAPPING',
  'SERVER_NOT_MAPPED',
  'SERVER_NOT_FOUND',
  'SERVER_UNAVAILABLE',
  'TOOL_NOT_FOUND',
  // Warnings. They do not prevent the import.
  'RENAMES_TARGET',
  'NOTHING_TO_IMPORT',
] as const
