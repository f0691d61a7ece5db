/** The filters of the list of runs. On a phone they are folded, except for the text. */
import { useRef } from 'preact/hooks'
import { runKinds, runStatuses } from '../../../../../spec/runs/runEnums.ts'
import { graphql } from '../../data/graphql.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, locale, messages } from '../../messages.ts'
import { formatKind, formatName } from '../../parts/formatName.ts'
import { FilterChoice } from '../../parts/lists/FilterChoice.tsx'
import { ObjectPicker } from '../../parts/lists/ObjectPicker.tsx'
import { PausedInput } from '../../parts/lists/PausedInput.tsx'
import { setFilters } from '../../router.ts'
import { useSelector } from '../../state/useSelector.ts'
import { viewportStore } from '../../state/viewportStore.ts'
import { periodNames, type RunFilters } from './runFilters.ts'

const texts = messages.runs.filters
const listFormat = new Intl.ListFormat(locale, { type: 'disjunction' })
const viewerQuery = graphql('{ viewer { userId } }')

export function RunFilterFields({ filters }: { readonly filters: RunFilters }) {
  const { statuses, kind, period, agent, worktree, repository, requester, cli } = filters
  const isNarrow = useSelector(viewportStore, (viewport) => viewport.isNarrow)
  return (
    <search class="filters run-filters">
      <PausedInput name="q" label={texts.text} value={filters.text} maxLength={200} />
      <details class="more-filters" open={!isNarrow}>
        <summary>{texts.label}</summary>
        <div class="filters">
          <StatusChoice chosen={statuses} />
          <FilterChoice
            name="kind"
            label={texts.kind}
            value={kind}
            choices={[['', texts.anyKind], ...runKinds.map((one) => [one, formatKind(one)] as const)]}
          />
          <FilterChoice
            name="time"
            label={texts.time}
            value={period}
            choices={[['', texts.anyTime], ...periodNames.map((one) => [one, texts[one]] as const)]}
          />
          <RequesterChoice requester={requester} />
          <ObjectPicker name="agent" label={texts.agent} kind="AGENT" id={agent} />
          <ObjectPicker name="worktree" label={texts.worktree} kind="WORKTREE" id={worktree} />
          <ObjectPicker name="repository" label={texts.repository} kind="REPOSITORY" id={repository} />
          <PausedInput name="cli" label={texts.cli} value={cli} maxLength={100} />
        </div>
      </details>
    </search>
  )
}

function StatusChoice({ chosen }: { readonly chosen: RunFilters['statuses'] }) {
  const box = useRef<HTMLDetailsElement>(null)
  const names = chosen.length === 0 ? texts.any : listFormat.format(chosen.map(formatName))
  return (
    <details
      ref={box}
      class="status-choice"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || box.current === null) return
        box.current.open = false
        box.current.querySelector('summary')?.focus()
      }}
      onFocusOut={({ relatedTarget }) => {
        if (box.current && relatedTarget instanceof Node && !box.current.contains(relatedTarget))
          box.current.open = false
      }}
    >
      <summary>{format(texts.status, { names })}</summary>
      <fieldset aria-label={messages.parts.filters.status}>
        {runStatuses.map((status) => (
          <label key={status}>
            <input
              type="checkbox"
              checked={chosen.includes(status)}
              onChange={({ currentTarget: { checked } }) => {
                const others = chosen.filter((other) => other !== status)
                setFilters({ status: (checked ? [...others, status] : others).join(',') })
              }}
            />
            {formatName(status)}
          </label>
        ))}
      </fieldset>
    </details>
  )
}

function RequesterChoice({ requester }: { readonly requester: string }) {
  const { data } = useQuery(viewerQuery, {})
  const me = data?.viewer.userId
  const isOther = requester !== '' && requester !== me
  const choices: [string, string][] = [['', texts.anyone]]
  if (me !== undefined) choices.push([me, texts.me])
  if (isOther) choices.push([requester, texts.otherRequester])
  return <FilterChoice name="by" label={texts.requester} value={requester} choices={choices} />
}
