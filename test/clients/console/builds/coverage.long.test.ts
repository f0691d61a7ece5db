/** A person adds a coverage report to a build configuration, builds with coverage, and finds the worst files and the change. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { type Machine, startMachine } from '../../../kit/program/machine.ts'
import { createConfiguration, withRemote } from '../../../kit/program/objects/builds.ts'

const { stage, person, page } = await atConsole()
let machine: Machine

/** A report of two files. The first build has executed fewer lines of `pay.c` than the next ones. */
const command = `hits=$((SIGNALBOX_BUILD_NUMBER > 1)); printf 'SF:src/cart.c\\nDA:1,1\\nDA:2,1\\nBRDA:2,0,0,1\\nBRDA:2,0,1,0\\nend_of_record\\nSF:src/pay.c\\nDA:1,1\\nDA:2,%s\\nDA:3,0\\nDA:4,0\\nend_of_record\\n' $hits > lcov.info`

before(async () => {
  machine = await startMachine(stage, { hasTestClis: false })
  const { repositoryId } = await withRemote(stage, machine)
  await createConfiguration(stage.ask, { repositoryId, name: 'tests', steps: [{ name: 'test', command }] })
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const coverage = page.getByRole('region', { name: 'Coverage' })
/** Waits until the table has these files. */
const untilFiles = async (...paths: string[]) =>
  await soon(async () => assert.deepEqual(await coverage.locator('tbody code').allInnerTexts(), paths))

test('a configuration without reports offers only builds without coverage', async () => {
  await page.goto('/build-configurations')
  await page.getByRole('link', { name: 'tests' }).click()
  await button('Start build').click()
  await dialog.getByLabel(/main/).first().waitFor()
  assert.equal(await dialog.getByLabel('Kind').count(), 0)
  await page.keyboard.press('Escape')
})

test('a report is added; a wrong pattern is named at its field', async () => {
  await page.getByRole('link', { name: 'Edit configuration' }).click()
  await button('Add report').click()
  await page.getByLabel('Path pattern').fill('/lcov.info')
  await button('Save configuration').click()
  await page.getByText(/must be a path in the checkout/).waitFor()
  await page.getByLabel('Path pattern').fill('*.info')
  await assertFaultless(page)
  await button('Save configuration').click()
  await page.getByText('version 2').waitFor()
  await page.getByText('LCOV: *.info').waitFor()
})

test('a build with coverage has the totals and the files, the one with the most missed lines first', async () => {
  await button('Start build').click()
  await dialog.getByLabel('Kind').selectOption('COVERAGE')
  await dialog.getByLabel(/main/).first().check()
  await dialog.getByRole('button', { name: 'Start build' }).click()
  await page.getByRole('heading', { name: 'tests 1' }).waitFor()
  await coverage.getByText('50% (3 of 6)').waitFor()
  await coverage.getByText('1 of 2').waitFor()
  await coverage.getByText('The branch has no earlier coverage.').waitFor()
  await untilFiles('src/pay.c', 'src/cart.c')
  await coverage.getByRole('searchbox').fill('CART')
  await untilFiles('src/cart.c')
  await coverage.getByRole('searchbox').fill('')
  await untilFiles('src/pay.c', 'src/cart.c')
  await assertFaultless(page)
  person.fine()
})

test('the next build shows the change since the previous one, and the list shows the percentage', async () => {
  await button('Rebuild').click()
  await page.getByRole('heading', { name: 'tests 2' }).waitFor()
  await coverage.getByText('66.66% (4 of 6)').waitFor()
  await coverage.getByText('+16.66 points').waitFor()
  await coverage.getByText('+25 points').waitFor()
  await coverage.getByRole('link', { name: 'since the previous build' }).click()
  await page.getByRole('heading', { name: 'tests 1' }).waitFor()
  await page.goto('/builds')
  await page
    .getByRole('row', { name: /tests 2/ })
    .getByText('66.66%')
    .waitFor()
  await assertFaultless(page)
  person.fine()
})
