/** `node docs/generate/addingAnObject.ts` writes `docs/internals/adding-an-object.md` from the object that a test adds. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { diffOfNote, edits } from '../../test/scenarios/addingAnObject/addNote.ts'

export const addingAnObjectPage = fileURLToPath(new URL('../internals/adding-an-object.md', import.meta.url))

export async function addingAnObjectMarkdown(): Promise<string> {
  const edited = Object.keys(edits).map((file) => `- \`${file}\``)
  return `# Adding an object

This page is written by \`node docs/generate/addingAnObject.ts\`. It shows everything that a new domain object needs: create, rename, delete,
get, list and search, the tools for all of them, and a list in the console. The example is a note.

The object has one new folder in each room. ${edited.length} existing files are edited:

${edited.join('\n')}

All else follows from these registrations: the prefix of the IDs, the partition of the table, the enums of the GraphQL schema, the tools, the
search, the retention, the operator actions, and the view of the lifecycle in the console. After the change run \`npm run spec\`.

\`test/scenarios/addingAnObject/addingAnObject.long.test.ts\` applies this difference to a copy of the program. It checks the types, starts the
copy, and creates, renames, lists, finds and deletes a note.

The tests of the project have inventories that a new object also changes: samples for its machine (\`test/kit/runtime/samples/\`), who may
use its operations (\`test/spec/promisedOperations.ts\`), and which tools touch no run (\`test/gateway/tools/toolCatalog.test.ts\`). The tables of
transitions and the pages of the machines are generated: \`node test/machines/goldenTables.ts\`, \`node docs/generate/machines.ts\`,
\`node docs/generate/tools.ts\`.

\`\`\`diff
${(await diffOfNote()).trimEnd()}
\`\`\`
`
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeFile(addingAnObjectPage, await addingAnObjectMarkdown())
