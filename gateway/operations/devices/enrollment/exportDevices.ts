/** Exports all devices in the format of the file for Apple's page "Register Multiple Devices". */

import { deviceEnrollmentRoutes } from '../../../../spec/devices/deviceEnrollmentRoutes.ts'
import type { RequestContext } from '../../requestContext.ts'
import { serve } from '../../restHandler.ts'
import { deviceType, enrolledDevices } from '../devices.ts'
import type { DeviceEnrollmentServices } from './services.ts'

const header = 'Device ID\tDevice Name\tDevice Platform\n'
const pageSize = 1_000

export const exportRoute = (services: DeviceEnrollmentServices) =>
  serve(deviceEnrollmentRoutes.exportDevices, async ({ request, principal }) => ({
    status: 200,
    headers: {
      'content-type': 'text/tab-separated-values; charset=utf-8',
      'content-disposition': 'attachment; filename="devices.tsv"',
    },
    body: header + (await loadLines(services.context(request, principal))).join(''),
  }))

async function loadLines(context: RequestContext<'views' | 'presence'>): Promise<string[]> {
  const found: string[] = []
  for (let after: { id: string } | undefined; ; ) {
    const page = await context.views.list({ ...enrolledDevices, limit: pageSize, ...(after && { after }) })
    for (const row of page) {
      const { udid, displayName, platform } = deviceType.fromRow(row, context)
      found.push(`${udid}\t${sanitizeName(displayName ?? '') || 'Device'}\t${platform === 'MAC' ? 'mac' : 'ios'}\n`)
    }
    after = page.at(-1)
    if (page.length < pageSize || after === undefined) return found
  }
}

/**
 * A name on one line and in one column. A device chooses its own name, and users open such files with spreadsheets. So characters
 * that would begin a formula are removed. They are not escaped, because Apple would keep the escape as part of the name.
 */
function sanitizeName(name: string): string {
  return name
    .replaceAll('"', "'")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/^[\s=+\-@＝＋－＠]+/u, '')
    .trim()
}
