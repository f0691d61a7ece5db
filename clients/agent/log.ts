/** Log lines: JSON for machines, text for a terminal. Secrets are removed. */

export type Level = 'info' | 'warn' | 'error'
export type Fields = Record<string, unknown>
export interface Logger {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

/** Removes credentials from any text (`agent_…`, `enroll_…`, `svc_…`), bearer values, and the password part of addresses. */
export function redact(text: string): string {
  return text
    .replace(/\b(agent|enroll|svc)_[A-Za-z0-9_-]{12,}/g, '$1_***')
    .replace(/\b([Bb]earer)\s+[A-Za-z0-9._~+/=-]{8,}/g, '$1 ***')
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s"'@]+@/gi, '$1***@')
}

export function createLogger(out: NodeJS.WriteStream, now: () => Date = () => new Date()): Logger {
  const pretty = out.isTTY === true
  const write = (level: Level, message: string, fields: Fields = {}) => {
    const line = pretty ? prettyLine(level, message, fields) : jsonLine(now(), level, message, fields)
    out.write(`${redact(line)}\n`)
  }
  return {
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  }
}

function jsonLine(time: Date, level: Level, message: string, fields: Fields): string {
  return JSON.stringify({ time: time.toISOString(), level, message, ...fields })
}

function prettyLine(level: Level, message: string, fields: Fields): string {
  const rest = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return [level === 'info' ? '·' : level.toUpperCase(), message, ...rest].join(' ')
}
