/** The search document of a run, and the values by which the list of runs is filtered. */
import type { Json } from '../../spec/core/actor.ts'
import type { Searchable } from '../../spec/search/searchable.ts'
import type { RunInit } from './runActions.ts'

/** The number of characters of a prompt or command by which the list finds a run. The writing of a document takes longer with each word. */
const taskTextMax = 2_000

/**
 * The title is the beginning of the request. The rest of the request and the commands are only in the list of runs: a search over all
 * kinds shows the text that it finds, and they may contain confidential data.
 */
export function runDocument(init: RunInit): Searchable {
  const { title, number, place, spec, requestedBy, codebaseId } = init
  const names = place === undefined ? [] : [place.agent, place.branch, place.repository]
  const cli = textIn(spec, 'cli')
  return {
    title,
    text: `#${number}`,
    list: {
      text: [...names.filter((name) => name !== null), taskText(spec)].join(' \n'),
      marks: { by: requestedBy, codebase: codebaseId, ...(cli === undefined ? {} : { cli }) },
    },
  }
}

/** The beginning of the prompt or of the commands. */
function taskText(spec: Json): string {
  const prompt = textIn(spec, 'prompt')
  if (prompt !== undefined) return prompt.slice(0, taskTextMax)
  const { definition = spec } = Object(spec) as { readonly definition?: Json }
  const { steps } = Object(definition) as { readonly steps?: Json }
  return (Array.isArray(steps) ? steps : [])
    .flatMap(stepTexts)
    .filter((text) => text !== undefined)
    .join(' \n')
    .slice(0, taskTextMax)
}

/** The command of a session is a text. The steps of a workflow have an action with a command or a prompt. */
function stepTexts(step: Json): readonly (string | undefined)[] {
  const { action = null } = Object(step) as Readonly<Record<string, Json>>
  const { command = null, ai = null } = Object(action) as Readonly<Record<string, Json>>
  return [textIn(step, 'name'), textIn(step, 'command'), textIn(command, 'script'), textIn(ai, 'prompt')]
}

function textIn(value: Json, name: string): string | undefined {
  const text = (Object(value) as Readonly<Record<string, Json>>)[name]
  return typeof text === 'string' ? text : undefined
}
