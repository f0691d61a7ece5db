/** `node gateway/rest/printOpenApi.ts` writes `spec/openapi.json` from the declared routes. */
import { writeFile } from 'node:fs/promises'
import { printOpenApi } from '../../spec/openapi/print.ts'
import { restRoutes } from '../../spec/rest/routes.ts'

await writeFile(new URL('../../spec/openapi.json', import.meta.url), printOpenApi(restRoutes))
