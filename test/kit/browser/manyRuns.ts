/** Copies of one run in storage, which differ only in the columns that a heat map reads. */
import { connect } from '../../../storage/sql/sql.ts'
import { reportWorktree, startBareAgent } from '../program/bareAgent.ts'
import { startRun } from '../program/runs.ts'
import type { TestProgram } from '../program/testProgram.ts'
import { embeddedServer } from '../runtime/postgres/embeddedServer.ts'

export const manyStatuses = ['QUEUED', 'ADMITTED', 'RUNNING', 'WAITING_FOR_INPUT', 'SUCCEEDED', 'FAILED'] as const

/** As many in each status; the n-th has not changed for n seconds. @returns the worktree of them all */
export async function manyRuns(stage: TestProgram, count: number): Promise<string> {
  const agent = await startBareAgent(stage, 'bare')
  const { main = '' } = await reportWorktree(stage, agent, '/srv/bare')
  const { id } = await startRun(stage.ask, { worktreeId: main, command: 'true' })
  const sql = connect(await embeddedServer(stage.dataDir), { name: 'many', max: 1 })
  const same = `kind, seq, owner, machine_version, machine_hash, phase, unwatched, incidents, number, agent_id, worktree_id,
    scope_id, sort_at, created_at, snapshot, init`
  const statuses = `(array[${manyStatuses.map((status) => `'${status}'`)}])`
  await sql.unsafe(
    `insert into actor (id, status, terminal, changed_at, ${same})
     select 'run_' || lpad(n::text, 26, '0'), ${statuses}[1 + n % 6], n % 6 > 3, changed_at - n * 1000::bigint, ${same}
     from actor, generate_series(1, $1::integer) n where id = $2`,
    [count, id],
  )
  await sql.unsafe('vacuum analyze actor')
  await sql.end()
  return main
}
