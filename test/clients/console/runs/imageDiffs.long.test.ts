/** A person sees the images that a run changed: before, after and the difference, on the page of the run and on that of the worktree. */
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { git, startMachine } from '../../../kit/program/machine.ts'
import { blue, makePng, red } from '../../../kit/program/objects/images.ts'
import { startRun, untilRun } from '../../../kit/program/runs.ts'

const { stage, person, page } = await atConsole()
const machine = await startMachine(stage, { name: 'builder' })
const plain = makePng(160, 100, () => red)
const dotted = makePng(160, 100, (x, y) => ((x - 40) ** 2 + (y - 40) ** 2 < 900 ? blue : red))
const source = join(stage.folder, 'dotted.png')
await writeFile(source, dotted)
await writeFile(join(machine.repository, 'logo.png'), plain)
await git(machine.repository, 'add', '.')
await git(machine.repository, 'commit', '--quiet', '-m', 'Add the logo')
const who = '-c user.name=Test -c user.email=test@example.com'
const { id } = await startRun(stage.ask, {
  ...{ worktreeId: machine.worktree('main'), title: 'Change the logo' },
  command: `cp ${source} logo.png && cp ${source} new.png && git add logo.png && git ${who} commit -qm Dot && printf text > notes.txt`,
})
await untilRun(stage.ask, id, ['SUCCEEDED'])

const comparison = (path: string) => page.getByRole('region', { name: `Comparison of ${path}` })
const hasLoaded = (name: string) =>
  soon(async () => {
    const image = page.getByRole('img', { name }).first()
    await image.scrollIntoViewIfNeeded()
    assert.equal(await image.evaluate((element: HTMLImageElement) => element.naturalWidth), 160)
  })

test('the Changes tab shows an image before, after, and the difference, with texts for each', async () => {
  await page.goto(`/runs/${id}/changes`)
  await comparison('logo.png')
    .getByText(/^2,\d\d\d pixels differ \(1\d\.\d+%\)\.$/)
    .waitFor()
  await hasLoaded('logo.png before the change')
  await hasLoaded('logo.png after the change')
  await hasLoaded('Difference of logo.png: changed pixels are red')
  await comparison('new.png').getByText('The image was added.').waitFor()
  await hasLoaded('new.png after the change')
  assert.equal(await comparison('new.png').getByRole('img').count(), 1)
  person.fine()
})

test('the after side is the worktree as it is now, or the last commit of the run', async () => {
  await rm(join(machine.repository, 'new.png'))
  await rm(join(machine.repository, 'logo.png'))
  // The readings of a few seconds ago are shared.
  await new Promise((done) => setTimeout(done, 10_500))
  await page.reload()
  await comparison('logo.png').getByText('The image was deleted.').waitFor()
  const choice = comparison('logo.png').getByRole('combobox', { name: 'After:' })
  await choice.focus()
  await page.keyboard.press('ArrowDown')
  await comparison('logo.png')
    .getByText(/pixels differ/)
    .waitFor()
  await hasLoaded('logo.png after the change')
})

test('an image that cannot be compared has the reason, and is read again by keyboard', async () => {
  const problem = comparison('new.png').getByRole('alert')
  await problem.getByText('Neither side has a file new.png.').waitFor()
  await writeFile(join(machine.repository, 'new.png'), plain)
  await new Promise((done) => setTimeout(done, 10_500))
  const retry = comparison('new.png').getByRole('button', { name: 'Read image again' })
  await retry.focus()
  await page.keyboard.press('Enter')
  await comparison('new.png').getByText('The image was added.').waitFor()
  await writeFile(join(machine.repository, 'logo.png'), dotted)
})

test('the page of the worktree has the images of its latest run', async () => {
  await page.goto(`/worktrees/${machine.worktree('main')}`)
  const section = page.getByRole('region', { name: 'Changed images' })
  const summary = section.locator('summary', { hasText: 'logo.png' })
  await summary.focus()
  await page.keyboard.press('Enter')
  await hasLoaded('Difference of logo.png: changed pixels are red')
  const shots = process.env.SHOTS
  if (shots === undefined) return
  for (const path of [`/worktrees/${machine.worktree('main')}`, `/runs/${id}/changes`])
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await page.goto(path)
        if (path.startsWith('/worktrees')) await summary.click()
        await hasLoaded('Difference of logo.png: changed pixels are red')
        const name = `${path.split('/')[1]}-${width}-${colorScheme}.png`
        await page.screenshot({ path: join(shots, name), fullPage: true })
      }
})

test('the page of the worktree shows the error if the changes cannot be read', async () => {
  await page.route('**/api/graphql', (route) =>
    route.request().postData()?.includes('oldPath') ? route.abort() : route.continue(),
  )
  await page.goto(`/worktrees/${machine.worktree('main')}`)
  const section = page.getByRole('region', { name: 'Changed images' })
  await section.getByRole('alert').getByText('The server does not respond.').waitFor()
  await page.unroute('**/api/graphql')
  await section.locator('summary', { hasText: 'logo.png' }).waitFor()
  assert.equal(await section.getByRole('alert').count(), 0)
})
