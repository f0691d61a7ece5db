/**
 * Takes every step, one after the other: one that fails does not keep the others from being taken.
 * @throws the error of the step that failed, or an AggregateError of several
 */
export async function everyStep(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      errors.push(...(error instanceof AggregateError ? error.errors : [error]))
    }
  }
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} steps failed: ${errors.join('; ')}`)
}
