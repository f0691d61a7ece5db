/**
 * One transaction for each transition, like a service that loads the row, decides, and writes it with its history before it
 * answers. It uses several connections; the bench reports the best number of them.
 */
import { connect, type Target } from '../../../../storage/sql/sql.ts'
import { type LoadResult, runLoad, seeded } from './load.ts'

export interface OneTransactionOptions {
  readonly ids: readonly string[]
  readonly connections: number
  readonly inFlight: number
  readonly forMs: number
}

const snapshot = JSON.stringify({ value: 'RUNNING', context: { filler: 'x'.repeat(200) }, timers: [] })
const detail = JSON.stringify({ from: 'RUNNING', to: 'PAUSED', filler: 'x'.repeat(230) })

export async function oneTransactionEach(target: Target, options: OneTransactionOptions): Promise<LoadResult> {
  const { ids, connections, inFlight, forMs } = options
  const sql = connect(target, { name: 'one transaction', max: connections, settings: { jit: 'off' } })
  const random = seeded(inFlight)
  try {
    return await runLoad({
      inFlight,
      forMs,
      warmupMs: forMs / 3,
      ask: () => {
        const id = ids[Math.floor(random() * ids.length)] ?? ''
        const at = Date.now()
        return sql.begin(async (tx) => {
          const [row] = await tx<{ seq: number }[]>`
            select seq, snapshot from actor_run where id = ${id} and kind = 'run' for update`
          const seq = (row?.seq ?? 0) + 1
          await tx`
            update actor_run set seq = ${seq}, snapshot = ${snapshot}, status = 'PAUSED', changed_at = ${at}
            where id = ${id} and kind = 'run'`
          await tx`
            insert into journal (at, actor, seq, kind, owner, event, status, detail, tx)
            values (${at}, ${id}, ${seq}, 'run', 'bench', 'step', 'PAUSED', ${detail}, pg_current_xact_id()::text::bigint)`
        })
      },
    })
  } finally {
    await sql.end()
  }
}
