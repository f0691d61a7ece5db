/**
 * `--minutes=45`: after that time the run begins no more files, and lists those that it left out. A CI server ends a job that takes too long,
 * and slow machines need three times the time of fast ones.
 */
const option = /^--minutes=(.*)$/

export interface TimeLimit {
  /** Undefined: there is no limit. */
  readonly minutes: number | undefined
  /** The other options. */
  readonly rest: readonly string[]
}

/** @throws Error if the value is not a whole number of minutes */
export function readMinutesOption(options: readonly string[]): TimeLimit {
  const given = options.flatMap((text) => option.exec(text)?.[1] ?? [])
  const rest = options.filter((text) => !option.test(text))
  const last = given.at(-1)
  if (last === undefined) return { minutes: undefined, rest }
  if (!/^[1-9]\d{0,3}$/.test(last))
    throw new Error(`--minutes=${last} is not valid: give a whole number from 1 to 9999, for example --minutes=45.`)
  return { minutes: Number(last), rest }
}
