/** Structured logs: JSON for machines, coloured lines on a terminal. Never a credential: the usual places of one are redacted. */
import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

const redact = {
  paths: ['*.authorization', '*.cookie', '*["x-api-key"]', '*.token', '*.password', '*.secret', '*.credential'],
  censor: '[redacted]',
}

/**
 * Lines are written many at once: a write for each would cost a request more than answering it. They are on their way after a
 * moment at the latest, and at the end of the process.
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
