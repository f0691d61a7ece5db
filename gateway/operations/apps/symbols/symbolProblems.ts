/** The errors of symbol tables. A caller tells them by their classes. The messages complete "The symbols …". */

/** The symbols need more memory or time than they may use, or more bytes than a table can have. */
export class SymbolsTooLarge extends Error {
  override readonly name = 'SymbolsTooLarge'
}

/** The Mach-O slice is damaged, so that no table can be written. */
export class SymbolsDamaged extends Error {
  override readonly name = 'SymbolsDamaged'
}

/** A table is damaged, or was not written by this version. Write it again. */
export class SymbolTableDamaged extends Error {
  override readonly name = 'SymbolTableDamaged'
}
