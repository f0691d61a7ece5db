/** Structured logs: JSON for machines, colored lines on a terminal. The usual fields of credentials are redacted. */
import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

const redact = {
  paths: ['*.authorization', '*.cookie', '*["x-api-key"]', '*.token', '*.password', '*.secret', '*.credential'],
  censor: '[redacted]',
}

/**
 * Log lines are written in batches: one write for each line would cost a request more than its response. A batch is written after
 * `periodicFlush` at the latest, and at the end of the process.
 */
const minLength = 32_768
/** Milliseconds. */
const periodicFlush = 100

export function openLog({
  logLevel,
  logFormat,
}: {
  readonly logLevel: string
  readonly logFormat: 'json' | 'pretty'
}): Logger {
  const options = { level: logLevel, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (logFormat === 'json')
    return pino(options, pino.destination({ sync: false, minLength, maxWrite: 2 * minLength, periodicFlush }))
  return pino(options, pretty({ colorize: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' }))
}
