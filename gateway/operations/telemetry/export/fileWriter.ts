import type { Cell } from './cells.ts'

/** Writes rows to a file, in their order. */
export interface FileWriter {
  row(cells: readonly Cell[]): void
  /** @param closing the last line. A CSV has it only if the file was `cut`. */
  end(closing: string, cut: boolean): Promise<Uint8Array>
}
