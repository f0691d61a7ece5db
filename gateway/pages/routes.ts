/** The pages of the site: sign-in, registration, and the console for signed-in users, with the files that they load. */
import { type Locale, locales } from '../../spec/pages/locales.ts'
import { consolePaths, type PageName, pagePaths, pathOf, withTarget } from '../../spec/pages/pagePaths.ts'
import { readPreferences } from '../../spec/pages/preferences.ts'
import type { PageSetting, Site, View } from '../../spec/pages/site.ts'
import { browsersOwn } from '../http/pageSetting.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Answer, Route, RouteCall } from '../http/route.ts'
import { readRegistration } from '../operations/accounts/registration.ts'
import type { GatewayOptions } from '../options.ts'
import { assetRoute } from './assetRoute.ts'
import { createChartPreparation } from './chartPreparation.ts'
import { chartRoute } from './chartRoute.ts'
import { pageAnswer, redirect, talksToWindows } from './pageAnswer.ts'
import { readable } from './problemPage.ts'
import { localTarget } from './target.ts'

interface PageParts {
  readonly site: Site
  readonly options: GatewayOptions
  readonly prepareCharts: (locale: Locale) => void
}

interface PageCall extends RouteCall, Omit<PageParts, 'prepareCharts'> {
  readonly setting: PageSetting
}

type Page = (call: PageCall) => Promise<Answer>

const pages: Readonly<Record<PageName, Page>> = {
  home: console,
  signIn: (call) => gate('signIn', call),
  register: (call) => gate('register', call),
}

export function pageRoutes(options: GatewayOptions): readonly Route[] {
  const { site } = options
  if (site === undefined) return []
  const parts: PageParts = { site, options, prepareCharts: createChartPreparation(site, options) }
  const names = Object.keys(pages) as readonly PageName[]
  const inPath = names.flatMap((name) => locales.map((locale) => pageRoute(name, { locale, localized: true }, parts)))
  const views = consolePaths.map((path): Route => consoleRoute(path, parts))
  const files = [assetRoute(site), chartRoute(site, options)]
  return [...names.map((name) => pageRoute(name, undefined, parts)), ...inPath, ...views, ...files]
}

/** @param fixed set if the path contains the language. Otherwise the browser's language is used. */
function pageRoute(name: PageName, fixed: PageSetting | undefined, parts: PageParts): Route {
  const settingOf = ({ headers }: HttpRequest): PageSetting =>
    fixed === undefined ? browsersOwn({ headers }) : { ...fixed, theme: readPreferences(headers.get('cookie')).theme }
  const route: Route = {
    method: 'GET',
    path: fixed === undefined ? pagePaths[name] : pathOf(name, fixed),
    access: 'visitors',
    deadCookie: 'absent',
    handle: (call) => show(pages[name], call, settingOf(call.request), parts),
  }
  return readable(route, parts.site, settingOf)
}

function consoleRoute(path: string, parts: PageParts): Route {
  const route: Route = {
    method: 'GET',
    path,
    access: 'visitors',
    deadCookie: 'absent',
    handle: (call) => show(console, call, browsersOwn(call.request), parts),
  }
  return readable(route, parts.site)
}

function show(page: Page, call: RouteCall, setting: PageSetting, parts: PageParts): Promise<Answer> {
  parts.prepareCharts(setting.locale)
  return page({ ...call, ...parts, setting })
}

/** All views share one page. Its script renders the view of the address. */
async function console({ request, principal, setting, site, options }: PageCall): Promise<Answer> {
  const user = principal.kind === 'user' ? await options.views.get('user', principal.userId) : undefined
  if (user === undefined) {
    const target = request.path === pathOf('home', setting) ? undefined : localTarget(request.path)
    return redirect(withTarget(pathOf('signIn', setting), target), setting)
  }
  const { context, init } = user
  const who = { name: context.name, email: init.email }
  const view: View = { ...setting, page: 'console', ...who, sandbox: options.settings.graphqlSandbox }
  const answer = pageAnswer(200, site.render(view), setting)
  return { ...answer, headers: { ...answer.headers, ...talksToWindows } }
}

async function gate(page: 'signIn' | 'register', call: PageCall): Promise<Answer> {
  const { request, principal, setting, site, options } = call
  const query = new URLSearchParams(request.query)
  const target = localTarget(query.get('redirect'))
  if (principal.kind === 'user') return redirect(target ?? pathOf('home', setting), setting)
  const { open, first } = await readRegistration(options.views)
  const problem = query.get('error') ?? undefined
  if (page === 'signIn' && first && problem === undefined)
    return redirect(withTarget(pathOf('register', setting), target), setting)
  const { authMode, identityProvider: provider } = options.settings
  const ways = {
    password: authMode !== 'oidc',
    ...(authMode !== 'password' && provider ? { provider: { id: provider.id, name: provider.name } } : {}),
  }
  const view: View = { ...setting, page, ways, registrationOpen: open, first, target, problem }
  return pageAnswer(200, site.render(view), setting)
}
