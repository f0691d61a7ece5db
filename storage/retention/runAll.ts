/**
 * Runs all functions, one after the other. A function that fails does not stop the others.
 * @throws the error of the function that failed, or an AggregateError of several
 */
export async function runAll(functions: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const run of functions) {
    try {
      await run()
    } catch (error) {
      errors.push(...(error instanceof AggregateError ? error.errors : [error]))
    }
  }
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} functions failed: ${errors.join('; ')}`)
}
