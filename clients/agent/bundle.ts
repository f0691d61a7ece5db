import { programBundler } from '../bundleProgram.ts'

/** Returns the agent as one file. */
export const bundleAgent = programBundler('signalbox-agent.mjs', new URL('./main.ts', import.meta.url))
