/** The environment variables that a shell command of a job can have. Agents refuse a job that has more. */

export const variablesMax = 64
/** The maximum size of all variables together, in bytes. */
export const environmentBytesMax = 32 * 1024

type Variables = Readonly<Record<string, string>>

const encoder = new TextEncoder()

/** Bytes as a process gets them: `NAME=value` and a zero byte. */
export function environmentBytes(variables: Variables): number {
  return Object.entries(variables).reduce(
    (sum, [name, value]) => sum + encoder.encode(`${name}=${value}`).length + 1,
    0,
  )
}

/** @returns the reason why no command can have these variables. Undefined if one can */
export function describeEnvironment(variables: Variables): string | undefined {
  const count = Object.keys(variables).length
  if (count > variablesMax)
    return `The command would have ${count} environment variables. It can have at most ${variablesMax}.`
  const bytes = environmentBytes(variables)
  if (bytes <= environmentBytesMax) return undefined
  return `The environment variables of the command have ${bytes} bytes. They can have at most ${environmentBytesMax}. Write large values into a file of the worktree.`
}
