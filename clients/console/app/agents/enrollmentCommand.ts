/** The command that enrolls a machine, with the folders of its repositories. */
import { quoteShell } from '../parts/quoteShell.ts'

/** The folder in the server's command, in place of which the user's folders are put. */
const defaultRoot = '--root ~/code'

/** @param roots at least one */
export function withRoots(command: string, roots: readonly string[]): string {
  return command.replace(defaultRoot, () => roots.map((root) => `--root ${quoteFolder(root)}`).join(' '))
}

/** The folders in the lines of a text. */
export function readRoots(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The shell replaces `~` only outside of quotes. */
function quoteFolder(folder: string): string {
  if (folder === '~' || folder === '~/') return folder
  return folder.startsWith('~/') ? `~/${quoteShell(folder.slice(2))}` : quoteShell(folder)
}
