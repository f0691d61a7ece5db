/** The workplace of one run: its task, its conversation and its output, and beside them its state and its actions. */
import { listRunStates } from '../chart/passedStates.ts'
import { StateHistoryStrip } from '../chart/StateHistoryStrip.tsx'
import { useLiveObjects } from '../data/useLiveObjects.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { formatKind, formatName } from '../parts/formatName.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { isNotFound, NotFound } from '../parts/notices/NotFound.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { usePageStatus } from '../parts/usePageStatus.ts'
import { FollowUpComposer } from './compose/FollowUpComposer.tsx'
import { useTimeCursor } from './history/useTimeCursor.ts'
import { RunPanel } from './panel/RunPanel.tsx'
import { QuestionForm } from './QuestionForm.tsx'
import { RunTabContent } from './RunTabContent.tsx'
import { hasEnded, inputQuery, type RunDetails, type RunInput, runSubscription } from './runDetails.ts'
import { listTabs } from './runTabs.ts'

const { page: texts } = messages.run

/** @param tab the name of the open tab in the address. Empty for the first one */
export function RunPage({ id, tab }: { readonly id: string; readonly tab: string }) {
  const { objects, error } = useLiveObjects(runSubscription, 'runStatusChanged', { runId: id })
  const { data, error: inputError } = useQuery(inputQuery, { id })
  const run = objects.get(id)
  const input = data?.run
  const isMissing = run === undefined && (isNotFound(error) || input === null)
  useDocumentTitle(isMissing ? undefined : [run?.title, run && formatName(run.status), messages.shell.views.runs])
  usePageStatus(run?.status)
  if (isMissing) return <NotFound message={format(texts.notFound, { id })} />
  const shownError = error ?? inputError
  return (
    <section class="run-page">
      <p class="crumbs">
        <a href="/runs">{messages.shell.views.runs}</a>
        {run && (
          <span>
            {formatKind(run.kind)} {run.displayNumber}
          </span>
        )}
      </p>
      {shownError && <ErrorMessage error={shownError} retriesAutomatically />}
      {run && input ? <RunWorkplace run={run} input={input} tab={tab} /> : !shownError && <Loading />}
    </section>
  )
}

interface RunWorkplaceProps {
  readonly run: RunDetails
  readonly input: RunInput
  readonly tab: string
}

function RunWorkplace({ run, input, tab }: RunWorkplaceProps) {
  const tabs = listTabs(input)
  const openTab = tabs.find((name) => name === tab) ?? tabs[0]
  const cursor = useTimeCursor()
  return (
    <>
      <h1>{run.title}</h1>
      <StateHistoryStrip
        key={run.id}
        id={run.id}
        status={run.status}
        href={`/runs/${run.id}/statechart`}
        knownStates={listRunStates(run)}
      />
      <div class="run-columns">
        <div class="run-work">
          {run.status === 'WAITING_FOR_INPUT' && run.questionId && run.question && (
            <QuestionForm key={run.questionId} runId={run.id} questionId={run.questionId} question={run.question} />
          )}
          <Task task={input.task} />
          <Tabs
            label={texts.tabsLabel}
            tabs={tabs.map((name) => ({
              href: cursor.addTo(`/runs/${run.id}/${name}`),
              name: texts.tabs[name],
              current: name === openTab,
            }))}
          />
          <div class="run-tab" data-tab={openTab}>
            <RunTabContent key={openTab} tab={openTab} run={run} cursor={cursor} />
          </div>
          {input.task?.prompt && (
            <FollowUpComposer
              runId={run.id}
              sessionId={'session' in run ? run.session?.id : undefined}
              hasEnded={hasEnded(run)}
            />
          )}
        </div>
        <RunPanel run={run} input={input} />
      </div>
    </>
  )
}

function Task({ task }: Pick<RunInput, 'task'>) {
  if (task === null) return null
  return (
    <section class="run-input" aria-label={texts.task}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <pre class={task.command === null ? 'run-task' : 'run-task code'} tabIndex={0}>
        {task.prompt ?? task.command}
      </pre>
    </section>
  )
}
