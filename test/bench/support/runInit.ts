/** What the runs of a bench are created with: as many keys as those of a real one. */
export function runInit(index: number) {
  return {
    agentId: `agt_${index % 100}`,
    worktreeId: `wt_${index % 1_000}`,
    sessionId: `ses_${index}`,
    number: index,
    prompt: 'Make the tests pass and say what was wrong.',
  }
}
