/** `node docs/generate/settings.ts` writes the tables of settings in `docs/settings.md`. The text around them, and the table of limits, stay. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { defaultText } from '../../spec/settings/environment.ts'
import { type Setting, settingGroups } from '../../spec/settings/table.ts'

export const settingsPage = fileURLToPath(new URL('../settings.md', import.meta.url))

const head = '| setting | default | |\n|---|---|---|\n'

/** Replaces the rows of each table with those of its group. */
export function settingsMarkdown(page: string): string {
  const [introduction, ...sections] = page.split(head)
  if (sections.length !== settingGroups.length)
    throw new Error(`docs/settings.md has ${sections.length} tables of settings. It needs ${settingGroups.length}.`)
  const written = settingGroups.map((group, index) => {
    const rows = Object.entries<Setting>(group).map(describeRow)
    return rows.join('') + sections[index]?.replace(/^(\|.*\n)*/, '')
  })
  return [introduction, ...written].join(head)
}

function describeRow([name, setting]: [string, Setting]): string {
  return `| \`${name}\` | ${setting.defaultNote ?? describeDefault(setting)} | ${setting.description} |\n`
}

function describeDefault(setting: Setting): string {
  const development = defaultText(setting, { production: false, isTerminal: false })
  const production = defaultText(setting, { production: true, isTerminal: false })
  if (development === undefined) return 'none'
  return development === production ? `\`${development}\`` : `\`${development}\`; in production \`${production}\``
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeFile(settingsPage, settingsMarkdown(await readFile(settingsPage, 'utf8')))
