/** The run's own token, for a CLI that does not support ACP. */
export const tokenVariable = 'SIGNALBOX_RUN_TOKEN'

/** The path of the file to which a command writes its outputs. */
export const outputVariable = 'SIGNALBOX_OUTPUT'

/** Returns the environment of child processes: the user's, without the agent's own variables (settings, tokens, outer marks). */
export function childEnvironment(own: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || name.startsWith('SIGNALBOX_')) continue
    // Git sets these for its hooks. If they were inherited, every git command would use the wrong repository.
    if (['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'NODE_CHANNEL_FD'].includes(name)) continue
    kept[name] = value
  }
  return kept
}
