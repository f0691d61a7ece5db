/** Returns the last name of a path, without its folders. It accepts paths of Windows too, because an agent may run there. */
export function lastName(path: string): string {
  const names = path.split(/[/\\]/).filter((name) => name !== '')
  return names.at(-1) ?? path
}
