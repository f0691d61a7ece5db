/**
 * The colors and the components of the console, for its developers. It is served only where GraphiQL is, and is in English only:
 * `test/spec/consoleMessages.test.ts` lists it as the one view with texts of its own.
 */
import { useState } from 'preact/hooks'
import { StateStrip } from '../chart/StateStrip.tsx'
import { ApiError } from '../data/apiError.ts'
import { CopyableText } from '../parts/CopyableText.tsx'
import { countUnit } from '../parts/charts/chartUnits.ts'
import { TimeChart } from '../parts/charts/TimeChart.tsx'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ChoiceField, Field } from '../parts/forms/Field.tsx'
import { Switch } from '../parts/forms/Switch.tsx'
import { ObjectTable } from '../parts/lists/ObjectTable.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { Badge } from '../parts/StatusBadge.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { chartSeries, chartSlots, passedStates, tokens, tones } from './exampleData.ts'

export function DesignPage() {
  useDocumentTitle(['Design'])
  return (
    <section class="design">
      <h1>Design</h1>
      <p class="lead">The colors and the shared components of the console. The theme is chosen in the settings.</p>
      <Colors />
      <Statuses />
      <Forms />
      <Messages />
      <Lists />
      <h2>Charts over time</h2>
      <TimeChart
        title="Runs"
        note="Bars are stacked."
        marks="bars"
        unit={countUnit}
        slots={chartSlots}
        series={chartSeries}
      />
    </section>
  )
}

function Colors() {
  return (
    <>
      <h2>Colors</h2>
      <ul class="swatches">
        {tokens.map(({ name, use }) => (
          <li key={name} class="swatch">
            <svg aria-hidden="true" width="40" height="40">
              <rect width="40" height="40" rx="6" fill={`var(--${name})`} stroke="var(--edge)" />
            </svg>
            <code>{name}</code> <span class="hint">{use}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Statuses() {
  return (
    <>
      <h2>Statuses</h2>
      <p class="note">A tone has a shape of its own, because some people do not see the color.</p>
      <ul class="inline-list">
        {tones.map(({ tone, use }) => (
          <li key={tone}>
            <Badge tone={tone} label={use} />
          </li>
        ))}
      </ul>
      <h3>State strip</h3>
      <StateStrip states={passedStates} />
      <h3>State strip in a list</h3>
      <StateStrip states={passedStates} isCompact />
    </>
  )
}

function Forms() {
  const [isConfirming, setConfirming] = useState(false)
  const [isOn, setOn] = useState(true)
  return (
    <>
      <h2>Buttons and forms</h2>
      <div class="run-actions">
        <ActionButton look="primary">Start run</ActionButton>
        <ActionButton>Pause run</ActionButton>
        <ActionButton look="danger" onClick={() => setConfirming(true)}>
          Cancel run
        </ActionButton>
        <ActionButton isBusy>Saving</ActionButton>
        <ActionButton disabled>Not available</ActionButton>
      </div>
      <form class="stack">
        <Field name="name" label="Name" hint="Up to 100 characters." value="nightly" />
        <ChoiceField name="policy" label="Policy" choices={{ ASK: 'Ask', DENY: 'Deny' }} value="ASK" />
      </form>
      <Switch
        label="Registration"
        isOn={isOn}
        hint="Whether new people can create an account."
        onToggle={async (on) => setOn(on)}
      />
      {isConfirming && (
        <ConfirmDialog
          title="Cancel run?"
          confirmLabel="Cancel run"
          cancelLabel="Keep running"
          look="danger"
          onConfirm={async () => {}}
          onClose={() => setConfirming(false)}
        >
          <p>The agent stops the run and every process that the run started.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Messages() {
  return (
    <>
      <h2>Loading, empty and failed</h2>
      <div class="example">
        <Loading />
      </div>
      <EmptyState title="No runs yet">
        <p>
          <a href="/runs/new">Start a run</a>
        </p>
      </EmptyState>
      <ErrorMessage
        error={new ApiError('UNAVAILABLE', 'The database is unavailable.', { retryable: true, requestId: 'req-1' })}
      />
    </>
  )
}

function Lists() {
  return (
    <>
      <h2>Lists and facts</h2>
      <Tabs
        label="Example"
        tabs={[
          { href: '/design', name: 'Selected', current: true },
          { href: '/runs', name: 'Another', current: false },
        ]}
      />
      <ObjectTable
        label="Examples"
        items={[{ id: 'one', at: new Date(Date.now() - 90_000).toISOString() }]}
        columns={[
          { name: 'Name', render: ({ id }) => <span class="item-name">{id}</span> },
          { name: 'Changed', render: ({ at }) => <RelativeTime at={at} /> },
        ]}
        getId={({ id }) => id}
      />
      <CopyableText what="the command" text="npm start" />
    </>
  )
}
