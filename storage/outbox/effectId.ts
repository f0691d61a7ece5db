/** An effect's ID, `actor:sequence:index`, and the three columns that it is stored as. */
export interface EffectKey {
  readonly actor: string
  readonly seq: number
  readonly n: number
}

const pattern = /^(.+):(\d{1,9}):(\d{1,9})$/

/** Undefined if the text is not the ID of an effect. */
export function effectKey(id: string): EffectKey | undefined {
  const match = pattern.exec(id)
  if (match?.[1] === undefined) return undefined
  return { actor: match[1], seq: Number(match[2]), n: Number(match[3]) }
}

export function effectId(key: EffectKey): string {
  return `${key.actor}:${key.seq}:${key.n}`
}
