/** Routes with facts about the server, without authentication. */
import * as v from 'valibot'
import { restRoute } from '../rest/restRoute.ts'

export const serverRoutes = {
  getHealth: restRoute({
    name: 'getHealth',
    method: 'GET',
    path: '/api/public/health',
    tag: 'Server',
    summary: 'Whether the process lives',
    access: 'public',
    answers: { 200: { description: 'It does.', body: v.object({ status: v.literal('ok') }) } },
    refusals: [],
  }),
  getReadiness: restRoute({
    name: 'getReadiness',
    method: 'GET',
    path: '/api/public/ready',
    tag: 'Server',
    summary: 'Whether the database answers',
    access: 'public',
    answers: { 200: { description: 'It does.', body: v.object({ status: v.literal('ready') }) } },
    refusals: [
      {
        code: 'UNAVAILABLE',
        extras: { reason: v.pipe(v.literal('database'), v.description('What does not answer.')) },
      },
    ],
  }),
  getOpenApi: restRoute({
    name: 'getOpenApi',
    method: 'GET',
    path: '/api/openapi.json',
    tag: 'Server',
    summary: 'This document',
    access: 'public',
    answers: {
      200: {
        description: 'An OpenAPI 3.1 document.',
        body: v.looseObject({ openapi: v.string(), info: v.looseObject({}), paths: v.looseObject({}) }),
        headers: { 'Cache-Control': 'It may be kept for five minutes.' },
      },
    },
    refusals: [],
  }),
} as const
