/** The name of a file or folder, without the folders that it lies in. Of Windows too, where an agent may run. */
export function lastName(path: string): string {
  const names = path.split(/[/\\]/).filter((name) => name !== '')
  return names.at(-1) ?? path
}
