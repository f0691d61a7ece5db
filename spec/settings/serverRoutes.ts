/** Routes with facts about the server, without authentication. */
import * as v from 'valibot'
import { restRoute } from '../rest/restRoute.ts'

export const serverRoutes = {
  getHealth: restRoute({
    name: 'getHealth',
    method: 'GET',
    path: '/api/public/health',
    tag: 'Server',
    summary: 'Check whether the process runs',
    access: 'public',
    answers: { 200: { description: 'The process runs.', body: v.object({ status: v.literal('ok') }) } },
    refusals: [],
  }),
  getReadiness: restRoute({
    name: 'getReadiness',
    method: 'GET',
    path: '/api/public/ready',
    tag: 'Server',
    summary: 'Check whether the database and the storage of files are reachable',
    access: 'public',
    answers: {
      200: {
        description: 'The database and the storage of files are reachable.',
        body: v.object({ status: v.literal('ready') }),
      },
    },
    refusals: [
      {
        code: 'UNAVAILABLE',
        extras: {
          reason: v.pipe(v.picklist(['database', 'blobs']), v.description('The dependency that is not reachable.')),
        },
      },
    ],
  }),
  getOpenApi: restRoute({
    name: 'getOpenApi',
    method: 'GET',
    path: '/api/openapi.json',
    tag: 'Server',
    summary: 'Get this document',
    access: 'public',
    answers: {
      200: {
        description: 'An OpenAPI 3.1 document.',
        body: v.looseObject({ openapi: v.string(), info: v.looseObject({}), paths: v.looseObject({}) }),
        headers: { 'Cache-Control': 'The response may be cached for five minutes.' },
      },
    },
    refusals: [],
  }),
} as const
