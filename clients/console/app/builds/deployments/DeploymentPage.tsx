/** One deployment: its state, the transfer of its file, its facts, its action and its log. */
import { StateHistoryStrip } from '../../chart/StateHistoryStrip.tsx'
import { requestGraphql } from '../../data/request.ts'
import { useLiveObjects } from '../../data/useLiveObjects.ts'
import { format, messages } from '../../messages.ts'
import { Fact } from '../../parts/Fact.tsx'
import { formatName } from '../../parts/formatName.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { ReasonField } from '../../parts/forms/ReasonField.tsx'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { getObjectPath } from '../../router.ts'
import { LogView } from '../../runs/log/LogView.tsx'
import { useDialog } from '../../state/dialogStore.ts'
import { type Deployment, deploymentSubscription, describeDestination, hasEnded, stopMutation } from './deployment.ts'
import { TransferProgress } from './TransferProgress.tsx'

const texts = messages.deployments

const nameOf = ({ displayNumber }: Deployment): string => format(texts.deployment, { number: displayNumber })

export function DeploymentPage({ id }: { readonly id: string }) {
  const { objects, error } = useLiveObjects(deploymentSubscription, 'deploymentStatusChanged', { deploymentId: id })
  const deployment = objects.get(id)
  return (
    <ObjectPage
      object={deployment}
      error={error}
      status={deployment?.status}
      title={[deployment && nameOf(deployment), deployment && formatName(deployment.status), texts.title]}
      notFoundMessage={format(texts.noSuchDeployment, { id })}
      crumbs={
        <>
          <a href="/builds">{messages.builds.tabs.builds}</a>
          {deployment && (
            <a href={`/builds/${deployment.build.id}`}>
              {deployment.build.name} {deployment.build.displayNumber}
            </a>
          )}
        </>
      }
    >
      {(deployment) => <DeploymentView deployment={deployment} />}
    </ObjectPage>
  )
}

function DeploymentView({ deployment }: { readonly deployment: Deployment }) {
  const { id, status, stopping, problem, jobId, transferId } = deployment
  return (
    <>
      <h1>{nameOf(deployment)}</h1>
      <StateHistoryStrip key={id} id={id} status={status} href={`/actors/${id}`} />
      {stopping && <p class="lead">{texts.stopping}</p>}
      {problem !== null && (
        <p class="message" role="status">
          {problem.message}
        </p>
      )}
      <div class="run-actions">{!hasEnded(deployment) && !stopping && <Stop deployment={deployment} />}</div>
      {transferId !== null && status === 'TRANSFERRING' && (
        <TransferProgress deploymentId={id} transferId={transferId} />
      )}
      <DeploymentFacts deployment={deployment} />
      {jobId === null ? <p class="hint">{texts.noLog}</p> : <LogView key={jobId} jobId={jobId} />}
    </>
  )
}

function DeploymentFacts({ deployment }: { readonly deployment: Deployment }) {
  const { build, artifactPath, destination, sourceAgent, targetAgent, requestedBy, requestedById } = deployment
  return (
    <dl class="facts">
      <Fact name={texts.destination}>{describeDestination(destination)}</Fact>
      <Fact name={texts.machine}>
        <a href={`/machines/${targetAgent.id}`}>{targetAgent.name}</a>
      </Fact>
      <Fact name={texts.build}>
        <a href={`/builds/${build.id}`}>
          {build.name} {build.displayNumber}
        </a>
      </Fact>
      {artifactPath !== null && (
        <Fact name={texts.file}>
          <code>{artifactPath}</code>
        </Fact>
      )}
      <Fact name={texts.source}>
        <a href={`/machines/${sourceAgent.id}`}>{sourceAgent.name}</a>
      </Fact>
      <Fact name={messages.builds.requestedBy}>
        {requestedBy === null ? (
          <span class="id">{requestedById}</span>
        ) : 'title' in requestedBy ? (
          <a href={getObjectPath(requestedById)}>{requestedBy.title}</a>
        ) : (
          requestedBy.name
        )}
      </Fact>
      <Fact name={messages.builds.created}>
        <RelativeTime at={deployment.createdAt} />
      </Fact>
      {deployment.exitCode !== null && <Fact name={messages.builds.exitCode}>{deployment.exitCode}</Fact>}
    </dl>
  )
}

function Stop({ deployment }: { readonly deployment: Deployment }) {
  const { dialog, open, close } = useDialog<'stop'>()
  return (
    <>
      <ActionButton look="danger" onClick={() => open('stop')}>
        {texts.stop}
      </ActionButton>
      {dialog && (
        <ConfirmDialog
          title={format(texts.stopTitle, { name: nameOf(deployment) })}
          confirmLabel={texts.stop}
          cancelLabel={texts.keep}
          look="danger"
          onClose={close}
          onConfirm={async (formData) => {
            const reason = String(formData.get('reason') ?? '').trim()
            const input = { deploymentId: deployment.id, ...(reason === '' ? {} : { reason }) }
            await requestGraphql(stopMutation, { input })
          }}
        >
          <p>{texts.stopEffect}</p>
          <ReasonField />
        </ConfirmDialog>
      )}
    </>
  )
}
