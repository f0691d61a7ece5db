/** A COMMAND step of a workflow's definition. */
export function commandStep(name: string, script: string, more: Readonly<Record<string, unknown>> = {}) {
  return { name, action: { command: { script } }, ...more }
}
