/** One entry of a transcript. */
import { useMemo } from 'preact/hooks'
import { format, messages } from '../../messages.ts'
import { formatName } from '../../parts/formatName.ts'
import { Markdown } from './Markdown.tsx'
import { QuestionItem } from './QuestionItem.tsx'
import { ToolCallItem } from './ToolCallItem.tsx'
import type { PlanEntry, TranscriptEntry } from './transcriptEntries.ts'

const { transcript: texts } = messages.run

export function TranscriptItem({ entry }: { readonly entry: TranscriptEntry }) {
  // Preact skips an element that is the same object as before.
  return useMemo(
    () => (
      <li class="entry" data-type={entry.type}>
        {renderEntry(entry)}
      </li>
    ),
    [entry],
  )
}

function renderEntry(entry: TranscriptEntry) {
  switch (entry.type) {
    case 'MESSAGE':
      return <Markdown text={entry.text} />
    case 'THOUGHT':
      return (
        <details class="thought">
          <summary>{texts.thought}</summary>
          <Markdown text={entry.text} />
        </details>
      )
    case 'TOOL':
      return <ToolCallItem call={entry.call} />
    case 'PLAN':
      return <Plan plan={entry} />
    case 'QUESTION':
      return <QuestionItem entry={entry} />
    case 'OMITTED':
      return (
        <p class="hint">
          {entry.reason === 'TOO_LARGE' ? format(texts.tooLarge, { bytes: entry.bytes }) : texts.notText}
        </p>
      )
    case 'TURN_END':
      return <p class="hint">{describeEnd(entry.stopReason)}</p>
  }
}

/** The reasons are those of the Agent Client Protocol. */
function describeEnd(stopReason: string): string {
  const known: Readonly<Record<string, string>> = texts.stopReasons
  return known[stopReason] ?? format(texts.stopped, { reason: stopReason })
}

function Plan({ plan: { entries, omitted } }: { readonly plan: PlanEntry }) {
  return (
    <section class="plan" aria-label={texts.plan}>
      <p class="plan-title">{texts.plan}</p>
      <ul>
        {entries.map(({ content, status, priority }, index) => (
          <li key={index} data-status={status}>
            {content}{' '}
            <span class="hint">
              {[status && formatName(status), priority === 'HIGH' && texts.highPriority].filter(Boolean).join(', ')}
            </span>
          </li>
        ))}
      </ul>
      {omitted > 0 && <p class="hint">{format(texts.morePlanEntries, { count: omitted })}</p>}
    </section>
  )
}
