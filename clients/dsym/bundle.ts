import { programBundler } from '../bundleProgram.ts'

/** Returns the upload client of dSYMs as one file. */
export const bundleDsymClient = programBundler('signalbox-dsym.mjs', new URL('./main.ts', import.meta.url))
