/** Returns the name of a repository for people: `owner/name`, or the folder if it has no remote. */
export function getRepositoryName({ repository, path }: NamedCodebase): string {
  return repository ? `${repository.owner}/${repository.name}` : getFolderName(path)
}

export interface NamedCodebase {
  readonly repository: { readonly owner: string; readonly name: string } | null
  readonly path: string
}

/** Returns the last part of a path. */
export function getFolderName(path: string): string {
  return path.split('/').filter(Boolean).at(-1) ?? path
}

/** Returns the address of the page: that of the repository on all machines if it has a remote. */
export function getRepositoryPath({ id, repositoryId }: { readonly id: string; readonly repositoryId: string | null }) {
  return `/repositories/${repositoryId ?? id}`
}
