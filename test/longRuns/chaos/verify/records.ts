/** Acknowledged telemetry and tool calls are stored exactly once. */
import type { Checker } from './evidence.ts'

export const telemetryStands: Checker = async ({ requests, sql }) => {
  const rows = await sql<{ token: string; n: number; parts: number }[]>`
    select substring(body from ${requests.pattern}) as token, count(*)::integer as n, count(distinct body)::integer as parts
    from telemetry_record group by 1`
  const stored = new Map(rows.map((row) => [row.token, row]))
  const problems: string[] = []
  const acknowledged = new Map<string, number>()
  for (const { surface, token, outcome, actor, code } of requests.all) {
    if (surface !== 'telemetry') continue
    if (outcome === 'acknowledged') acknowledged.set(token, Number(actor))
    if (outcome === 'refused') problems.push(`the telemetry ${token} was refused with ${code} although it is valid`)
  }
  for (const [token, count] of acknowledged) {
    const parts = stored.get(token)?.parts ?? 0
    if (parts !== count)
      problems.push(`of ${count} telemetry records ${token}, acknowledged with 201, ${parts} are stored`)
  }
  for (const { token, n, parts } of rows) {
    if (n > parts) problems.push(`${n - parts} of the telemetry records ${token} are stored twice`)
  }
  return problems
}

export const auditStands: Checker = async ({ requests, sql }) => {
  const rows = await sql<{ id: string; n: number }[]>`
    select request_id as id, count(*)::integer as n from tool_call group by request_id`
  const stored = new Map(rows.map(({ id, n }) => [id, n]))
  return requests.all.flatMap(({ surface, token, outcome, code }) => {
    if (surface !== 'tool') return []
    const n = stored.get(token) ?? 0
    if (n > 1) return [`the tool call ${token}, sent once, is stored ${n} times in the audit`]
    if (outcome === 'acknowledged' && n === 0) return [`the tool call ${token} was answered and is not in the audit`]
    return outcome === 'refused' ? [`the tool call ${token} was refused with ${code} although it is valid`] : []
  })
}
