/** One integration: its address, its secret, a test delivery, and its deliveries. */

import { useMemo } from 'preact/hooks'
import { factsOf } from '../../../../spec/hosts/webhookProviders.ts'
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useOnActorTransition } from '../data/useOnActorTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, formatParts, locale, messages } from '../messages.ts'
import { CopyableText } from '../parts/CopyableText.tsx'
import { Fact } from '../parts/Fact.tsx'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { ObjectPage } from '../parts/ObjectPage.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { navigate } from '../router.ts'
import { useDialog } from '../state/dialogStore.ts'
import { formatTestDelivery } from './formatTestDelivery.ts'
import {
  deleteMutation,
  finishMutation,
  type Integration,
  integrationFragment,
  type NewSecret,
  providerNames,
  rotateMutation,
} from './integration.ts'
import { SecretDialog } from './SecretDialog.tsx'
import { readSecret, SecretField } from './SecretField.tsx'
import { WebhookDeliveries } from './WebhookDeliveries.tsx'

const texts = messages.integrations

const integrationQuery = graphql('query ($id: ID!) { integration(id: $id) { ...IntegrationFields } }', [
  integrationFragment,
])

export function IntegrationPage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(integrationQuery, { id })
  return (
    <ObjectPage
      object={data?.integration}
      error={error}
      title={[data?.integration?.name, texts.title]}
      notFoundMessage={format(texts.noSuchIntegration, { id })}
      crumbs={
        <>
          {' '}
          <a href="/settings">{messages.shell.views.settings}</a>
          <a href="/settings/integrations">{texts.title}</a>
        </>
      }
    >
      {(integration) => <IntegrationView integration={integration} refresh={refresh} />}
    </ObjectPage>
  )
}

type IntegrationAction = 'rotate' | 'finish' | 'delete'

interface IntegrationViewProps {
  readonly integration: Integration
  refresh(): void
}

function IntegrationView({ integration, refresh }: IntegrationViewProps) {
  const { id, name, status, provider, scheme, webhookUrl, previousSecretUntil, deliveryCount } = integration
  useOnActorTransition(id, refresh)
  const { dialog, open, close } = useDialog<IntegrationAction>()
  const { dialog: newSecret, ...secretDialog } = useDialog<NewSecret>()
  return (
    <>
      <h1>{name}</h1>
      <p class="lead">
        <StatusBadge status={status} />
        <span>{providerNames[provider]}</span>
        <a href={`/actors/${id}`}>{messages.work.lifecycle}</a>
      </p>
      {status !== 'DELETED' && (
        <div class="run-actions">
          <ActionButton onClick={() => open('rotate')}>
            {status === 'ACTIVE' ? texts.rotate.title : texts.setSecret}
          </ActionButton>
          <ActionButton look="danger" onClick={() => open('delete')}>
            {texts.delete.title}
          </ActionButton>
        </div>
      )}
      {status === 'WAITING_FOR_SECRET' && <p class="note">{texts.waitingForSecret}</p>}
      {previousSecretUntil && status === 'ACTIVE' && (
        <div class="note previous-secret">
          <p>{formatParts(texts.previousSecret, { time: <AbsoluteTime at={previousSecretUntil} /> })}</p>
          <ActionButton look="danger" onClick={() => open('finish')}>
            {texts.finish.title}
          </ActionButton>
        </div>
      )}
      <IntegrationFacts integration={integration} />
      {status !== 'DELETED' && (
        <>
          <h2>{texts.setUp.title}</h2>
          <p>{texts.setUp[scheme]}</p>
          <p class="copy-heading">{texts.address}</p>
          <CopyableText what={texts.addressWhat} text={webhookUrl} />
        </>
      )}
      {status === 'ACTIVE' && (
        <details class="disclosure">
          <summary>{texts.test.title}</summary>
          <p>{texts.test.note}</p>
          <CopyableText what={texts.test.what} text={formatTestDelivery(integration, texts.test.placeholder)} />
        </details>
      )}
      <WebhookDeliveries integrationId={id} deliveryCount={deliveryCount} />
      {dialog === 'rotate' && <RotateDialog integration={integration} onRotate={secretDialog.open} onClose={close} />}
      {(dialog === 'finish' || dialog === 'delete') && (
        <EndDialog integration={integration} action={dialog} onClose={close} />
      )}
      {newSecret && dialog === undefined && <SecretDialog newSecret={newSecret} onClose={secretDialog.close} />}
    </>
  )
}

const timeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })

function AbsoluteTime({ at }: { readonly at: string }) {
  return <time dateTime={at}>{timeFormat.format(Date.parse(at))}</time>
}

function IntegrationFacts({ integration }: { readonly integration: Integration }) {
  const { scheme, createdAt, rotatedAt, lastDeliveryAt } = integration
  return (
    <dl class="facts">
      <Fact name={texts.scheme.label}>{texts.scheme[scheme]}</Fact>
      <Fact name={messages.work.created}>
        <RelativeTime at={createdAt} />
      </Fact>
      {rotatedAt && (
        <Fact name={texts.facts.rotated}>
          <RelativeTime at={rotatedAt} />
        </Fact>
      )}
      <Fact name={texts.facts.lastDelivery}>
        {lastDeliveryAt === null ? texts.facts.never : <RelativeTime at={lastDeliveryAt} />}
      </Fact>
    </dl>
  )
}

interface RotateDialogProps {
  readonly integration: Integration
  onRotate(rotated: NewSecret): void
  onClose(): void
}

function RotateDialog({ integration, onRotate, onClose }: RotateDialogProps) {
  const { id, name, status, provider, previousSecretUntil } = integration
  const keys = useMemo(createRepeatKeys, [])
  const { givesSecret } = factsOf(provider)
  const label = status === 'ACTIVE' ? texts.rotate.title : texts.setSecret
  return (
    <ConfirmDialog
      title={`${label}: ${name}`}
      confirmLabel={label}
      onClose={onClose}
      onConfirm={async (formData) => {
        const request = { integrationId: id, secret: readSecret(formData) }
        const { rotateIntegrationSecret } = await keys.send(request, (idempotencyKey) =>
          requestGraphql(rotateMutation, { input: { ...request, idempotencyKey } }),
        )
        // The user has a secret that they have entered.
        if (request.secret === null) onRotate({ ...rotateIntegrationSecret, isGiven: false })
      }}
    >
      {status === 'ACTIVE' && <p>{texts.rotate.hint}</p>}
      {previousSecretUntil && <p>{texts.rotate.hintThird}</p>}
      <SecretField hint={givesSecret ? texts.secret.givenHint : texts.secret.generatedHint} isRequired={givesSecret} />
    </ConfirmDialog>
  )
}

interface EndDialogProps {
  readonly integration: Integration
  readonly action: 'finish' | 'delete'
  onClose(): void
}

/** Ends the previous secret, or the integration. */
function EndDialog({ integration: { id, name }, action, onClose }: EndDialogProps) {
  const keys = useMemo(createRepeatKeys, [])
  const { title, hint } = texts[action]
  return (
    <ConfirmDialog
      title={`${title}: ${name}`}
      confirmLabel={title}
      look="danger"
      onClose={onClose}
      onConfirm={async () => {
        const request = { integrationId: id }
        await keys.send(request, async (idempotencyKey) => {
          const input = { ...request, idempotencyKey }
          await (action === 'finish'
            ? requestGraphql(finishMutation, { input })
            : requestGraphql(deleteMutation, { input }))
        })
        if (action === 'delete') navigate('/settings/integrations')
      }}
    >
      <p>{hint}</p>
    </ConfirmDialog>
  )
}
