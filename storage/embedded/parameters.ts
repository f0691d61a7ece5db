import { StartError } from '../database/startError.ts'
import { PORT } from './socketFolder.ts'

/** For a machine of two cores that PostgreSQL shares with Node. The caller can override each. */
const defaults: Readonly<Record<string, string>> = {
  shared_buffers: '256MB',
  max_connections: '60',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  // Statements are short and cores are few, so neither is worth its cost.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // Checkpoints are rare, because after each one the next change of every page writes the whole page.
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  // Snapshots are rewritten all the time, so vacuum runs early and often.
  autovacuum_naptime: '15s',
  autovacuum_vacuum_scale_factor: '0.05',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
  lc_messages: 'C',
  cluster_name: 'signalbox',
}

/** These cannot be changed: an acknowledged commit is on disk, and only this machine's owner can connect. */
function fixed(socketFolder: string): Record<string, string> {
  return {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    port: String(PORT),
    // A list separated by commas. The path is quoted, since it may contain one.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
  }
}

/** The server's command line. Throws `StartError` for a parameter that cannot be changed. */
export function parameterArguments(socketFolder: string, overrides: Readonly<Record<string, string>>): string[] {
  const promises = fixed(socketFolder)
  for (const name of Object.keys(overrides)) {
    if (name in promises)
      throw new StartError(`The parameter ${name} of the embedded PostgreSQL can't be changed: leave it out.`)
  }
  return Object.entries({ ...defaults, ...overrides, ...promises }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
}
