/**
 * All texts that people read in their own language. Each language has one file, and the compiler reports a text that is missing there.
 * Names in braces are replaced by values (`format.ts`). Texts are written so that they need no plural forms.
 */
import type { News, NewsReason } from '../devices/news.ts'
import type { PlainColumn } from '../telemetry/columns.ts'
import type { TelemetryKind } from '../telemetry/record.ts'
import type { ProblemName } from './problems.ts'

export interface Messages {
  readonly pages: PageMessages
  readonly news: NewsMessages
  readonly enrollment: EnrollmentMessages
  readonly telemetryExport: ExportMessages
}

/** The pages for signing in and registering, and the pages of errors. */
export interface PageMessages {
  readonly languages: string
  readonly tagline: string
  readonly signIn: {
    readonly title: string
    readonly lead: string
    readonly submit: string
    readonly busy: string
    readonly toRegister: string
    readonly closed: string
  }
  readonly register: {
    readonly title: string
    readonly firstTitle: string
    readonly lead: string
    readonly firstLead: string
    readonly submit: string
    readonly busy: string
    readonly toSignIn: string
    readonly closedTitle: string
    readonly closedLead: string
  }
  /** `{provider}`: its name. */
  readonly provider: { readonly signIn: string; readonly register: string; readonly busy: string; readonly or: string }
  readonly fields: {
    readonly name: string
    readonly email: string
    readonly password: string
    readonly newPassword: string
    readonly passwordRule: string
    readonly show: string
    readonly hide: string
  }
  /** The problem, and what to do about it. `{when}`: a time from now. `{length}`: a number. `{requestId}`. */
  readonly problems: Readonly<Record<ProblemName, string>>
  /** Titles of the pages that show only a problem. */
  readonly problemPages: Readonly<Record<'notFound' | 'notNow' | 'failed', string>>
  readonly toHome: string
  /** The page that installs an app. `{version}`: its version. */
  readonly install: {
    readonly version: string
    readonly submit: string
    readonly iosHint: string
    readonly androidHint: string
  }
  readonly noScript: string
  /** `{requestId}`. */
  readonly requestId: string
}

export type NewsRunKind = NonNullable<News['run']>['kind']
export type NewsRunEnd = 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'TIMED_OUT' | 'LOST' | 'SKIPPED'
export type NewsPlanEnd = 'COMPLETED' | 'FAILED'
export type NewsBuildEnd = Exclude<NewsRunEnd, 'SKIPPED'>

/** The titles of push notifications. `{run}`: the run's name in the language. `{name}`: the name of the object. */
export interface NewsMessages {
  /** `{number}`: the number of the run. */
  readonly run: Readonly<Record<NewsRunKind, string>>
  readonly runEnded: Readonly<Record<NewsRunEnd, string>>
  readonly planEnded: Readonly<Record<NewsPlanEnd, string>>
  /** For deployments too. */
  readonly buildEnded: Readonly<Record<NewsBuildEnd, string>>
  readonly incidentIn: string
  readonly titles: Readonly<
    Record<
      Exclude<NewsReason, 'RUN_ENDED' | 'PLAN_ENDED' | 'BUILD_ENDED' | 'DEPLOYMENT_ENDED' | 'ACTION_NEEDED'>,
      string
    >
  >
  readonly lostAtWork: string
}

/** The profile that enrolls a device, and the page that the device opens afterwards. */
export interface EnrollmentMessages {
  readonly profileName: string
  readonly profileDescription: string
  readonly doneTitle: string
  readonly doneText: string
}

/** The parts of an export of telemetry beside the records. `{count}`, `{page}` and `{pages}`: numbers in the form of the language. */
export interface ExportMessages {
  readonly titles: Readonly<Record<TelemetryKind, string>>
  readonly columns: Readonly<Record<PlainColumn, string>>
  readonly made: string
  readonly from: string
  readonly to: string
  readonly text: string
  readonly none: string
  readonly records: string
  readonly cut: string
  readonly page: string
  /** For a PDF if some characters have no glyph. `{sign}`: the sign in their place. */
  readonly replaced: string
}
