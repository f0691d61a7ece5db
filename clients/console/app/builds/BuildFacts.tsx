/** The facts of a build: the sources, the machine, the requester and the times. */
import { format, messages } from '../messages.ts'
import { Fact } from '../parts/Fact.tsx'
import { formatDuration } from '../parts/formatDuration.ts'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { getObjectPath } from '../router.ts'
import type { Build } from './build.ts'
import { SigningAssetLinks } from './signing/SigningAssetLinks.tsx'

const texts = messages.builds

export function BuildFacts({ build }: { readonly build: Build }) {
  const { repository, agent, worktree, commit, requestedCommit, rebuildOf, rebuildOfId, durationMs, jobId } = build
  return (
    <dl class="facts">
      <Fact name={messages.buildConfigurations.repository}>
        <a href={`/repositories/${repository.id}`}>
          {repository.owner}/{repository.name}
        </a>
      </Fact>
      <Fact name={texts.commit}>
        {commit === null ? (requestedCommit ?? '–') : <code>{commit}</code>}
        {commit !== null && requestedCommit !== null && requestedCommit !== commit && ` (${requestedCommit})`}
      </Fact>
      <Fact name={texts.source}>{texts.sources[build.source]}</Fact>
      <Fact name={texts.kind}>{texts.kinds[build.kind]}</Fact>
      <Fact name={texts.configuration}>
        <a href={`/build-configurations/${build.buildConfigurationId}`}>
          {format(texts.configurationVersion, { name: build.name, number: build.configurationVersion })}
        </a>
      </Fact>
      {build.signingAssets.length > 0 && (
        <Fact name={messages.signing.title}>
          <SigningAssetLinks assets={build.signingAssets} />
        </Fact>
      )}
      <Fact name={texts.machine}>
        <a href={`/machines/${agent.id}`}>{agent.name}</a>
      </Fact>
      <Fact name={messages.work.worktree}>
        <a href={`/worktrees/${worktree.id}`}>{worktree.branch ?? worktree.path}</a>
      </Fact>
      <Fact name={texts.requestedBy}>
        <Requester build={build} />
      </Fact>
      <Fact name={texts.trigger}>
        {texts.triggers[build.trigger]}
        {build.webhookDelivery && (
          <>
            :{' '}
            <a
              href={`/settings/integrations/${build.webhookDelivery.integrationId}?delivery=${build.webhookDelivery.id}`}
            >
              {build.webhookDelivery.push && formatPush(build.webhookDelivery.push)}
            </a>
          </>
        )}
        {build.workflowStep && (
          <>
            : <a href={`/runs/${build.workflowStep.runId}`}>{build.workflowStep.title}</a>
          </>
        )}
      </Fact>
      <Fact name={texts.created}>
        <RelativeTime at={build.createdAt} />
      </Fact>
      {durationMs !== null && <Fact name={texts.duration}>{formatDuration(durationMs)}</Fact>}
      {build.exitCode !== null && <Fact name={texts.exitCode}>{build.exitCode}</Fact>}
      {rebuildOf && rebuildOfId && (
        <Fact name={texts.rebuildOf}>
          <a href={`/builds/${rebuildOfId}`}>{format(texts.buildNumber, { number: rebuildOf.displayNumber })}</a>
        </Fact>
      )}
      {jobId && (
        <Fact name={texts.job}>
          <a href={`/actors/${jobId}`}>{texts.openJob}</a>
        </Fact>
      )}
    </dl>
  )
}

function formatPush({ branch, commit }: { readonly branch: string; readonly commit: string }): string {
  return format(texts.pushOf, { branch, commit: commit.slice(0, 9) })
}

function Requester({ build: { requestedBy, requestedById } }: { readonly build: Build }) {
  if (requestedBy === null) return <span class="id">{requestedById}</span>
  if ('title' in requestedBy) return <a href={getObjectPath(requestedById)}>{requestedBy.title}</a>
  return <>{requestedBy.name}</>
}
