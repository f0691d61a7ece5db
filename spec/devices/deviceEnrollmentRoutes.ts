/**
 * Apple's process by which a device reports its UDID: a link, a profile with a challenge, and the device's signed answer. Also
 * the list of devices.
 */
import * as v from 'valibot'
import { dateTime, id, idOf } from '../core/types.ts'
import { restRoute } from '../rest/restRoute.ts'
import { deviceName } from './devices.ts'

const path = '/api/public/device-enrollments/{id}'

const params = v.object({ id: v.pipe(idOf('deviceEnrollment'), v.description('Of the enrolment.')) })

/** The enrollment is in a state that does not accept this request. */
const over = {
  code: 'FAILED_PRECONDITION',
  extras: { state: v.pipe(v.string(), v.description('How the enrolment stands.')) },
} as const

/** Errors of any request, even without authentication. */
const ofAnybody = ['INTERNAL_ERROR', 'UNAVAILABLE'] as const

/** The rate for callers without a credential. */
const rate = {
  limit: 'deviceEnrollmentRequestsPerMinute',
  windowMs: 60_000,
  of: 'device enrolments from this address',
  shared: true,
} as const

export const deviceEnrollmentRoutes = {
  startDeviceEnrollment: restRoute({
    name: 'startDeviceEnrollment',
    method: 'POST',
    path: '/api/ios/enrollment/start',
    tag: 'Device enrolment',
    summary: 'Begin the enrolment of a device',
    description:
      'Open `profileUrl` on the device within 15 minutes and install the profile that it gives. The profile tells the device’s UDID, serial number, model and version, and changes nothing on it. In production it must be signed: without `DEVICE_PROFILE_CERT` this is `FAILED_PRECONDITION`.',
    access: 'sessions',
    body: {
      limit: 'deviceBodyBytes',
      schema: v.strictObject({
        displayName: v.pipe(
          v.nullish(deviceName),
          v.description('What the device is to be called; without it, as it calls itself.'),
        ),
      }),
    },
    requestHeaders: {
      'Idempotency-Key':
        'A repeat with the same key within 24 hours is answered with the enrolment that the first one began, without its link.',
    },
    answers: {
      201: {
        description: 'It has begun.',
        body: v.object({
          id,
          profileUrl: v.pipe(
            v.nullable(v.string()),
            v.description(
              'The link for the device, shown this once. It needs no credential: whoever has it may enrol.',
            ),
          ),
          expiresAt: dateTime,
        }),
      },
    },
    refusals: ['CONFLICT', 'FAILED_PRECONDITION'],
  }),
  getDeviceProfile: restRoute({
    name: 'getDeviceProfile',
    method: 'GET',
    path: `${path}/profile`,
    tag: 'Device enrolment',
    summary: 'The profile by which a device enrols',
    description: 'It may be fetched again until it is answered.',
    access: 'public',
    rate,
    params,
    query: v.object({
      token: v.pipe(v.string(), v.minLength(1), v.maxLength(200), v.description('Of the link.')),
    }),
    queryRefusal: 'BAD_USER_INPUT',
    answers: {
      200: {
        description: 'A property list of the type “Profile Service”; in a CMS envelope where it is signed.',
        mediaTypes: ['application/x-apple-aspen-config'],
        headers: { 'Content-Disposition': 'A file to install.' },
      },
    },
    refusals: ['UNAUTHENTICATED', 'NOT_FOUND', over, ...ofAnybody],
  }),
  answerDeviceEnrollment: restRoute({
    name: 'answerDeviceEnrollment',
    method: 'POST',
    path,
    tag: 'Device enrolment',
    summary: 'Where a device answers its profile',
    description:
      'The body is a CMS message, signed by the device, of a property list with `CHALLENGE` and `UDID`. A wrong challenge changes nothing; with the right one, anything else that is wrong ends the enrolment. The same device is answered again as it was the first time.',
    access: 'public',
    rate,
    params,
    rawBody: {
      limit: 'deviceAnswerBytes',
      mediaType: 'application/pkcs7-signature',
      description: 'A CMS message, as the device signed it.',
    },
    answers: {
      301: {
        description: 'The device has enrolled. The status by which iOS opens a page after it has installed a profile.',
        headers: { Location: 'The page that says so.' },
      },
    },
    refusals: ['UNAUTHENTICATED', 'NOT_FOUND', over, ...ofAnybody],
  }),
  showDeviceEnrolled: restRoute({
    name: 'showDeviceEnrolled',
    method: 'GET',
    path: `${path}/done`,
    tag: 'Device enrolment',
    summary: 'The page that says that the device has enrolled',
    description: 'In the language of `Accept-Language`: English, German, French, Spanish or Japanese.',
    access: 'public',
    rate,
    params,
    requestHeaders: { 'Accept-Language': 'The language of the page.' },
    answers: {
      200: {
        description: 'A page for people.',
        mediaTypes: ['text/html'],
        headers: { 'Content-Language': 'The language of the page.' },
      },
    },
    refusals: ['NOT_FOUND', over, ...ofAnybody],
  }),
  exportDevices: restRoute({
    name: 'exportDevices',
    method: 'GET',
    path: '/api/ios/devices/export.tsv',
    tag: 'Device enrolment',
    summary: 'The identifiers of all devices',
    description:
      'As Apple’s page “Register Multiple Devices” takes them. A name is one line there, and does not begin as a formula of a spreadsheet.',
    access: 'sessions',
    answers: {
      200: {
        description: 'The columns `Device ID`, `Device Name` and `Device Platform`, separated by tabs.',
        mediaTypes: ['text/tab-separated-values'],
        headers: { 'Content-Disposition': 'A file to save.' },
      },
    },
    refusals: [],
  }),
} as const
