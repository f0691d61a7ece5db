/** Which test files share a process with others of their room. */

/**
 * Folders whose files load much and work little, and change nothing that a process has once: its environment, its signals, its working folder.
 * Files that start programs and wait for them gain little, and one after another they would take minutes.
 */
const sharedFolders = [
  'test/actors/',
  'test/clients/console/',
  'test/gateway/',
  'test/language/',
  'test/machines/',
  'test/spec/',
  'test/storage/',
]

/** Files in these folders that drive a browser. */
const ownProcess: ReadonlySet<string> = new Set([
  'test/clients/console/firstRun.test.ts',
  'test/clients/console/fromNothing.test.ts',
  'test/clients/console/journey.test.ts',
  'test/clients/console/runs/runSteps.test.ts',
  'test/clients/console/shell.test.ts',
])

export function sharesProcess(file: string): boolean {
  return (
    sharedFolders.some((folder) => file.startsWith(folder)) && !file.endsWith('.long.test.ts') && !ownProcess.has(file)
  )
}
