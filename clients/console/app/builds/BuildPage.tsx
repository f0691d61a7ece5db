/** One build: its state, its facts, its actions and its log. */
import { StateHistoryStrip } from '../chart/StateHistoryStrip.tsx'
import { useLiveObjects } from '../data/useLiveObjects.ts'
import { format, messages } from '../messages.ts'
import { formatName } from '../parts/formatName.ts'
import { ObjectPage } from '../parts/ObjectPage.tsx'
import { LogView } from '../runs/log/LogView.tsx'
import { WaitReason } from '../worktrees/WaitReason.tsx'
import { BuildActions } from './BuildActions.tsx'
import { BuildArtifacts } from './BuildArtifacts.tsx'
import { BuildCoverage } from './BuildCoverage.tsx'
import { BuildFacts } from './BuildFacts.tsx'
import { type Build, buildSubscription } from './build.ts'
import { BuildDeployments } from './deployments/BuildDeployments.tsx'

const texts = messages.builds

export function BuildPage({ id }: { readonly id: string }) {
  const { objects, error } = useLiveObjects(buildSubscription, 'buildStatusChanged', { buildId: id })
  const build = objects.get(id)
  return (
    <ObjectPage
      object={build}
      error={error}
      status={build?.status}
      title={[build && `${build.name} ${build.displayNumber}`, build && formatName(build.status), texts.tabs.builds]}
      notFoundMessage={format(texts.noSuchBuild, { id })}
      crumbs={
        <>
          <a href="/builds">{texts.tabs.builds}</a>
          {build && <a href={`/build-configurations/${build.buildConfigurationId}`}>{build.name}</a>}
        </>
      }
    >
      {(build) => <BuildView build={build} />}
    </ObjectPage>
  )
}

function BuildView({ build }: { readonly build: Build }) {
  const { id, name, displayNumber, status, phase, blockedBy, problem, jobId } = build
  return (
    <>
      <h1>
        {name} {displayNumber}
      </h1>
      <StateHistoryStrip key={id} id={id} status={status} href={`/actors/${id}`} />
      {phase !== null && <p class="lead">{texts.phases[phase]}</p>}
      {blockedBy && (
        <WaitReason worktreeId={build.worktree.id} blockedBy={blockedBy} limit={build.worktreeConcurrencyLimit ?? 0} />
      )}
      {problem !== null && (
        <p class="message" role="status">
          {problem.message}
        </p>
      )}
      <BuildActions build={build} />
      <BuildFacts build={build} />
      <BuildCoverage build={build} />
      <BuildArtifacts buildId={id} status={status} />
      <BuildDeployments build={build} />
      {jobId === null ? <p class="hint">{texts.noLog}</p> : <LogView key={jobId} jobId={jobId} />}
    </>
  )
}
