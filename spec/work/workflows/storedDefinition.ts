import type { Json } from '../../core/actor.ts'
import type { WorkflowDefinition } from './definition.ts'
import type { StepDefinition } from './steps.ts'

/** A definition of a version in which a workflow was a list of commands. */
interface CommandList extends Omit<WorkflowDefinition, 'steps' | 'inputs' | 'outputs'> {
  readonly steps: readonly { readonly name: string; readonly command: string }[]
}

/**
 * Reads a stored definition. In one of an earlier version the steps are commands with free names. They become COMMAND steps, one after the
 * other, whose names are made from their titles.
 */
export function readDefinition(stored: Json): WorkflowDefinition {
  const definition = stored as unknown as WorkflowDefinition | CommandList
  return isCommandList(definition) ? fromCommandList(definition) : withBuilds(definition)
}

/** In definitions of before there were BUILD steps, no action has `build`. The first of these steps had no `source`. */
function withBuilds(definition: WorkflowDefinition): WorkflowDefinition {
  const { steps, ...rest } = definition
  if (steps.every(({ action: { build } }) => build === null || build?.source !== undefined)) return definition
  const complete = ({ build = null }: StepDefinition['action']) =>
    build && { ...build, source: build.source ?? 'COMMIT' }
  return {
    ...rest,
    steps: steps.map((step) => ({ ...step, action: { ...step.action, build: complete(step.action) } })),
  }
}

function isCommandList(definition: WorkflowDefinition | CommandList): definition is CommandList {
  return definition.steps.some((step) => !('action' in step))
}

function fromCommandList({ steps, ...rest }: CommandList): WorkflowDefinition {
  const names: string[] = []
  for (const { name } of steps) names.push(uniqueName(name, names))
  return {
    ...rest,
    inputs: [],
    outputs: [],
    steps: steps.map(
      ({ name: title, command: script }, index): StepDefinition => ({
        name: names[index] ?? '',
        title,
        kind: 'COMMAND',
        needs: names.slice(Math.max(0, index - 1), index),
        condition: 'SUCCEEDED',
        onlyIf: null,
        timeoutSeconds: null,
        retry: { maxAttempts: 1, delaySeconds: 10 },
        action: { command: { script, env: [] }, ai: null, workflow: null, build: null, approval: null },
      }),
    ),
  }
}

/** A step's name for a title of any form. */
function uniqueName(title: string, taken: readonly string[]): string {
  const plain = title
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 40)
  const name = plain === '' ? 'step' : plain
  if (!taken.includes(name)) return name
  let number = 2
  while (taken.includes(`${name}-${number}`)) number += 1
  return `${name}-${number}`
}
