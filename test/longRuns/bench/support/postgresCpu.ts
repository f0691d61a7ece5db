/** The processor time of a PostgreSQL server's processes, if the system reports it (Linux). */
import { readdir, readFile } from 'node:fs/promises'

/** The kernel counts in hundredths of a second. */
const tickMicros = 10_000

/** @param postmaster its process ID @returns microseconds; 0 if the system does not report it */
export async function postgresCpuMicros(postmaster: number): Promise<number> {
  let ticks = 0
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '')
    // The second field is the program's name in parentheses, which may contain any characters.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(name) === postmaster || Number(fields[1]) === postmaster)
      ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks * tickMicros
}
