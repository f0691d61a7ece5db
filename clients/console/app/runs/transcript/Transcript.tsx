/** The conversation of a run with its coding CLI, as it arrives. */
import { formatParts, messages } from '../../messages.ts'
import { Moment } from '../history/Moment.tsx'
import type { TimeCursor } from '../history/useTimeCursor.ts'
import { hasEnded, type RunDetails } from '../runDetails.ts'
import { EntryChunk } from './EntryChunk.tsx'
import type { TranscriptEntry } from './transcriptEntries.ts'
import { AnswererContext, useAnswerers } from './useAnswerers.ts'
import { useFollowEnd } from './useFollowEnd.ts'
import { useRunEvents } from './useRunEvents.ts'

const { transcript: texts } = messages.run

/** Entries that are on the page or off it together. */
const chunkSize = 50

interface TranscriptProps {
  readonly run: RunDetails
  readonly cursor: TimeCursor
}

export function Transcript({ run, cursor }: TranscriptProps) {
  return (
    <Moment runId={run.id} cursor={cursor}>
      {(until) => <Conversation run={run} until={until} />}
    </Moment>
  )
}

function Conversation({ run, until }: { readonly run: RunDetails; readonly until: number | undefined }) {
  const { entries, isBeginningDeleted } = useRunEvents(run.id, until)
  const { box, content, isFollowing, handleScroll, jumpToEnd } = useFollowEnd()
  const answerCount = entries.filter((entry) => entry.type === 'QUESTION' && entry.isAnswered).length
  const answerers = useAnswerers(run.id, answerCount)
  const chunks = Math.ceil(entries.length / chunkSize)
  return (
    <AnswererContext.Provider value={answerers}>
      <div class="transcript-frame">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
        <section ref={box} class="transcript" aria-label={texts.label} tabIndex={0} onScroll={handleScroll}>
          <div ref={content}>
            {isBeginningDeleted && <p class="hint">{entries.length === 0 ? texts.deleted : texts.beginningDeleted}</p>}
            {entries.length === 0 && !isBeginningDeleted && (
              <p class="hint">{hasEnded(run) ? texts.empty : texts.waiting}</p>
            )}
            {until === undefined && hasEnded(run) && isMute(entries) && (
              <p class="notice">
                {formatParts(texts.mute, { machine: <a href={`/machines/${run.agent.id}`}>{run.agent.name}</a> })}
              </p>
            )}
            {Array.from({ length: chunks }, (_, index) => (
              <EntryChunk
                key={index}
                entries={entries.slice(index * chunkSize, (index + 1) * chunkSize)}
                isLast={index === chunks - 1}
              />
            ))}
          </div>
        </section>
        {!isFollowing && (
          <button type="button" class="secondary jump" onClick={jumpToEnd}>
            {texts.jumpToLatest}
          </button>
        )}
      </div>
    </AnswererContext.Provider>
  )
}

/** Returns whether the coding CLI has ended without a message and without a tool call. Often it is not signed in then. */
function isMute(entries: readonly TranscriptEntry[]): boolean {
  return entries.length > 0 && entries.every(({ type }) => type === 'TURN_END')
}
