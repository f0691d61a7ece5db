/** Every page of the console, with something on it. */
import { generateKeyPairSync } from 'node:crypto'
import type { Page } from 'playwright-core'
import { siblingId } from '../../../spec/core/ids.ts'
import type { ConsolePath } from '../../../spec/pages/pagePaths.ts'
import { type BareAgent, reportWorktree, startBareAgent } from '../program/bareAgent.ts'
import { commandStep } from '../program/commandStep.ts'
import { createConfiguration, startBuild } from '../program/objects/builds.ts'
import { groupOfCrash, makeApp, newUuid, recordCrash, recordDsym, reportOf } from '../program/objects/crashes.ts'
import { runBuild } from '../program/objects/deployments.ts'
import { createDsymUpload } from '../program/objects/dsymUploads.ts'
import { startRun, untilOffered } from '../program/runs.ts'
import type { TestProgram } from '../program/testProgram.ts'
import { until } from '../program/until.ts'
import { storeAsset } from '../signing/signingAssets.ts'

export interface Place {
  /** The path with names in braces for IDs. */
  readonly name: string
  readonly path: string
  /** An element that exists when the page has loaded its data, beside the heading. */
  readonly ready?: string
}

const runTabs = ['changes', 'log', 'timeline', 'statechart', 'history']
const appTabs = ['reports', 'builds', 'dsyms']
const toolSections = ['servers', 'audit']
const settingsSections = ['keys', 'devices', 'integrations', 'users', 'server-urls', 'server']

