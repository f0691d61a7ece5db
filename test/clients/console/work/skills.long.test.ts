/** A person creates a skill with files in the console, changes it, sees which machine has it, archives and restores it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { startRun, untilRun } from '../../../kit/program/runs.ts'

const { stage, person, page } = await atConsole()
const machine = await startMachine(stage, { name: 'builder', branches: ['one'] })

const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const file = (name: string) => page.getByRole('group', { name, exact: true })
const dialog = page.getByRole('dialog')

test('a skill without a description is refused at its file, and then created with a preview', async () => {
  await page.goto('/workflows')
  await page.getByRole('navigation', { name: 'Workflows' }).getByRole('link', { name: 'Skills' }).click()
  await page.getByText('No skills yet').waitFor()
  await page.getByRole('link', { name: 'New skill' }).first().click()
  await field('Name').fill('code-review')
  await button('Create skill').click()
  await file('SKILL.md').getByText('has no description').waitFor()
  await page.locator('textarea[name="files.0.content"]:focus').waitFor()
  const text = '---\nname: \ndescription: Use it to review a branch.\n---\n\n# Review\n\nRun **all** checks.\n'
  await file('SKILL.md').getByRole('textbox', { name: 'Content' }).fill(text)
  await file('SKILL.md').getByText('Preview').click()
  await file('SKILL.md').locator('strong').getByText('all').waitFor()
  await button('Add file').click()
  await file('File 2').getByRole('textbox', { name: 'Path' }).fill('../check.sh')
  await file('File 2').getByRole('textbox', { name: 'Content' }).fill('#!/bin/sh\nnpm test\n')
  await file('File 2').getByRole('checkbox', { name: 'Executable' }).check()
  await button('Create skill').click()
  await file('File 2').getByText('Give a path without').waitFor()
  await file('File 2').getByRole('textbox', { name: 'Path' }).fill('scripts/check.sh')
  await page.getByLabel('Upload files').setInputFiles([
    { name: 'logo.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2, 255]) },
    { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('Some notes.\n') },
  ])
  await file('File 3').getByText('Not a text, 4 byte').waitFor()
  await assertFaultless(page, 'the form of a skill')
  await button('Create skill').click()
  await page.getByRole('heading', { name: 'code-review', level: 1 }).waitFor()
  await page.locator('.skill-text strong').getByText('all').waitFor()
  person.fine()
})

test('the files of a skill are shown, and a file that is not a text is downloaded unchanged', async () => {
  const files = page.getByRole('list', { name: 'Files' })
  await soon(async () => assert.equal(await files.getByRole('listitem').count(), 4))
  await files.getByText('scripts/check.sh').click()
  await files.getByText('npm test').waitFor()
  await files.getByText('logo.bin', { exact: true }).click()
  const downloaded = page.waitForEvent('download')
  await button('Download file: logo.bin').click()
  const chunks: Buffer[] = []
  for await (const chunk of await (await downloaded).createReadStream()) chunks.push(chunk)
  assert.deepEqual([...Buffer.concat(chunks)], [0, 1, 2, 255])
  await assertFaultless(page, 'a skill')
  person.fine()
})

test('a run uses a skill, and its machine is then shown with the stored version', async () => {
  const machines = page.getByRole('table', { name: 'Machines' })
  await machines.getByRole('row', { name: /builder not stored/ }).waitFor()
  const run = await startRun(stage.ask, { worktreeId: machine.worktree('one'), prompt: 'say hello' })
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  await machines.getByRole('row', { name: /builder Version 1/ }).waitFor()
  person.fine()
})

test('a skill is renamed and changed as a new version, and its other files are kept', async () => {
  await page.getByRole('link', { name: 'Edit skill' }).click()
  await field('Name').fill('branch-review')
  const content = file('SKILL.md').getByRole('textbox', { name: 'Content' })
  await content.fill((await content.inputValue()).replace('**all**', '**most**'))
  await button('Remove file 3').click()
  await button('Save skill').click()
  await page.getByRole('heading', { name: 'branch-review', level: 1 }).waitFor()
  await page.locator('.lead').getByText('Version 2').waitFor()
  await page.locator('.skill-text strong').getByText('most').waitFor()
  const { skillVersion } = await stage.ask<{ skillVersion: { files: Record<string, unknown>[] } }>(
    `{ skillVersion(skillId: "${page.url().split('/').at(-1)}") { files { path base64 executable } } }`,
  )
  assert.deepEqual(
    skillVersion.files.map(({ path, base64, executable }) => [path, base64, executable]),
    [
      ['SKILL.md', null, false],
      ['logo.bin', 'AAEC/w==', false],
      ['scripts/check.sh', null, true],
    ],
  )
  await page.getByText('Versions', { exact: true }).click()
  await page.locator('summary').filter({ hasText: 'Version 1' }).click()
  await page.locator('.version-content strong').getByText('all').waitFor()
  person.fine()
})

test('a skill is archived, found among the archived ones, and restored', async () => {
  await button('Archive skill').click()
  await dialog.getByRole('button', { name: 'Archive skill' }).click()
  await page.locator('.lead').getByText('Archived').waitFor()
  await page.goto('/skills')
  await page.getByText('No skills yet').waitFor()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Archived')
  await page.getByRole('link', { name: 'branch-review' }).click()
  await button('Restore skill').click()
  await page.getByRole('link', { name: 'Edit skill' }).waitFor()
  await page.goto('/skills')
  await page.getByRole('row', { name: /branch-review .* Active All repositories 3/i }).waitFor()
  await assertFaultless(page, 'a list of skills')
  person.fine()
})
