/** The enrolled devices and the devices that receive notifications, as the API has them. */
import type * as v from 'valibot'
import type { deviceEnrollmentRoutes } from '../../../../spec/devices/deviceEnrollmentRoutes.ts'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { requestRest } from '../data/requestRest.ts'

export const devicesQuery = graphql(`query ($after: String) {
  devices(first: 20, after: $after) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { id displayName udid serial product platform osVersion enrolledAt enrolledBy { name } revision }
  }
}`)
export const renameMutation = graphql(
  'mutation ($input: RenameDeviceInput!) { renameDevice(input: $input) { device { id } } }',
)
export const removeMutation = graphql(
  'mutation ($input: RemoveDeviceInput!) { removeDevice(input: $input) { device { id } } }',
)
export const enrollmentQuery = graphql(`query ($id: ID!) {
  deviceEnrollment(id: $id) { status problem device { displayName } }
}`)
export const notificationDevicesQuery = graphql(`{
  notificationDevices { id status reason displayName environment topic deviceModel osVersion appVersion appBuild lastRegisteredAt }
}`)
export const removeNotificationDeviceMutation = graphql(
  'mutation ($input: RemoveNotificationDeviceInput!) { removeNotificationDevice(input: $input) { device { id } } }',
)
/** Whether the server has the key with which it sends to Apple. */
export const pushSettingQuery = graphql('{ installationStatus { settings { name set } } }')

export type EnrolledDevice = ResultOf<typeof devicesQuery>['devices']['nodes'][number]
export type NotificationDevice = ResultOf<typeof notificationDevicesQuery>['notificationDevices'][number]

type StartedEnrollment = v.InferInput<(typeof deviceEnrollmentRoutes)['startDeviceEnrollment']['answers'][201]['body']>

/** Begins the enrollment of one device. The response has its link, which is shown once. @throws ApiError */
export async function startEnrollment(displayName: string | null): Promise<StartedEnrollment> {
  return await requestRest('/api/ios/enrollment/start', { method: 'POST', body: JSON.stringify({ displayName }) })
}
