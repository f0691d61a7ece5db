/** The run's own token, for a CLI that speaks no ACP. */
export const tokenVariable = 'SIGNALBOX_RUN_TOKEN'

/** The environment of what the agent starts: its user's, without anything of the agent's own (settings, tokens, outer marks). */
export function childEnvironment(own: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || name.startsWith('SIGNALBOX_')) continue
    // Git sets these for its hooks; inherited, they would send every git command to the wrong repository.
    if (['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'NODE_CHANNEL_FD'].includes(name)) continue
    kept[name] = value
  }
  return kept
}
