/** The integrations that were not deleted, updated live. */
import { graphql } from '../data/graphql.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { formatNumber, messages } from '../messages.ts'
import { ObjectTable } from '../parts/lists/ObjectTable.tsx'
import { ShowMore } from '../parts/lists/ShowMore.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useFocusFallback } from '../parts/useFocusFallback.ts'
import { useDialog } from '../state/dialogStore.ts'
import { integrationFragment, type NewSecret, providerNames } from './integration.ts'
import { NewIntegrationDialog } from './NewIntegrationDialog.tsx'
import { SecretDialog } from './SecretDialog.tsx'

const texts = messages.integrations

const integrationsQuery = graphql(
  `query ($after: String) { integrations(first: 30, after: $after) {
    totalCount nodes { ...IntegrationFields } pageInfo { hasNextPage endCursor }
  } }`,
  [integrationFragment],
)

export function Integrations() {
  const list = usePagedList(integrationsQuery, 'integrations', {}, ({ id }) => id, { pauseMs: 1_000 })
  useOnTransition('INTEGRATION', list.refresh)
  const { dialog, open, close } = useDialog<'new'>()
  const { dialog: newSecret, ...secretDialog } = useDialog<NewSecret>()
  const heading = useFocusFallback()
  const { items, error, totalCount } = list
  return (
    <section class="group" aria-labelledby="integrations">
      <div class="heading-row">
        <h2 id="integrations" ref={heading} tabIndex={-1}>
          {texts.title} {items && <span class="count">{formatNumber(totalCount)}</span>}
        </h2>
        <button type="button" class="quiet" onClick={() => open('new')}>
          {texts.create.title}
        </button>
      </div>
      <p class="note">{texts.note}</p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items === undefined && !error && <Loading />}
      {items?.length === 0 && (
        <EmptyState title={texts.none}>
          <p>{texts.noneHint}</p>
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <ObjectTable
          label={texts.title}
          items={items}
          getId={({ id }) => id}
          columns={[
            {
              name: texts.name,
              render: ({ id, name }) => (
                <a class="item-name" href={`/settings/integrations/${id}`}>
                  {name}
                </a>
              ),
            },
            { name: texts.provider, render: ({ provider }) => providerNames[provider] },
            { name: messages.parts.filters.status, render: ({ status }) => <StatusBadge status={status} /> },
            {
              name: texts.facts.deliveries,
              isWide: true,
              render: ({ deliveryCount }) => formatNumber(deliveryCount),
            },
            {
              name: texts.facts.lastDelivery,
              isWide: true,
              render: ({ lastDeliveryAt }) => (lastDeliveryAt === null ? '–' : <RelativeTime at={lastDeliveryAt} />),
            },
          ]}
        />
      )}
      {items && <ShowMore shown={items.length} list={list} />}
      {dialog === 'new' && (
        <NewIntegrationDialog
          onClose={close}
          onCreate={(created) => {
            secretDialog.open(created)
            list.refresh()
          }}
        />
      )}
      {newSecret && dialog !== 'new' && <SecretDialog newSecret={newSecret} onClose={secretDialog.close} />}
    </section>
  )
}
