/** Devices: what has told its UDID by an enrolment, so that builds may be signed for it. */
import * as v from 'valibot'
import { connectionOf, pageArguments, pageOfRows } from './connections.ts'
import { oneById } from './oneById.ts'
import { mutation, type ObjectType, query } from './operation.ts'
import { oneMessage } from './replies.ts'
import { contextOf, requireRow } from './rows.ts'
import { dateTime, id, idOf, named, text, toDateTime } from './types.ts'

/** What a person calls a device: one line. */
export const deviceName = v.pipe(
  text({ min: 1, max: 100 }),
  v.check((name) => !/[\t\r\n]/.test(name), 'must be one line'),
)

const status = named('DeviceStatus', 'How a device stands.', v.picklist(['EXPECTED', 'ENROLLED', 'REMOVED']))

const platform = named(
  'DevicePlatform',
  'As Apple’s lists of devices call it; an iPad, an Apple Watch, an Apple TV and a Vision Pro are `IOS` too.',
  v.picklist(['IOS', 'MAC']),
)

const text_ = v.nullable(v.string())

export const deviceSchema = named(
  'Device',
  'An iPhone, iPad or Mac that has told its UDID. Once it is removed, nothing is known of it but that there was one.',
  v.object({
    id,
    status,
    displayName: text_,
    udid: text_,
    serial: text_,
    product: v.pipe(text_, v.description('Apple’s name of the model: `iPhone15,2`.')),
    platform,
    osVersion: v.pipe(text_, v.description('The build that it ran when it enrolled, as it says it: `22F76`.')),
    enrolledAt: v.nullable(dateTime),
    enrolledBy: v.pipe(v.nullable(id), v.description('The user who began the enrolment.')),
    enrollmentId: v.nullable(id),
  }),
)

/** What the device’s machine keeps of an enrolled one. */
interface Known {
  readonly identifiers: { readonly udid: string; readonly serial: string | null } | null
  readonly model: { readonly product: string | null; readonly osVersion: string | null } | null
  readonly displayName: string | null
  readonly enrollment: { readonly id: string; readonly at: number; readonly by: string } | null
}

export const deviceType: ObjectType<typeof deviceSchema> = {
  name: 'Device',
  kind: 'device',
  schema: deviceSchema,
  relations: {},
  fromRow: (row) => {
    const { identifiers, model, displayName, enrollment } = contextOf<Known>(row)
    return {
      id: row.id,
      status: row.columns.status as v.InferOutput<typeof status>,
      displayName,
      udid: identifiers?.udid ?? null,
      serial: identifiers?.serial ?? null,
      product: model?.product ?? null,
      platform: platformOf(model?.product ?? null),
      osVersion: model?.osVersion ?? null,
      enrolledAt: enrollment && toDateTime(enrollment.at),
      enrolledBy: enrollment?.by ?? null,
      enrollmentId: enrollment?.id ?? null,
    }
  },
}

/** @param product Apple’s name of the model: `MacBookPro18,3`, `Mac14,2`, `iMac21,1` */
export function platformOf(product: string | null): v.InferOutput<typeof platform> {
  return product !== null && /^i?Mac/.test(product) ? 'MAC' : 'IOS'
}

/** Those that are enrolled: the others have nothing to show. */
export const enrolledDevices = { kind: 'device', statuses: ['ENROLLED'] } as const

const devices = query({
  name: 'devices',
  description: 'The enrolled devices, those that were known last first.',
  access: 'people',
  tool: {
    group: 'devices',
    name: 'get_devices',
    title: 'List devices',
    description:
      'Lists the enrolled iPhones, iPads and Macs on which builds may be tested, newest first: name, UDID, model, system.',
  },
  input: v.object(pageArguments),
  output: connectionOf('Device', deviceSchema),
  read: async (page, context) =>
    await pageOfRows(context.views, enrolledDevices, page, (row) => deviceType.fromRow(row, context)),
})

const device = oneById(deviceType, {
  group: 'devices',
  name: 'get_device',
  title: 'Get a device',
  description: 'One test device: name, UDID, serial number, model, system, and the enrolment by which it came.',
})

const payload = (typeName: string) =>
  named(typeName, 'The device after the change.', v.object({ device: deviceSchema }))

const renameDevice = mutation({
  name: 'renameDevice',
  description: 'Gives an enrolled device another name. It keeps it when it enrols anew without one.',
  access: 'people',
  tool: { group: 'devices', title: 'Rename a device', idempotent: true },
  input: v.object({ deviceId: idOf('device'), displayName: deviceName }),
  output: payload('RenameDevicePayload'),
  translate: async ({ deviceId, displayName }, context) => {
    await requireRow(context.views, 'device', deviceId)
    return oneMessage({ to: { kind: 'device', id: deviceId }, event: { type: 'rename', displayName } }, (row) => ({
      device: deviceType.fromRow(row, context),
    }))
  },
})

const removeDevice = mutation({
  name: 'removeDevice',
  description: 'Forgets a device: its name, UDID, serial number and model. It may enrol again.',
  access: 'people',
  tool: { group: 'devices', title: 'Remove a device', destroys: true, idempotent: true },
  input: v.object({ deviceId: idOf('device') }),
  output: payload('RemoveDevicePayload'),
  translate: async ({ deviceId }, context) => {
    await requireRow(context.views, 'device', deviceId)
    return oneMessage({ to: { kind: 'device', id: deviceId }, event: { type: 'remove' } }, (row) => ({
      device: deviceType.fromRow(row, context),
    }))
  },
})

export const deviceOperations = [devices, device, renameDevice, removeDevice]
