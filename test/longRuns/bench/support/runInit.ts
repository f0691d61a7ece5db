/** The `init` of a bench's runs. It has as many keys as that of a real run. */
export function runInit(index: number) {
  return {
    agentId: `agt_${index % 100}`,
    worktreeId: `wt_${index % 1_000}`,
    sessionId: `ses_${index}`,
    number: index,
    prompt: 'Make the tests pass and say what was wrong.',
  }
}
