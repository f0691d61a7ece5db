/** The generated parts of the documents are up to date. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { addingAnObjectMarkdown, addingAnObjectPage } from '../../docs/generate/addingAnObject.ts'
import { filesThere, machineFiles } from '../../docs/generate/machines.ts'
import { settingsMarkdown, settingsPage } from '../../docs/generate/settings.ts'
import { toolsMarkdown, toolsPage } from '../../docs/generate/tools.ts'
import { drawRun, runPicture } from '../../docs/images/draw.ts'

test('docs/machines.md, and the page and picture of each machine, match the machines', async () => {
  const made = await machineFiles()
  const advice = 'regenerate them: node docs/generate/machines.ts'
  assert.deepEqual([...(await filesThere())].sort(), [...made.keys()].sort(), advice)
  for (const [path, text] of made)
    assert.equal(await readFile(new URL(`../../docs/${path}`, import.meta.url), 'utf8'), text, `${path}: ${advice}`)
})

test('docs/tools.md matches the tool catalog', async () => {
  assert.equal(await readFile(toolsPage, 'utf8'), toolsMarkdown(), 'regenerate it: node docs/generate/tools.ts')
})

test('the tables of docs/settings.md match the settings', async () => {
  const page = await readFile(settingsPage, 'utf8')
  assert.equal(page, settingsMarkdown(page), 'run: node docs/generate/settings.ts')
})

test('docs/internals/adding-an-object.md shows the difference that the test applies', async () => {
  const advice = 'regenerate it: node docs/generate/addingAnObject.ts'
  assert.equal(await readFile(addingAnObjectPage, 'utf8'), await addingAnObjectMarkdown(), advice)
})

test('docs/images/run.svg matches the machine of a run', async () => {
  assert.equal(await readFile(runPicture, 'utf8'), await drawRun(), 'redraw it: node docs/images/draw.ts')
})
