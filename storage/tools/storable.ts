import type { ToolCallRecord } from '../../spec/tools/audit.ts'

/**
 * A record whose texts PostgreSQL takes: a name that another server made up may hold anything, and must not keep its call from
 * being recorded. NUL and half characters become U+FFFD.
 */
export function storable(call: ToolCallRecord): ToolCallRecord {
  const entries = Object.entries(call).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value,
  ])
  return Object.fromEntries(entries) as ToolCallRecord
}
