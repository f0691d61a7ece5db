/** The values of `SyncState`. The console lists them too: this file imports nothing, so its script contains no schemas. */
export const syncStates = ['CLEAN', 'AHEAD', 'BEHIND', 'DIVERGED', 'NO_UPSTREAM', 'UNKNOWN'] as const
