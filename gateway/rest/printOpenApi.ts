/** `node gateway/rest/printOpenApi.ts` writes `spec/openapi.json` from the declared routes. */
import { writeFile } from 'node:fs/promises'
import { restRoutes } from '../../spec/rest/routes.ts'
import { printOpenApi } from './openapi/print.ts'

await writeFile(new URL('../../spec/openapi.json', import.meta.url), printOpenApi(restRoutes))
