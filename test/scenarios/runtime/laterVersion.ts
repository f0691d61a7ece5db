/** A copy of this project's program with one more migration: to a database it is the next version. */
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '../../..')
const parts = ['main.ts', 'settings.ts', 'package.json', 'tsconfig.json']
const rooms = ['actors', 'clients', 'gateway', 'machines', 'spec', 'storage']

export async function laterVersion(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  for (const part of [...parts, ...rooms]) await cp(join(project, part), join(folder, part), { recursive: true })
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'storage/migrations/9999_later.sql'), "comment on table actor is 'later';\n")
  return folder
}
