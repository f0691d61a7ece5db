/** Files for signing, made by `openssl` for each test: nothing in them is a real identity. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build as printPlist } from 'plist'

const run = promisify(execFile)
const openssl = async (folder: string, ...args: readonly string[]): Promise<string> =>
  (await run('openssl', args, { cwd: folder })).stdout

export const teamId = 'ABCDE12345'

export interface Identity {
  readonly folder: string
  /** PEM. */
  readonly certificate: string
  readonly key: string
}

export class SigningFiles {
  readonly #folders: string[] = []

  async end(): Promise<void> {
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true })
  }

  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'signing-'))
    this.#folders.push(folder)
    return folder
  }

  /** A certificate as Apple issues it, but signed by itself. */
  async identity(commonName = 'Apple Distribution: Example GmbH', days = 365): Promise<Identity> {
    const folder = await this.folder()
    const subject = `/UID=X/CN=${commonName}/OU=${teamId}/O=Example GmbH/C=DE`
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'key.pem', '-out', 'certificate.pem']
    // A certificate that has expired needs a time of its own.
    const times = days > 0 ? ['-days', String(days)] : ['-days', '1']
    await openssl(folder, 'req', '-x509', ...key, '-subj', subject, ...times)
    if (days <= 0) {
      await openssl(folder, 'req', '-new', '-key', 'key.pem', '-subj', subject, '-out', 'request.pem')
      await openssl(
        folder,
        ...['x509', '-req', '-in', 'request.pem', '-signkey', 'key.pem'],
        ...['-days', String(days), '-out', 'certificate.pem'],
      )
    }
    const read = (name: string) => readFile(join(folder, name), 'utf8')
    return { folder, certificate: await read('certificate.pem'), key: await read('key.pem') }
  }

  /** @param options of `openssl pkcs12`: `-legacy` as Keychain Access writes it, `-nokeys`, `-nomac`, `-name NAME` */
  async pkcs12({ folder }: Identity, password: string, ...options: readonly string[]): Promise<Buffer> {
    const key = options.includes('-nokeys') ? [] : ['-inkey', 'key.pem']
    const given = ['-export', '-in', 'certificate.pem', ...key, '-passout', `pass:${password}`, '-out', 'file.p12']
    await openssl(folder, 'pkcs12', ...given, ...options)
    return await readFile(join(folder, 'file.p12'))
  }

  /**
   * A provisioning profile: a property list in a CMS message, as https://developer.apple.com/documentation/technotes/tn3125 describes it.
   * @param fields that replace those of an ad hoc profile. Undefined leaves one out
   */
  async profile(identity: Identity, fields: Readonly<Record<string, unknown>> = {}): Promise<Buffer> {
    const plist = {
      AppIDName: 'Shop',
      ApplicationIdentifierPrefix: [teamId],
      CreationDate: new Date('2026-01-01T00:00:00Z'),
      Platform: ['iOS'],
      DeveloperCertificates: [toDer(identity.certificate)],
      Entitlements: { 'application-identifier': `${teamId}.com.example.shop`, 'get-task-allow': false },
      ExpirationDate: new Date('2126-01-01T00:00:00Z'),
      Name: 'Shop ad hoc',
      ProvisionedDevices: ['00008101-000123456789ABCD', '00008101-0001EEEEEEEEEEEE'],
      TeamIdentifier: [teamId],
      TeamName: 'Example GmbH',
      TimeToLive: 365,
      UUID: '8d9a1a4e-7b1c-4d7f-9a58-3a6c7d1f0a11',
      Version: 1,
      ...fields,
    }
    const kept = Object.fromEntries(Object.entries(plist).filter(([, value]) => value !== undefined))
    return await this.signed(identity, Buffer.from(printPlist(kept as Parameters<typeof printPlist>[0])))
  }

  async signed({ folder }: Identity, content: Uint8Array): Promise<Buffer> {
    await writeFile(join(folder, 'content'), content)
    const key = ['-signer', 'certificate.pem', '-inkey', 'key.pem']
    await openssl(
      folder,
      'cms',
      '-sign',
      '-binary',
      '-nodetach',
      '-in',
      'content',
      ...key,
      '-outform',
      'DER',
      '-out',
      'profile',
    )
    return await readFile(join(folder, 'profile'))
  }

  /** A key of App Store Connect. @param curve another one is refused */
  async storeKey(curve = 'P-256'): Promise<Buffer> {
    const folder = await this.folder()
    await openssl(folder, 'genpkey', '-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${curve}`, '-out', 'key.p8')
    return await readFile(join(folder, 'key.p8'))
  }
}

function toDer(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
}
