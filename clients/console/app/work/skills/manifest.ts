/** The text of SKILL.md: a front matter between two lines `---`, and the instructions in Markdown. */
import { parseFrontMatter } from '../../../../../spec/work/skills/frontMatter.ts'

export const emptyManifest = '---\nname: \ndescription: \n---\n\n'

/** Leaves out the front matter, if there is one. */
export function getInstructions(text: string): string {
  return text.replace(/^\uFEFF?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(\r?\n|$)/, '').trimStart()
}

/**
 * Writes the name of the skill into the front matter, if that has the former name or none. Another name is left for the server, which
 * refuses it.
 */
export function withName(text: string, name: string, formerName: string): string {
  const front = parseFrontMatter(text)
  if ('problem' in front || (front.name ?? '') !== formerName) return text
  return text.replace(/^name[ \t]*:.*$/m, () => `name: ${name}`)
}
