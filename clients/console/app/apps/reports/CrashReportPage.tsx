/** One crash report: the exception, the dSYMs that are missing, and the stack of each thread. */
import { StateHistoryStrip } from '../../chart/StateHistoryStrip.tsx'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, locale, messages } from '../../messages.ts'
import { Fact } from '../../parts/Fact.tsx'
import { ForeignText } from '../../parts/ForeignText.tsx'
import { formatBytes } from '../../parts/formatBytes.ts'
import { formatName } from '../../parts/formatName.ts'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { showControls } from '../../parts/splitControls.ts'
import { formatBuild } from '../app.ts'
import { type CrashReport, getSymbolState, reportQuery } from './crashReport.ts'
import { MissingDsyms } from './MissingDsyms.tsx'
import { ReportThreads } from './ReportThreads.tsx'

const texts = messages.crashReports
const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })

export function CrashReportPage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(reportQuery, { id })
  useOnActorTransition(id, refresh)
  const report = data?.crashReport
  return (
    <ObjectPage
      object={report}
      error={error}
      title={[report && showControls(report.exceptionType), report && formatName(report.status), texts.title]}
      notFoundMessage={format(texts.noSuchReport, { id })}
      crumbs={
        <>
          <a href="/apps">{messages.apps.title}</a>
          {report && (
            <a href={`/apps/${report.app.id}`}>
              <ForeignText text={report.app.name} />
            </a>
          )}
        </>
      }
    >
      {(report) => <CrashReportView report={report} />}
    </ObjectPage>
  )
}

function CrashReportView({ report }: { readonly report: CrashReport }) {
  const { id, status, exceptionType, exceptionReason, missingImageCount, problem } = report
  const symbolState = getSymbolState(report)
  return (
    <>
      <h1>
        <ForeignText text={exceptionType} />
      </h1>
      {exceptionReason !== null && (
        <p class="crash-reason">
          <ForeignText text={exceptionReason} />
        </p>
      )}
      <StateHistoryStrip key={id} id={id} status={status} href={`/actors/${id}`} />
      <p>{texts.statusTexts[status]}</p>
      {problem !== null && (
        <p class="message">
          <ForeignText text={problem.message} />
        </p>
      )}
      <CrashFacts report={report} />
      {missingImageCount > 0 && <MissingDsyms id={id} count={missingImageCount} symbolState={symbolState} />}
      <ReportThreads id={id} symbolState={symbolState} />
    </>
  )
}

function CrashFacts({ report }: { readonly report: CrashReport }) {
  const { id, app, group, version, build, osName, osVersion, deviceModel, happenedAt, createdAt, rawReport } = report
  const ofBuild = new URLSearchParams({ version, build })
  return (
    <dl class="facts">
      <Fact name={messages.apps.app}>
        <a href={`/apps/${app.id}`}>
          <ForeignText text={app.name} />
        </a>
      </Fact>
      {group !== null && (
        <Fact name={messages.crashGroups.crash}>
          <a href={`/crash-groups/${group.id}`}>
            <ForeignText text={group.title} />
          </a>
        </Fact>
      )}
      <Fact name={messages.apps.build}>
        <a href={`/apps/${app.id}/reports?${ofBuild}`}>
          <ForeignText text={formatBuild(report)} />
        </a>
      </Fact>
      <Fact name={texts.system}>
        <ForeignText text={`${osName} ${osVersion}`} />
      </Fact>
      {deviceModel !== null && (
        <Fact name={texts.device}>
          <ForeignText text={deviceModel} />
        </Fact>
      )}
      <Fact name={texts.crashed}>
        <RelativeTime at={happenedAt} />
      </Fact>
      <Fact name={texts.received}>
        <RelativeTime at={createdAt} />
      </Fact>
      <Fact name={texts.frames}>
        {format(texts.named, { named: report.namedFrameCount, total: report.frameCount })}
      </Fact>
      <Fact name={texts.reportId}>
        <code class="uuid">{report.reportId}</code>
      </Fact>
      {rawReport !== null && (
        <Fact name={texts.file.title}>
          <a href={`/api/crash-reports/${id}/raw`} download={rawReport.name}>
            {texts.file.download}
          </a>{' '}
          <span class="hint">
            {format(texts.file.facts, {
              size: formatBytes(rawReport.size),
              date: dateFormat.format(Date.parse(rawReport.expiresAt)),
            })}
          </span>
        </Fact>
      )}
    </dl>
  )
}
