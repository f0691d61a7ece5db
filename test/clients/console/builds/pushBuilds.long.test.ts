/** A person lets a configuration build pushes, sees the build of a push and why another one was not built, and finds it in the inbox. */
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { git, type Machine, startMachine } from '../../../kit/program/machine.ts'
import { createConfiguration, withRemote } from '../../../kit/program/objects/builds.ts'
import { mutate } from '../../../kit/program/runs.ts'
import { deliver, senders } from '../../../kit/program/servers/webhookSenders.ts'

const { stage, person, page } = await atConsole()
let machine: Machine
let configurationId = ''
let integration: { readonly id: string; readonly webhookUrl: string }
let secret = ''

before(async () => {
  machine = await startMachine(stage, { hasTestClis: false })
  const { repositoryId } = await withRemote(stage, machine)
  configurationId = await createConfiguration(stage.ask, { repositoryId, name: 'each push' })
  ;({ integration, secret } = await mutate<{ integration: typeof integration; secret: string }>(
    stage.ask,
    'createIntegration',
    { name: 'shop', provider: 'GITHUB' },
    'secret integration { id webhookUrl }',
  ))
})

const button = (name: string) => page.getByRole('button', { name, exact: true })

async function push(): Promise<string> {
  const commit = await git(machine.repository, 'rev-parse', 'HEAD')
  const body = {
    ref: 'refs/heads/main',
    after: commit,
    repository: { clone_url: 'https://git.example.com/acme/shop.git' },
  }
  const id = randomUUID()
  const sent = senders.github.send({ secret, at: 0, id, body: Buffer.from(JSON.stringify({ ...body, id })) })
  await deliver(integration.webhookUrl, { ...sent, headers: { ...sent.headers, 'x-github-event': 'push' } })
  return commit.slice(0, 9)
}

test('the branches and the worktree of push builds are chosen in the form', async () => {
  await page.goto(`/build-configurations/${configurationId}/edit`)
  await page.getByLabel('Build pushes to branches').check()
  await page.getByLabel('Branches', { exact: true }).fill('/main')
  await page.getByRole('radio', { name: /main/ }).first().check()
  await button('Save configuration').click()
  await page.getByText(/must be the name of a branch/).waitFor()
  await page.getByLabel('Branches', { exact: true }).fill('main, release/*')
  await assertFaultless(page)
  await button('Save configuration').click()
  await page.getByText('version 2').waitFor()
  await page.locator('dl.facts').getByText('main, release/*').waitFor()
  person.fine()
})

test('a push is built, and its build links to the delivery', async () => {
  const commit = await push()
  // Until the build exists, the link leads to the delivery.
  const toBuild = page.locator('a[href^="/builds/"]')
  await page
    .getByRole('link', { name: `${commit} to main` })
    .and(toBuild)
    .click()
  await page.getByRole('heading', { name: 'each push 1' }).waitFor()
  const facts = page.locator('dl.facts').first()
  await facts.getByText('shop', { exact: true }).waitFor()
  await assertFaultless(page)
  await facts.getByRole('link', { name: `${commit} to main` }).click()
  await page.waitForURL('**/settings/integrations/int_*')
  await page.locator('details.delivery[open]').getByRole('link', { name: 'each push' }).waitFor()
  await assertFaultless(page)
  person.fine()
})

test('a push that cannot be built has its reason on the delivery, the configuration and in the inbox', async () => {
  await page.goto(`/build-configurations/${configurationId}/edit`)
  await page.getByLabel('Tags of the machine', { exact: true }).fill('gpu')
  await button('Save configuration').click()
  await page.getByText('version 3').waitFor()
  const commit = await push()
  const reason = page.getByText(/needs the tag gpu, and builder does not have it/)
  await reason.first().waitFor()
  await assertFaultless(page)
  await page.goto(`/settings/integrations/${integration.id}`)
  await page.locator('details.delivery summary').first().click()
  await reason.first().waitFor()
  await page.goto('/')
  await page.getByText(`each push: main ${commit}`).waitFor()
  await page.getByText('Push not built').waitFor()
  await reason.first().waitFor()
  await assertFaultless(page)
  person.fine()
})
