/** The deliveries to an integration with their outcome, newest first, updated live. */

import { useState } from 'preact/hooks'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { format, formatNumber, messages } from '../messages.ts'
import { formatBytes } from '../parts/formatBytes.ts'
import { ObjectTable } from '../parts/lists/ObjectTable.tsx'
import { ShowMore } from '../parts/lists/ShowMore.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useFilters } from '../router.ts'
import { PushBuilds } from './PushBuilds.tsx'

const texts = messages.integrations.deliveries

const deliveriesQuery = graphql(`query ($integrationId: ID!, $after: String) {
  webhookDeliveries(integrationId: $integrationId, first: 30, after: $after) {
    totalCount nodes { id status event deliveryId headers { name value } size sha256 receivedAt
      push { branch commit omittedCount }
    }
    pageInfo { hasNextPage endCursor }
  }
}`)

type Delivery = ResultOf<typeof deliveriesQuery>['webhookDeliveries']['nodes'][number]

interface WebhookDeliveriesProps {
  readonly integrationId: string
  /** Of all times: old deliveries are not listed. */
  readonly deliveryCount: number
}

export function WebhookDeliveries({ integrationId, deliveryCount }: WebhookDeliveriesProps) {
  const list = usePagedList(deliveriesQuery, 'webhookDeliveries', { integrationId }, ({ id }) => id, { pauseMs: 1_000 })
  useOnTransition('WEBHOOK_DELIVERY', list.refresh)
  const { items, error } = list
  return (
    <>
      <h2>
        {messages.integrations.facts.deliveries} <span class="count">{formatNumber(deliveryCount)}</span>
      </h2>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items === undefined && !error && <Loading />}
      {items?.length === 0 && <EmptyState title={texts.none} />}
      {items && items.length > 0 && (
        <ObjectTable
          label={messages.integrations.facts.deliveries}
          items={items}
          getId={({ id }) => id}
          columns={[
            { name: texts.event, render: (delivery) => <DeliveryEvent delivery={delivery} /> },
            { name: texts.outcome, render: ({ status }) => <StatusBadge status={status} /> },
            { name: texts.received, render: ({ receivedAt }) => <RelativeTime at={receivedAt} /> },
            { name: texts.size, isWide: true, render: ({ size }) => formatBytes(size) },
          ]}
        />
      )}
      {items && <ShowMore shown={items.length} list={list} />}
      <p class="hint">{texts.note}</p>
    </>
  )
}

function DeliveryEvent({ delivery }: { readonly delivery: Delivery }) {
  const { id, event, deliveryId, headers, sha256, push } = delivery
  const { delivery: chosen } = useFilters()
  const [isOpen, setOpen] = useState(chosen === id)
  return (
    <details class="delivery" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {event}
        {push && ` · ${format(messages.builds.pushOf, { branch: push.branch, commit: push.commit.slice(0, 9) })}`}
      </summary>
      {push && isOpen && <PushBuilds deliveryId={id} omittedCount={push.omittedCount} />}
      <dl class="terms">
        {deliveryId !== null && (
          <>
            <dt>{texts.deliveryId}</dt>
            <dd>
              <code>{deliveryId}</code>
            </dd>
          </>
        )}
        {headers.map(({ name, value }) => [
          <dt key={`${name} name`}>{name}</dt>,
          <dd key={name}>
            <code>{value}</code>
          </dd>,
        ])}
        <dt>{texts.hash}</dt>
        <dd>
          <code>{sha256}</code>
        </dd>
        <dt>{messages.work.lifecycle}</dt>
        <dd>
          <a href={`/actors/${id}`}>{id}</a>
        </dd>
      </dl>
    </details>
  )
}
