/** Names of severities that loggers write, and the numbers that OpenTelemetry gives them. */
const numbers: ReadonlyMap<string, number> = new Map(
  Object.entries({
    trace: 1,
    verbose: 1,
    debug: 5,
    info: 9,
    log: 9,
    information: 9,
    notice: 10,
    warn: 13,
    warning: 13,
    error: 17,
    err: 17,
    critical: 21,
    fatal: 21,
    alert: 22,
    emergency: 23,
  }),
)

/** The number of a severity that its sender only names; undefined if the name is unknown. */
export function severityNumberOf(text: string | null | undefined): number | undefined {
  return typeof text === 'string' ? numbers.get(text.toLowerCase()) : undefined
}
