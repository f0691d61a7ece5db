/** The repository that a command or a skill is for, or all repositories. */
import { messages } from '../../messages.ts'

interface ScopeProps {
  /** Null for all repositories. */
  readonly repository: { readonly id: string; readonly owner: string; readonly name: string } | null
}

export function Scope({ repository }: ScopeProps) {
  if (repository === null) return <span>{messages.work.scope.all}</span>
  const { id, owner, name } = repository
  return <a href={`/repositories/${id}`}>{owner === '' ? name : `${owner}/${name}`}</a>
}
