/** The effects that machines may request, and the handler of each. The runtime itself handles `tell`. */
import type { EffectHandler } from '../outbox/dispatcher.ts'
import { type EndStreamPorts, endStream } from './endStream.ts'
import { type FindDeadlockPorts, findDeadlock } from './findDeadlock.ts'
import { type IndexDsymsPorts, indexDsyms } from './indexDsyms.ts'
import { type NotifyPorts, notify } from './notify.ts'
import { type PushPorts, push } from './push/push.ts'
import { type RemoveBlobPorts, removeBlob } from './removeBlob.ts'
import { type RequestOperationPorts, requestOperation } from './requestOperation.ts'
import { type SymbolicateReportPorts, symbolicateReport } from './symbolicateReport.ts'
import { type SymbolicateWaitingPorts, symbolicateWaiting } from './symbolicateWaiting.ts'
import { type VerifyUploadPorts, verifyUpload } from './verifyUpload.ts'

export type EffectPorts = EndStreamPorts &
  FindDeadlockPorts &
  IndexDsymsPorts &
  NotifyPorts &
  PushPorts &
  RemoveBlobPorts &
  RequestOperationPorts &
  SymbolicateReportPorts &
  SymbolicateWaitingPorts &
  VerifyUploadPorts

export function effectHandlers(ports: EffectPorts): ReadonlyMap<string, EffectHandler> {
  return new Map([
    ['endStream', endStream(ports)],
    ['findDeadlock', findDeadlock(ports)],
    ['indexDsyms', indexDsyms(ports)],
    ['notify', notify(ports)],
    ['push', push(ports)],
    ['removeBlob', removeBlob(ports)],
    ['requestOperation', requestOperation(ports)],
    ['symbolicateReport', symbolicateReport(ports)],
    ['symbolicateWaiting', symbolicateWaiting(ports)],
    ['verifyUpload', verifyUpload(ports)],
  ])
}
