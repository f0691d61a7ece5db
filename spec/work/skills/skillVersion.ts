/** A version of a skill, as it is stored. Its bytes are the content of an actor of their own. */

export type SkillFileEntry = {
  readonly path: string
  /** The number of bytes. */
  readonly size: number
  readonly sha256: string
  readonly executable: boolean
}

export type SkillContent = {
  readonly name: string
  readonly description: string
  /** The SHA-256 of the canonical form of all files. */
  readonly sha256: string
  /** The number of bytes of the canonical form. */
  readonly archiveSize: number
  /** The number of bytes of all files. */
  readonly size: number
  readonly files: readonly SkillFileEntry[]
  /** The actor whose content the bytes are. */
  readonly contentId: string
}
