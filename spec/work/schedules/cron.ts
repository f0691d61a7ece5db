/**
 * Cron expressions: minute, hour, day of month, month and day of week. If both the day of month and the day of week are restricted, a day
 * matches if one of them does, as in every cron.
 */
import { Cron } from 'croner'

export const cronNicknames = ['@hourly', '@daily', '@weekly', '@monthly', '@yearly'] as const

const example = 'Write minute, hour, day of month, month and day of week, for example "30 9 * * MON-FRI".'
const fields = ['minute', 'hour', 'day of month', 'month', 'day of week'] as const
const names: Readonly<Partial<Record<(typeof fields)[number], RegExp>>> = {
  month: /^(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)$/i,
  'day of week': /^(?:SUN|MON|TUE|WED|THU|FRI|SAT)$/i,
}

/** The problem of an expression, for its author. Undefined if it is valid. */
export function cronProblem(expression: string): string | undefined {
  if (expression.startsWith('@'))
    return cronNicknames.some((name) => name === expression.toLowerCase())
      ? undefined
      : `"${expression}" is unknown. Use ${cronNicknames.join(', ')}, or five fields. ${example}`
  const given = expression.trim().split(/\s+/)
  if (given.length !== fields.length) {
    const count = expression.trim() === '' ? 0 : given.length
    return `has ${count} ${count === 1 ? 'field' : 'fields'}, and must have 5. ${example}`
  }
  for (const [index, field] of fields.entries()) {
    const part = given[index] ?? ''
    const wrong = part.split(/[,/-]/).find((one) => !/^(?:\*|\d{1,2})$/.test(one) && !names[field]?.test(one))
    if (wrong !== undefined)
      return `the ${field} "${part}" contains "${wrong}". A field consists of numbers, names of months or days, "*", ",", "-" and "/". ${example}`
  }
  try {
    parse(expression)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^\w+: /, '').replace(/\.$/, '') : String(error)
    return `"${expression}" is not a cron expression: ${reason}. ${example}`
  }
}

/** Parsed expressions, because each transition of a schedule uses one several times. */
const parsed = new Map<string, Cron>()
const parsedMax = 1_000

/** The time zone is UTC, because UTC has every wall time exactly once. `nextTime` converts from and to the zone of the schedule. */
function parse(expression: string): Cron {
  const known = parsed.get(expression)
  if (known !== undefined) return known
  const cron = new Cron(expression, { utcOffset: 0, mode: '5-part', paused: true })
  if (parsed.size >= parsedMax) parsed.clear()
  parsed.set(expression, cron)
  return cron
}

const minute = 60_000

/**
 * The first wall time after another one that matches. Undefined if there is none: 30 February.
 * @param after milliseconds, as if the wall time were UTC
 * @throws Error if the expression is not valid
 */
export function nextWallTime(expression: string, after: number): number | undefined {
  return parse(expression)
    .nextRun(new Date(Math.floor(after / minute) * minute))
    ?.getTime()
}
