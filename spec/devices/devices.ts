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

export const deviceStatus = named(
  'DeviceStatus',
  'The status of a device.',
  v.picklist(['EXPECTED', 'ENROLLED', 'REMOVED']),
)

export const platform = named(
  'DevicePlatform',
  'The platform in Apple’s lists of devices. iPad, Apple Watch, Apple TV and Vision Pro are also `IOS`.',
  v.picklist(['IOS', 'MAC']),
)

const text_ = v.nullable(v.string())

export const deviceSchema = named(
  'Device',
  'An enrolled iPhone, iPad or Mac. Its data is deleted when it is removed.',
  v.object({
    id,
    status: deviceStatus,
    displayName: text_,
    udid: text_,
    serial: text_,
    product: v.pipe(text_, v.description('Apple’s name of the model, for example `iPhone15,2`.')),
    platform,
    osVersion: v.pipe(
      text_,
      v.description(
        'The build of the operating system at the enrollment, as the device reported it, for example `22F76`.',
      ),
    ),
    enrolledAt: v.nullable(dateTime),
    enrolledById: v.pipe(v.nullable(id), v.description('The ID of the user who began the enrollment.')),
    enrollmentId: v.nullable(id),
    revision: v.pipe(
      revision,
      v.description('The number of changes of the device’s name, from 1. Pass it as `expectedRevision`.'),
    ),
  }),
)

export const devices = query({
  name: 'devices',
  description: 'Returns the enrolled devices, newest first.',
  access: 'people',
  tool: {
    group: 'devices',
    name: 'get_devices',
    title: 'List devices',
    description:
      'Lists the enrolled iPhones, iPads and Macs on which builds can be tested, newest first: name, UDID, model, system.',
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
    description: 'Returns one test device: name, UDID, serial number, model, system, and its enrollment.',
  },
})

const payload = (typeName: string) =>
  named(typeName, 'The device after the change.', v.object({ device: deviceSchema }))

export const renameDevice = mutation({
  name: 'renameDevice',
  description: 'Renames an enrolled device. The device keeps the name if it enrolls again without one.',
  access: 'people',
  tool: { group: 'devices', title: 'Rename a device', idempotent: true },
  input: v.object({ deviceId: idOf('device'), displayName: deviceName, expectedRevision }),
  output: payload('RenameDevicePayload'),
})

export const removeDevice = mutation({
  name: 'removeDevice',
  description: 'Removes a device and deletes its name, UDID, serial number and model. The device can enroll again.',
  access: 'people',
  tool: { group: 'devices', title: 'Remove a device', destroys: true, idempotent: true },
  input: v.object({ deviceId: idOf('device'), expectedRevision }),
  output: payload('RemoveDevicePayload'),
})
