/** The place of a frame in the source. */

interface SourcePlace {
  readonly file: string | null
  readonly line: number | null
  readonly column: number | null
}

/** The file and the line, without the folders of the machine that built the app: `CartView.swift:42`. Undefined if it is not known. */
export function formatLocation({ file, line }: SourcePlace): string | undefined {
  if (file === null) return undefined
  // A path that ends with a slash names no file.
  const name = file.split(/[/\\]/).findLast((part) => part !== '') ?? file
  return line === null ? name : `${name}:${line}`
}

/** The whole path with the line and the column, as compilers write it: `/src/CartView.swift:42:7`. Undefined if it is not known. */
export function formatPath({ file, line, column }: SourcePlace): string | undefined {
  if (file === null) return undefined
  return [file, line, line === null ? null : column].filter((part) => part !== null).join(':')
}
