/** The outputs of a command, which it writes to the file `SIGNALBOX_OUTPUT`, and of a workflow. Later steps of a workflow use them. */
import * as v from 'valibot'
import type { Json } from '../core/actor.ts'
import { named } from '../core/types.ts'

export const namedValue = named('NamedValue', 'A text with a name.', v.object({ name: v.string(), value: v.string() }))

export const outputNameForm = /^[a-zA-Z_][a-zA-Z0-9_-]{0,49}$/
export const outputsMax = 50
/** The maximum number of characters of one value. */
export const outputCharactersMax = 20_000
/** The maximum size of the file, in bytes. */
export const outputBytesMax = 64 * 1024

/** The outputs in the result of a job or of a workflow's run. Empty if it has none. */
export function readOutputs(result: Json | undefined): Readonly<Record<string, string>> {
  const { outputs } = Object(result) as { readonly outputs?: Json }
  const pairs = Object.entries(Object(outputs) as Readonly<Record<string, Json>>)
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}