/** Creates one object of each kind that has a page: runs that wait on a machine with some worktrees, and the objects of the library. */
export async function preparePlaces(stage: TestProgram): Promise<readonly Place[]> {
  const agent = await startBareAgent(stage, 'bare')
  const branches = ['main', 'second', 'third', 'fourth']
  const worktrees = await reportWorktree(stage, agent, '/srv/bare', branches, 'https://git.example.com/acme/bare.git')
  const start = async (branch: string, input: Readonly<Record<string, unknown>> = {}) => {
    const title = `on ${branch}`
    const { id } = await startRun(stage.ask, { worktreeId: worktrees[branch], title, command: 'true', ...input })
    await untilOffered(stage.ask, id)
    return id
  }
  const [runId] = [
    await start('main'),
    await start('second'),
    await start('third'),
    await start('fourth', { kind: 'PLAN' }),
  ]
  const { plans, sessions, codebases } = await stage.ask<
    Record<'plans' | 'sessions' | 'codebases', { nodes: { id: string }[] }>
  >('{ plans(first: 1) { nodes { id } } sessions(first: 1) { nodes { id } } codebases(first: 1) { nodes { id } } }')
  const first = ({ nodes: [node] }: { nodes: { id: string }[] }) => node?.id ?? ''
  const { workflowId, commandId, skillId, integrationId } = await createLibrary(stage, worktrees.main ?? '')
  const { configurationId, buildId } = await createBuild(stage, worktrees.main ?? '')
  const deploymentId = await createDeployment(stage, agent, configurationId, worktrees.main ?? '')
  const signingAssetId = await createSigningAsset(stage)
  const { appId, crashGroupId, crashReportId, dsymId, dsymUploadId } = await createCrashedApp(stage)
  const chart = '.chart svg'
  const paths: Readonly<Record<ConsolePath | '/', readonly Omit<Place, 'name'>[]>> = {
    '/': [{ path: '/' }],
    '/notifications': [{ path: '/notifications' }],
    '/runs': [{ path: '/runs', ready: '.run-row' }],
    '/runs/new': [{ path: '/runs/new' }],
    '/runs/{id}': [{ path: `/runs/${runId}`, ready: '.run-panel .facts' }],
    '/runs/{id}/{tab}': runTabs.map((tab) => ({ path: `/runs/${runId}/${tab}`, ready: '.run-panel .facts' })),
    '/sessions': [{ path: '/sessions', ready: '.object-table' }],
    '/sessions/{id}': [{ path: `/sessions/${first(sessions)}` }],
    '/plans': [{ path: '/plans', ready: '.object-table' }],
    '/plans/{id}': [{ path: `/plans/${first(plans)}` }],
    '/workflows': [{ path: '/workflows', ready: '.object-table' }],
    '/workflows/new': [{ path: '/workflows/new' }],
    '/workflows/{id}': [{ path: `/workflows/${workflowId}` }],
    '/workflows/{id}/edit': [{ path: `/workflows/${workflowId}/edit` }],
    '/schedules': [{ path: '/schedules', ready: '.schedule' }],
    '/commands': [{ path: '/commands', ready: '.object-table' }],
    '/commands/new': [{ path: '/commands/new' }],
    '/commands/{id}': [{ path: `/commands/${commandId}` }],
    '/commands/{id}/edit': [{ path: `/commands/${commandId}/edit` }],
    '/skills': [{ path: '/skills', ready: '.object-table' }],
    '/skills/new': [{ path: '/skills/new' }],
    '/skills/{id}': [{ path: `/skills/${skillId}` }],
    '/skills/{id}/edit': [{ path: `/skills/${skillId}/edit` }],
    '/builds': [{ path: '/builds', ready: '.object-table' }],
    '/builds/{id}': [{ path: `/builds/${buildId}`, ready: '.facts' }],
    '/deployments/{id}': [{ path: `/deployments/${deploymentId}`, ready: '.facts' }],
    '/build-configurations': [{ path: '/build-configurations', ready: '.object-table' }],
    '/build-configurations/new': [{ path: '/build-configurations/new' }],
    '/build-configurations/{id}': [{ path: `/build-configurations/${configurationId}`, ready: '.object-table' }],
    '/build-configurations/{id}/edit': [{ path: `/build-configurations/${configurationId}/edit` }],
    '/signing-assets': [{ path: '/signing-assets', ready: '.object-table' }],
    '/signing-assets/{id}': [{ path: `/signing-assets/${signingAssetId}`, ready: '.facts' }],
    '/apps': [{ path: '/apps', ready: '.object-table' }],
    '/apps/{id}': [{ path: `/apps/${appId}`, ready: '.object-table' }],
    '/apps/{id}/{tab}': appTabs.map((tab) => ({ path: `/apps/${appId}/${tab}`, ready: '.object-table' })),
    '/crash-groups/{id}': [{ path: `/crash-groups/${crashGroupId}`, ready: '.time-chart svg' }],
    '/crash-reports/{id}': [{ path: `/crash-reports/${crashReportId}`, ready: '.frames' }],
    '/dsyms/{id}': [{ path: `/dsyms/${dsymId}`, ready: '.facts' }],
    '/dsym-uploads': [{ path: '/dsym-uploads', ready: '.cards li' }],
    '/dsym-uploads/{id}': [{ path: `/dsym-uploads/${dsymUploadId}`, ready: '.facts' }],
    '/machines': [{ path: '/machines', ready: '.agent-row' }],
    '/machines/{id}': [{ path: `/machines/${agent.agentId}` }],
    '/repositories': [{ path: '/repositories', ready: '.codebase-row' }],
    '/repositories/{id}': [{ path: `/repositories/${first(codebases)}` }],
    '/worktrees/{id}': [{ path: `/worktrees/${worktrees.main}` }],
    '/insights': [{ path: '/insights', ready: '.time-chart svg, .empty' }],
    '/insights/states': [{ path: '/insights/states', ready: '.kinds li' }],
    '/insights/states/{kind}': [{ path: '/insights/states/run', ready: chart }],
    '/telemetry': [{ path: '/telemetry' }],
    '/stuck': [{ path: '/stuck', ready: '.empty, .cards li' }],
    '/actors/{id}': [{ path: `/actors/${runId}`, ready: chart }],
    '/tools': [{ path: '/tools' }],
    '/tools/{section}': toolSections.map((section) => ({ path: `/tools/${section}` })),
    '/settings': [{ path: '/settings' }],
    '/settings/{section}': settingsSections.map((section) => ({ path: `/settings/${section}` })),
    '/design': [{ path: '/design', ready: '.swatches' }],
    '/settings/integrations/{id}': [{ path: `/settings/integrations/${integrationId}` }],
  }
  return Object.values(paths)
    .flat()
    .map((place) => ({ ...place, name: place.path.replace(/\w+_[0-9a-z]{26}/, '{id}') }))
}

/** Opens a page, and waits until nothing on it is loading. The page with the components has an example of that. */
export async function openPlace(page: Page, { path, ready = 'main h1' }: Place): Promise<void> {
  await page.goto(path)
  await page.locator('main h1').first().waitFor()
  await page.locator(ready).first().waitFor()
  await page.waitForFunction(() => document.querySelector('main .loading:not(.example *)') === null)
}

