import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Downloads the program of the agent, as the server serves it, into a folder. Returns its path.
 * @param change returns the program that is stored
 */
export async function downloadAgent(
  url: string,
  folder: string,
  change: (program: string) => string = (program) => program,
): Promise<string> {
  const answer = await fetch(`${url}/api/public/agent/signalbox-agent.mjs`)
  if (!answer.ok) throw new Error(`the server answered ${answer.status} instead of the program of the agent`)
  const path = join(folder, 'signalbox-agent.mjs')
  await writeFile(path, change(await answer.text()))
  return path
}
