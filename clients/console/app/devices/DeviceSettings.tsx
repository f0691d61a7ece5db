/** The user's devices that receive notifications, and the devices on which builds can be tested. */
import { EnrolledDevices } from './EnrolledDevices.tsx'
import { NotificationDevices } from './NotificationDevices.tsx'

export function DeviceSettings() {
  return (
    <>
      <NotificationDevices />
      <EnrolledDevices />
    </>
  )
}
