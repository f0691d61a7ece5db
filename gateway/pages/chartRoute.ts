/** Serves the layouts of statecharts to the console. */
import { createHash } from 'node:crypto'
import { Failure } from '../../spec/core/failure.ts'
import { actorKinds, kindName } from '../../spec/core/kinds.ts'
import { chartForms, chartPathTemplate } from '../../spec/pages/chartPath.ts'
import { locales } from '../../spec/pages/locales.ts'
import type { Site } from '../../spec/pages/site.ts'
import type { Route } from '../http/route.ts'
import type { GatewayOptions } from '../options.ts'
import { assetAnswer } from './assetAnswer.ts'

export function chartRoute(site: Site, { views }: Pick<GatewayOptions, 'views'>): Route {
  return {
    method: 'GET',
    path: chartPathTemplate,
    access: 'sessions',
    handle: async ({ request, params }) => {
      const locale = locales.find((one) => one === params.locale)
      const form = chartForms.find((one) => one === params.form)
      const kind = actorKinds.find((one) => kindName(one) === params.kind)
      const definitions = kind === undefined ? [] : await views.definitions(kind)
      const machine = definitions.find(({ hash }) => hash === params.hash)
      if (locale === undefined || form === undefined || kind === undefined || machine === undefined)
        throw new Failure('NOT_FOUND', `There is no chart at ${request.path}.`)
      const { hash, definition } = machine
      const layout = await site.findChartLayout({ locale, form, kind: kindName(kind), hash }, definition)
      // Another version of the server may lay out the same definition differently, so the browser asks each time.
      return await assetAnswer(request, layout, hashOf(layout.bytes), 'private, no-cache')
    },
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
}
