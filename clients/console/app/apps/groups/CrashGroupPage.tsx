/** The page of one group of crash reports: the calls that the reports have in common, the counts by day and by build, and the reports. */
import { formatPlaceFrame } from '../../../../../spec/apps/crashPlace.ts'
import { StateHistoryStrip } from '../../chart/StateHistoryStrip.tsx'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, formatNumber, messages } from '../../messages.ts'
import { Fact } from '../../parts/Fact.tsx'
import { ForeignText } from '../../parts/ForeignText.tsx'
import { formatName } from '../../parts/formatName.ts'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { showControls } from '../../parts/splitControls.ts'
import { type CrashGroup, groupQuery } from './crashGroup.ts'
import { GroupActions } from './GroupActions.tsx'
import { GroupBuilds } from './GroupBuilds.tsx'
import { GroupDays } from './GroupDays.tsx'
import { GroupReports } from './GroupReports.tsx'

const texts = messages.crashGroups

export function CrashGroupPage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(groupQuery, { id })
  useOnActorTransition(id, refresh)
  const group = data?.crashGroup
  return (
    <ObjectPage
      object={group}
      error={error}
      title={[group && showControls(group.title), group && formatName(group.status), texts.title]}
      notFoundMessage={format(texts.noSuchGroup, { id })}
      crumbs={
        <>
          <a href="/apps">{messages.apps.title}</a>
          {group && (
            <a href={`/apps/${group.app.id}`}>
              <ForeignText text={group.app.name} />
            </a>
          )}
        </>
      }
    >
      {(group) => <CrashGroupView group={group} />}
    </ObjectPage>
  )
}

function CrashGroupView({ group }: { readonly group: CrashGroup }) {
  const { id, status, title, exceptionType, frames, reportCount, firstCrashAt, lastCrashAt, days } = group
  return (
    <>
      <h1>
        <ForeignText text={title} />
      </h1>
      <p class="crash-reason">
        <ForeignText text={exceptionType} />
      </p>
      <StateHistoryStrip key={id} id={id} status={status} href={`/actors/${id}`} />
      <p>{texts.statusTexts[status]}</p>
      <GroupActions group={group} />
      <dl class="facts">
        <Fact name={texts.reports}>{formatNumber(reportCount)}</Fact>
        {firstCrashAt !== null && (
          <Fact name={texts.firstCrash}>
            <RelativeTime at={firstCrashAt} />
          </Fact>
        )}
        {lastCrashAt !== null && (
          <Fact name={texts.lastCrash}>
            <RelativeTime at={lastCrashAt} />
          </Fact>
        )}
      </dl>
      {frames.length > 1 && <Calls frames={frames} />}
      <section class="group-crashes" aria-labelledby="group-crashes">
        <h2 id="group-crashes">{texts.title}</h2>
        <GroupDays days={days} />
        <GroupBuilds id={id} />
      </section>
      <GroupReports id={id} />
    </>
  )
}

function Calls({ frames }: Pick<CrashGroup, 'frames'>) {
  return (
    <section aria-labelledby="group-calls">
      <h2 id="group-calls">{texts.calls}</h2>
      <ol class="group-calls">
        {frames.map((frame, index) => (
          <li key={index}>
            <code>
              <ForeignText text={formatPlaceFrame({ ...frame, image: frame.imageName })} isCode />
            </code>
            {frame.symbol !== null && frame.imageName !== null && (
              <span class="hint">
                <ForeignText text={frame.imageName} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
