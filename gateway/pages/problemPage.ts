/** Shows a refusal as a page, for people who open it in a browser. */
import type { Failure } from '../../spec/core/failure.ts'
import type { PageSetting, Site } from '../../spec/pages/site.ts'
import { restRefusal, retryHeaders, statusOf } from '../http/failures.ts'
import { browsersOwn } from '../http/pageSetting.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Answer, Route } from '../http/route.ts'
import { pageAnswer } from './pageAnswer.ts'

/** Browsers accept `text/html` when they open a page. Programs that accept anything get no page. */
function wantsPage({ method, headers }: Pick<HttpRequest, 'method' | 'headers'>): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.get('accept')?.includes('text/html') === true
}

function problemPage(failure: Failure, request: HttpRequest, site: Site, setting: PageSetting): Answer {
  const status = statusOf(failure)
  const { requestId } = request
  const body = site.render({ ...setting, page: 'problem', code: reasonOf(failure), status, requestId })
  const answer = pageAnswer(status, body, setting)
  return { ...answer, headers: { ...answer.headers, ...retryHeaders(failure) } }
}

function reasonOf({ code, details }: Failure): string {
  return typeof details?.reason === 'string' ? details.reason : code
}

/** Builds the main listener's refusals of paths without a route. Paths below these prefixes are for programs, whatever they accept. */
export function refusalOf(site: Site | undefined): (failure: Failure, request: HttpRequest) => Answer {
  return (failure, request) => {
    const forPeople = !/^\/(api|graphql|assets)(\/|$)/.test(request.path)
    const known = site !== undefined && failure.code === 'NOT_FOUND' && forPeople && wantsPage(request)
    return known ? problemPage(failure, request, site, browsersOwn(request)) : restRefusal(failure, request)
  }
}

/** A route that a redirect opens in a browser. Browsers get its refusals as pages. Programs get the same response as before. */
export function readable(
  route: Route,
  site: Site | undefined,
  settingOf: (request: HttpRequest) => PageSetting = browsersOwn,
): Route {
  if (site === undefined) return route
  const { refuse = restRefusal } = route
  return {
    ...route,
    refuse: (failure, request) =>
      wantsPage(request) ? problemPage(failure, request, site, settingOf(request)) : refuse(failure, request),
  }
}