async function createSigningAsset({ ask }: TestProgram): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const bytes = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const key = { name: 'Store key', kind: 'APP_STORE_KEY', fileName: 'AuthKey_2X9R4HXF34.p8', bytes }
  return (await storeAsset(ask, key)).id
}

/** A build that waits on the machine of the worktree, and its configuration. */
async function createBuild({ ask }: TestProgram, worktreeId: string) {
  const { worktree } = await ask<{ worktree: { codebase: { repository: { id: string } } } }>(
    'query ($id: ID!) { worktree(id: $id) { codebase { repository { id } } } }',
    { id: worktreeId },
  )
  const configurationId = await createConfiguration(ask, {
    repositoryId: worktree.codebase.repository.id,
    description: 'The program for the shops.',
    steps: [
      { name: 'compile', command: 'make' },
      { name: 'package', command: 'make dist' },
    ],
    environment: [{ name: 'CHANNEL', value: 'stable' }],
    artifacts: ['dist/**/*.zip'],
  })
  const { id: buildId } = await startBuild(ask, { buildConfigurationId: configurationId, worktreeId })
  return { configurationId, buildId }
}

/** A deployment that waits for its machine. Its artifact is still being uploaded. */
async function createDeployment(
  { ask }: TestProgram,
  agent: BareAgent,
  buildConfigurationId: string,
  worktreeId: string,
): Promise<string> {
  const { id: buildId } = await startBuild(ask, { buildConfigurationId, worktreeId })
  const job = { jobId: siblingId('job', buildId), attempt: 1 }
  await until('the build to be offered', async () => {
    const { job: found } = await ask<{ job: { status: string } | null }>(
      'query ($id: ID!) { job(id: $id) { status } }',
      {
        id: job.jobId,
      },
    )
    return found?.status === 'OFFERED'
  })
  await agent.say('acceptJob', job, 'job { id }')
  const file = { path: 'dist/server', size: 3, sha256: 'a'.repeat(64), contentType: 'application/octet-stream' }
  await agent.say('createBuildArtifact', { ...job, ...file }, 'artifactId')
  return (await runBuild(ask, { buildId, destination: { kind: 'HOST' } })).id
}

/** An app with a crash report that waits for symbols, a dSYM of another build, and an upload that has begun. */
async function createCrashedApp({ ask, url, key }: TestProgram) {
  const bundleIdentifier = 'org.example.bare'
  const appId = await makeApp(ask, bundleIdentifier)
  const { id: crashReportId } = await recordCrash(ask, reportOf(bundleIdentifier, [newUuid()]))
  const dsymId = await recordDsym(ask, bundleIdentifier, [newUuid()])
  const { id: dsymUploadId } = await createDsymUpload({ url, key }, Buffer.from('a zip'))
  const crashGroupId = await groupOfCrash(ask, crashReportId)
  return { appId, crashGroupId, crashReportId, dsymId, dsymUploadId }
}

async function createLibrary({ ask }: TestProgram, worktreeId: string) {
  const create = async (operation: string, input: Readonly<Record<string, unknown>>): Promise<string> => {
    const name = operation.replace('create', '').toLowerCase()
    const type = `C${operation.slice(1)}Input`
    const answer = await ask<Record<string, Record<string, { id: string }>>>(
      `mutation ($input: ${type}!) { ${operation}(input: $input) { ${name} { id } } }`,
      { input },
    )
    return answer[operation]?.[name]?.id ?? ''
  }
  const workflowId = await create('createWorkflow', {
    name: 'nightly',
    steps: [commandStep('build', 'make'), commandStep('test', 'make test', { needs: ['build'] })],
  })
  await ask('mutation ($input: PublishWorkflowInput!) { publishWorkflow(input: $input) { workflow { id } } }', {
    input: { workflowId },
  })
  await create('createSchedule', {
    workflowId,
    name: 'every night',
    worktreeId,
    cron: '30 2 * * *',
    timeZone: 'Europe/Berlin',
  })
  const front = '---\nname: release\ndescription: How to release.\n---\nTag, then push.\n'
  return {
    workflowId,
    commandId: await create('createCommand', { name: 'lint', body: { shell: 'npm run lint' } }),
    skillId: await create('createSkill', {
      name: 'release',
      files: [{ path: 'SKILL.md', content: { text: front } }],
    }),
    integrationId: await create('createIntegration', { name: 'Forge', provider: 'GITHUB' }),
  }
}
