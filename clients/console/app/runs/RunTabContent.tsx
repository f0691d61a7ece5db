/** The content of the open tab of a run's page. */
import { messages } from '../messages.ts'
import { ChangesTab } from './changes/ChangesTab.tsx'
import { Moment } from './history/Moment.tsx'
import { RunHistory } from './history/RunHistory.tsx'
import type { TimeCursor } from './history/useTimeCursor.ts'
import { LogView } from './log/LogView.tsx'
import { hasEnded, type RunDetails } from './runDetails.ts'
import type { RunTab } from './runTabs.ts'
import { RunSteps } from './steps/RunSteps.tsx'
import { TimelineTab } from './timeline/TimelineTab.tsx'
import { Transcript } from './transcript/Transcript.tsx'

interface RunTabContentProps {
  readonly tab: RunTab
  readonly run: RunDetails
  readonly cursor: TimeCursor
}

export function RunTabContent({ tab, run, cursor }: RunTabContentProps) {
  switch (tab) {
    case 'transcript':
      return <Transcript run={run} cursor={cursor} />
    case 'steps':
      return <RunSteps runId={run.id} status={run.status} />
    case 'changes':
      return <ChangesTab run={run} cursor={cursor} />
    case 'log':
      return run.jobId === null ? (
        <p class="hint">{messages.run.log.notStarted}</p>
      ) : (
        <LogAtMoment runId={run.id} jobId={run.jobId} cursor={cursor} />
      )
    case 'timeline':
      return <TimelineTab run={run} />
    case 'statechart':
    case 'history':
      return <RunHistory id={run.id} title={run.title} hasEnded={hasEnded(run)} tab={tab} cursor={cursor} />
  }
}

interface LogAtMomentProps extends Pick<RunTabContentProps, 'cursor'> {
  readonly runId: string
  readonly jobId: string
}

function LogAtMoment({ runId, jobId, cursor }: LogAtMomentProps) {
  return (
    <Moment runId={runId} cursor={cursor}>
      {(until) => <LogView key={jobId} jobId={jobId} at={until} />}
    </Moment>
  )
}
