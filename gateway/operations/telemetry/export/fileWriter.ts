import type { Cell } from './cells.ts'

/** Makes a file of rows, in their order. */
export interface FileWriter {
  row(cells: readonly Cell[]): void
  /** @param closing the last line; of a CSV only where the file was `cut` */
  end(closing: string, cut: boolean): Promise<Uint8Array>
}
