/** Devices that have reported their UDID in an enrollment, so that builds can be signed for them. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { dateTime, id, idOf, named, text } from '../core/types.ts'

/** The name that a user gives a device: one line. */
export const deviceName = v.pipe(
  text({ min: 1, max: 100 }),
  v.check((name) => !/[\t\r\n]/.test(name), 'must be one line'),
)

export const status = named('DeviceStatus', 'How a device stands.', v.picklist(['EXPECTED', 'ENROLLED', 'REMOVED']))

export const platform = named(
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
    enrolledById: v.pipe(v.nullable(id), v.description('The user who began the enrolment.')),
    enrollmentId: v.nullable(id),
    revision: v.pipe(
      revision,
      v.description('Counts the changes of its name, from 1. Give it back as `expectedRevision`.'),
    ),
  }),
)

export const devices = query({
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
  input: v.object({ ...pageArguments, orderBy: orderByOf('Device', ['CREATED_AT']) }),
  output: connectionOf('Device', deviceSchema),
})

export const device = query({
  ...oneById('device', deviceSchema),
  tool: {
    group: 'devices',
    name: 'get_device',
    title: 'Get a device',
    description: 'One test device: name, UDID, serial number, model, system, and the enrolment by which it came.',
  },
})

const payload = (typeName: string) =>
  named(typeName, 'The device after the change.', v.object({ device: deviceSchema }))

export const renameDevice = mutation({
  name: 'renameDevice',
  description: 'Gives an enrolled device another name. It keeps it when it enrols anew without one.',
  access: 'people',
  tool: { group: 'devices', title: 'Rename a device', idempotent: true },
  input: v.object({ deviceId: idOf('device'), displayName: deviceName, expectedRevision }),
  output: payload('RenameDevicePayload'),
})

export const removeDevice = mutation({
  name: 'removeDevice',
  description: 'Forgets a device: its name, UDID, serial number and model. It may enrol again.',
  access: 'people',
  tool: { group: 'devices', title: 'Remove a device', destroys: true, idempotent: true },
  input: v.object({ deviceId: idOf('device'), expectedRevision }),
  output: payload('RemoveDevicePayload'),
})
