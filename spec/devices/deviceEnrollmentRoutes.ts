/**
 * Apple's process by which a device reports its UDID: a link, a profile with a challenge, and the device's signed answer. Also
 * the list of devices.
 */
import * as v from 'valibot'
import { dateTime, id, idOf } from '../core/types.ts'
import { restRoute } from '../rest/restRoute.ts'
import { deviceName } from './devices.ts'

const path = '/api/public/device-enrollments/{id}'

const params = v.object({ id: v.pipe(idOf('deviceEnrollment'), v.description('The ID of the enrollment.')) })

/** The enrollment is in a state that does not accept this request. */
const over = {
  code: 'FAILED_PRECONDITION',
  extras: { state: v.pipe(v.string(), v.description('The status of the enrollment.')) },
} as const

/** The server has no certificate, and it is in production. */
const unsigned = {
  code: 'FAILED_PRECONDITION',
  extras: { settings: v.pipe(v.array(v.string()), v.description('The settings that are missing.')) },
} as const

/** Errors of any request, even without authentication. */
const ofAnyRequest = ['INTERNAL_ERROR', 'UNAVAILABLE'] as const

/** The rate for callers without a credential. */
const rate = {
  limit: 'deviceEnrollmentRequestsPerMinute',
  windowMs: 60_000,
  of: 'device enrollments from this address',
  shared: true,
} as const

export const deviceEnrollmentRoutes = {
  startDeviceEnrollment: restRoute({
    name: 'startDeviceEnrollment',
    method: 'POST',
    path: '/api/ios/enrollment/start',
    tag: 'Device enrollment',
    summary: 'Begin the enrollment of a device',
    description:
      'Open `profileUrl` on the device within 15 minutes and install the downloaded profile. The profile sends the device’s ' +
      'UDID, serial number, model and version, and changes nothing on the device. In production the profile must be signed: ' +
      'without `DEVICE_PROFILE_CERT` the request is refused with `FAILED_PRECONDITION`.',
    access: 'sessions',
    body: {
      limit: 'deviceBodyBytes',
      schema: v.strictObject({
        displayName: v.pipe(
          v.nullish(deviceName),
          v.description('The name that the device gets. Default: the device’s own name.'),
        ),
      }),
    },
    requestHeaders: {
      'Idempotency-Key':
        'A repeat with the same idempotency key within 24 hours returns the enrollment that the first request began, without its link.',
    },
    answers: {
      201: {
        description: 'The enrollment has begun.',
        body: v.object({
          id,
          profileUrl: v.pipe(
            v.nullable(v.string()),
            v.description(
              'The link for the device, returned once. It needs no credential: anyone who has it can enroll one device.',
            ),
          ),
          expiresAt: dateTime,
        }),
      },
    },
    refusals: ['CONFLICT', unsigned],
  }),
  getDeviceProfile: restRoute({
    name: 'getDeviceProfile',
    method: 'GET',
    path: `${path}/profile`,
    tag: 'Device enrollment',
    summary: 'Get the profile with which a device enrolls',
    description: 'The profile can be fetched again until a device has answered it.',
    access: 'public',
    rate,
    params,
    query: v.object({
      token: v.pipe(v.string(), v.minLength(1), v.maxLength(200), v.description('The token of the link.')),
    }),
    queryRefusal: 'BAD_USER_INPUT',
    answers: {
      200: {
        description: 'A property list of the type “Profile Service”, in a CMS envelope if it is signed.',
        mediaTypes: ['application/x-apple-aspen-config'],
        headers: { 'Content-Disposition': 'The name of the file to install.' },
      },
    },
    refusals: ['UNAUTHENTICATED', 'NOT_FOUND', over, ...ofAnyRequest],
  }),
  answerDeviceEnrollment: restRoute({
    name: 'answerDeviceEnrollment',
    method: 'POST',
    path,
    tag: 'Device enrollment',
    summary: 'Receive the answer of a device to its profile',
    description:
      'The body is a CMS message, signed by the device, that contains a property list with `CHALLENGE` and `UDID`. A wrong ' +
      'challenge changes nothing. With the right challenge, any other error ends the enrollment. A repeat by the same device ' +
      'gets the first answer again.',
    access: 'public',
    rate,
    params,
    rawBody: {
      limit: 'deviceAnswerBytes',
      mediaType: 'application/pkcs7-signature',
      description: 'The CMS message that the device signed.',
    },
    answers: {
      301: {
        description: 'The device has enrolled. With this status iOS opens a page after it has installed a profile.',
        headers: { Location: 'The address of the page that confirms the enrollment.' },
      },
    },
    refusals: ['UNAUTHENTICATED', 'NOT_FOUND', over, ...ofAnyRequest],
  }),
  showDeviceEnrolled: restRoute({
    name: 'showDeviceEnrolled',
    method: 'GET',
    path: `${path}/done`,
    tag: 'Device enrollment',
    summary: 'Get the page that confirms the enrollment',
    description: 'The page is in the language of `Accept-Language`: English, German, French, Spanish or Japanese.',
    access: 'public',
    rate,
    params,
    requestHeaders: { 'Accept-Language': 'The language of the page.' },
    answers: {
      200: {
        description: 'The HTML page.',
        mediaTypes: ['text/html'],
        headers: { 'Content-Language': 'The language of the page.' },
      },
    },
    refusals: ['NOT_FOUND', over, ...ofAnyRequest],
  }),
  exportDevices: restRoute({
    name: 'exportDevices',
    method: 'GET',
    path: '/api/ios/devices/export.tsv',
    tag: 'Device enrollment',
    summary: 'Export the identifiers of all devices',
    description:
      'Returns the file that Apple’s page “Register Multiple Devices” accepts. A name is one line and does not begin like a spreadsheet formula.',
    access: 'sessions',
    answers: {
      200: {
        description: 'The columns `Device ID`, `Device Name` and `Device Platform`, separated by tabs.',
        mediaTypes: ['text/tab-separated-values'],
        headers: { 'Content-Disposition': 'The name of the file to save.' },
      },
    },
    refusals: [],
  }),
} as const
