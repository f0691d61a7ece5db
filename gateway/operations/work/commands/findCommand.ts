import type { TypedRow } from '../../../../machines/rows.ts'
import { commandKey } from '../../../../machines/work/commandKeys.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { CommandRef } from '../../../../spec/work/commands/runCommand.ts'
import { requireRow } from '../../core/rows.ts'
import type { TypedViews } from '../../typedViews.ts'

/** The active command with the name: that of the repository, or else that of the installation. */
export async function findByName(
  name: string,
  repositoryId: string | null,
  views: TypedViews,
): Promise<TypedRow<'command'> | undefined> {
  const own = repositoryId === null ? undefined : await views.findByKey('command', commandKey(repositoryId, name))
  return own ?? (await views.findByKey('command', commandKey(null, name)))
}

/**
 * The command that a worktree of the repository can run.
 * @throws Failure NOT_FOUND, FAILED_PRECONDITION
 */
export async function requireUsable(
  ref: CommandRef,
  repositoryId: string | null,
  views: TypedViews,
): Promise<TypedRow<'command'>> {
  if (ref.name !== undefined) {
    const found = await findByName(ref.name, repositoryId, views)
    if (found !== undefined) return found
    throw new Failure(
      'NOT_FOUND',
      `The worktree’s repository and the installation have no active command "${ref.name}". The query \`commands\` lists the commands.`,
      { details: { field: 'command.name' } },
    )
  }
  const row = await requireRow(views, 'command', ref.id)
  const { status } = row.columns
  if (status !== 'ACTIVE') {
    throw new Failure('FAILED_PRECONDITION', `The command is ${status}. Unarchive it, or run another one.`, {
      details: { commandId: row.id, state: status },
    })
  }
  const own = row.init.repositoryId
  if (own === null || own === repositoryId) return row
  throw new Failure(
    'FAILED_PRECONDITION',
    `The command is for the repository ${own}, and the worktree is not of it. Use a worktree of that repository.`,
    { details: { commandId: row.id, repositoryId: own } },
  )
}

/** @param commandId the command that may have the name @throws Failure CONFLICT */
export async function refuseTaken(
  name: string,
  repositoryId: string | null,
  views: TypedViews,
  commandId?: string,
): Promise<void> {
  const known = await views.findByKey('command', commandKey(repositoryId, name))
  if (known === undefined || known.id === commandId) return
  throw new Failure(
    'CONFLICT',
    `An active command "${name}" already exists: ${known.id}. Rename or archive one of them.`,
    {
      details: { field: 'name', id: known.id },
    },
  )
}
