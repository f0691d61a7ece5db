/**
 * Adds the object `note` to a copy of the project: the files of `files/` in a new folder of each room, and lines in existing files. It has
 * create, rename, delete, get, list and search, tools, and a list in the console.
 */
import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export const project = resolve(import.meta.dirname, '../../..')
const newFiles = join(import.meta.dirname, 'files')

/** A line that an existing file receives. */
interface AddedLine {
  /** The line after which it is inserted. The file contains this line once. */
  readonly after: string
  readonly line: string
}

/** The existing files that are edited. */
export const edits: Readonly<Record<string, readonly AddedLine[]>> = {
  'spec/core/kinds.ts': [
    { after: "  binaryImage: { prefix: 'img' },", line: "  note: { prefix: 'nte', isSearched: true }," },
  ],
  'machines/machines.ts': [
    {
      after: "import { webhookDelivery } from './hosts/webhookDelivery.ts'",
      line: "import { note } from './notes/note.ts'",
    },
    { after: '  binaryImage,', line: '  note,' },
  ],
  'gateway/operations/operations.ts': [
    {
      after: "import { webhookDeliveryHandlers, webhookDeliveryType } from './hosts/webhookDeliveries.ts'",
      line: "import { noteHandlers, noteType } from './notes/notes.ts'",
    },
    { after: '  ...dsymHandlers,', line: '  ...noteHandlers,' },
    { after: '  webhookDeliveryType,', line: '  noteType,' },
  ],
  'spec/pages/pagePaths.ts': [{ after: "  '/repositories',", line: "  '/notes'," }],
  'clients/console/app/shell/views.tsx': [
    {
      after: "const NewRunPage = lazyView(async () => (await import('../runs/create/NewRunPage.tsx')).NewRunPage)",
      line: "const NotesPage = lazyView(async () => (await import('../notes/NotesPage.tsx')).NotesPage)",
    },
    {
      after: "  '/repositories': { name: names.repositories, key: 'p', render: () => <RepositoriesPage /> },",
      line: "  '/notes': { name: 'Notes', key: 'o', render: () => <NotesPage /> },",
    },
  ],
}

/** Everything that the program consists of. */
const programParts = ['spec', 'machines', 'actors', 'storage', 'gateway', 'clients', 'main.ts', 'settings.ts']

/** A copy of the program in a temporary folder, which the caller removes. */
export async function copyProgram(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'signalbox-adding-'))
  for (const part of [...programParts, 'package.json', 'tsconfig.json'])
    await cp(join(project, part), join(root, part), { recursive: true })
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'))
  return root
}

/** Adds the object to the project in a folder. */
export async function addNote(root: string): Promise<void> {
  await cp(newFiles, root, { recursive: true })
  for (const [file, lines] of Object.entries(edits)) {
    const text = lines.reduce(
      (before, added) => insertLine(before, added, file),
      await readFile(join(root, file), 'utf8'),
    )
    await writeFile(join(root, file), text)
  }
}

function insertLine(text: string, { after, line }: AddedLine, file: string): string {
  const lines = text.split('\n')
  const index = lines.indexOf(after)
  if (index === -1 || lines.indexOf(after, index + 1) !== -1)
    throw new Error(`${file} does not have this line exactly once: ${after}`)
  return lines.toSpliced(index + 1, 0, line).join('\n')
}

/** The difference that the object makes to the project, as `git diff` prints it, without the numbers of lines, which other changes move. */
export async function diffOfNote(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-diff-'))
  try {
    for (const file of Object.keys(edits)) {
      for (const side of ['a', 'b']) {
        await mkdir(dirname(join(folder, side, file)), { recursive: true })
        await cp(join(project, file), join(folder, side, file))
      }
    }
    await addNote(join(folder, 'b'))
    return printDiff(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function printDiff(folder: string): string {
  try {
    execFileSync('git', ['diff', '--no-index', '--no-color', '--no-prefix', '--unified=1', 'a', 'b'], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    })
  } catch (error) {
    // Git ends with 1 if there is a difference.
    const { status, stdout } = error as { readonly status: number; readonly stdout: string }
    if (status === 1) return stdout.replace(/^index .*\n/gm, '').replace(/^@@ .*$/gm, '@@')
    throw error
  }
  throw new Error('the object makes no difference')
}
