/** Structured logs: JSON for machines, coloured lines on a terminal. Never a credential: the usual places of one are redacted. */
import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

const redact = {
  paths: ['*.authorization', '*.cookie', '*["x-api-key"]', '*.token', '*.password', '*.secret', '*.credential'],
  censor: '[redacted]',
}

export function openLog({
  logLevel,
  logFormat,
}: {
  readonly logLevel: string
  readonly logFormat: 'json' | 'pretty'
}): Logger {
  const options = { level: logLevel, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (logFormat === 'json') return pino(options)
  return pino(options, pretty({ colorize: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' }))
}
