import type { SettingsDraft } from './settingsDraft.ts'

/** A bucket that has the bytes of files. */
export interface S3Settings {
  /** The URL of the bucket. */
  readonly endpoint: string
  /** The beginning of all keys: empty, or with a slash at its end. */
  readonly prefix: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const because = 'BLOB_URL is set'

export function readS3(draft: SettingsDraft): S3Settings | undefined {
  const {
    BLOB_URL: blobUrl,
    AWS_REGION: region,
    AWS_ENDPOINT_URL: server,
    AWS_S3_PATH_STYLE: isPathStyle,
  } = draft.values
  if (blobUrl === undefined) return undefined
  const { hostname: bucket, pathname } = new URL(blobUrl)
  const prefix = pathname.replace(/^\/+|\/+$/g, '')
  return {
    endpoint: bucketUrl(bucket, server ?? `https://s3.${region}.amazonaws.com`, isPathStyle ?? server !== undefined),
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    accessKeyId: draft.require('AWS_ACCESS_KEY_ID', because),
    secretAccessKey: draft.require('AWS_SECRET_ACCESS_KEY', because),
  }
}

function bucketUrl(bucket: string, server: string, isPathStyle: boolean): string {
  const url = new URL(server)
  if (isPathStyle) url.pathname = `${url.pathname.replace(/\/+$/, '')}/${bucket}`
  else url.hostname = `${bucket}.${url.hostname}`
  return url.href
}
