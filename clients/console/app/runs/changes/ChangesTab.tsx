/** The changes of a run in its worktree. Until its end, and at an earlier moment, these are the changes that its tool calls reported. */
import { useQuery } from '../../data/useQuery.ts'
import { messages } from '../../messages.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { Moment } from '../history/Moment.tsx'
import type { TimeCursor } from '../history/useTimeCursor.ts'
import { parseDiffs } from '../parsePermission.ts'
import { hasEnded, type RunDetails } from '../runDetails.ts'
import { DiffBlock } from '../ToolBlocks.tsx'
import { useRunEvents } from '../transcript/useRunEvents.ts'
import { ChangedFiles } from './ChangedFiles.tsx'
import { changesQuery } from './changesQuery.ts'

const { changes: texts } = messages.run

interface ChangesTabProps {
  readonly run: RunDetails
  readonly cursor: TimeCursor
}

export function ChangesTab({ run, cursor }: ChangesTabProps) {
  if (hasEnded(run) && cursor.at === undefined) return <FinalChanges run={run} />
  return (
    <Moment runId={run.id} cursor={cursor}>
      {(until) => <ReportedChanges run={run} until={until} />}
    </Moment>
  )
}

function FinalChanges({ run }: { readonly run: RunDetails }) {
  const { data, error } = useQuery(changesQuery, { id: run.id })
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  if (data === undefined) return <Loading />
  if (data.runChanges === null) return <p class="hint">{texts.notRecorded}</p>
  return <ChangedFiles changes={data.runChanges} worktree={run.worktree} />
}

/** The changes of files in tool calls, in their order. */
function ReportedChanges({ run, until }: { readonly run: RunDetails; readonly until: number | undefined }) {
  const { entries } = useRunEvents(run.id, until)
  const diffs = entries.flatMap((entry) => (entry.type === 'TOOL' ? parseDiffs(entry.call.content) : []))
  return (
    <div class="permission">
      <p class="hint">{texts.reported}</p>
      {diffs.length === 0 && <p>{texts.noneReported}</p>}
      {diffs.map((diff, index) => (
        <DiffBlock key={index} diff={diff} />
      ))}
    </div>
  )
}
