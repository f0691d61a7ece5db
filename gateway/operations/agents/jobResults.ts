import * as v from 'valibot'
import type { Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { text } from '../../../spec/core/types.ts'
import { conversationOpenings } from '../../../spec/runs/conversation.ts'
import { outputBytesMax, outputCharactersMax, outputNameForm, outputsMax } from '../../../spec/runs/outputs.ts'
import { name, path, sha } from '../../../spec/worktrees/codebaseReportInput.ts'
import { type ImageFormat, imageTypes } from '../../../spec/worktrees/imageFormat.ts'
import { findArrayForObject, notAnObject } from '../core/arrayForObject.ts'
import { boundedJson } from '../core/boundedJson.ts'

const diffImageContent = v.union([
  v.object({
    content: v.picklist(Object.keys(imageTypes) as ImageFormat[]),
    size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  }),
  v.object({
    content: v.picklist(['ABSENT', 'SYMLINK', 'NOT_A_FILE', 'TOO_LARGE', 'SVG', 'LFS_POINTER', 'NOT_AN_IMAGE']),
    size: v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  }),
])

/** The schemas of the results of jobs, for the kinds whose result other parts read. */
const forms: Readonly<Partial<Record<string, v.GenericSchema>>> = {
  /**
   * `conversation` is the coding CLI's ID of the conversation, which the next turn continues, and `opening` how it began. `text` is its
   * answer.
   */
  AI: v.looseObject({
    conversation: v.nullish(text({ max: 1_000 })),
    opening: v.nullish(v.picklist(conversationOpenings)),
    stopReason: v.nullish(text({ max: 100 })),
    text: v.nullish(v.string()),
  }),
  /** The agent refuses a command whose outputs break these rules. */
  COMMANDS: v.looseObject({
    outputs: v.nullish(
      v.pipe(
        v.record(
          v.pipe(v.string(), v.regex(outputNameForm, 'is not the name of an output')),
          v.pipe(v.string(), v.maxLength(outputCharactersMax, `must have at most ${outputCharactersMax} characters`)),
        ),
        v.check((all) => Object.keys(all).length <= outputsMax, `must have at most ${outputsMax} outputs`),
      ),
    ),
  }),
  BUILD: v.looseObject({ commit: sha }),
  DIFF_IMAGE: v.object({ before: diffImageContent, after: diffImageContent }),
  CREATE_WORKTREE: v.looseObject({ path: v.nullish(path), branch: name, headSha: sha }),
}

/** A control character has one byte in a file and six in JSON. The rest is for names and punctuation. */
const outputsJsonMax = 7 * outputBytesMax

/** The jobs of which a person waits for the result. Without it, a success would leave them waiting until their time is over. */
const neededResults: ReadonlySet<string> = new Set(['DIFF_IMAGE'])

/**
 * @param hasSucceeded whether the agent reports a success
 * @returns the result in its stored form; null if there is none. @throws Failure BAD_USER_INPUT, PAYLOAD_TOO_LARGE
 */
export function jobResult(kind: string, given: unknown, hasSucceeded: boolean): Json {
  const result = boundedJson(given ?? null, 'result', kind === 'COMMANDS' ? outputsJsonMax : undefined)
  if (result === null && hasSucceeded && neededResults.has(kind))
    throw wrong([], `must be given when a job ${kind} has succeeded. Otherwise report another outcome, with the reason`)
  const form = forms[kind]
  if (form === undefined || result === null) return result
  const array = findArrayForObject(form, result)
  if (array) throw wrong(array, notAnObject)
  const { issues } = v.safeParse(form, result)
  if (issues === undefined) return result
  const [issue] = issues
  throw wrong(
    (issue.path ?? []).map(({ key }) => key),
    issue.message,
  )
}

function wrong(path: readonly unknown[], problem: string): Failure {
  const field = ['result', ...path].join('.')
  return new Failure('BAD_USER_INPUT', `${field}: ${problem}`, { details: { field, problem } })
}
