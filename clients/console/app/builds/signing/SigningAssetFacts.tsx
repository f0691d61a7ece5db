/** The facts that the file of a signing asset contains. */
import { format, messages } from '../../messages.ts'
import { Fact } from '../../parts/Fact.tsx'
import { formatDate } from './ExpiryBadge.tsx'
import type { SigningAsset } from './signingAsset.ts'

const texts = messages.signing

export function SigningAssetFacts({ asset }: { readonly asset: SigningAsset }) {
  const { certificate, profile, keystore, storeKey } = asset
  return (
    <>
      {certificate && <CertificateFacts certificate={certificate} />}
      {profile && <ProfileFacts profile={profile} matches={asset.matchingCertificates} />}
      {keystore && <KeystoreFacts keystore={keystore} />}
      {storeKey && (
        <dl class="facts">
          <Fact name={texts.keyId}>
            <code>{storeKey.keyId}</code>
          </Fact>
          <Fact name={texts.issuerId}>{storeKey.issuerId === null ? '–' : <code>{storeKey.issuerId}</code>}</Fact>
        </dl>
      )}
      {asset.devices && <Devices devices={asset.devices} />}
    </>
  )
}

function CertificateFacts({ certificate }: { readonly certificate: NonNullable<SigningAsset['certificate']> }) {
  const { commonName, organization, serialNumber, sha1, sha256, notBefore, notAfter, hasPrivateKey } = certificate
  return (
    <>
      <h2>{texts.certificate}</h2>
      <dl class="facts">
        <Fact name={texts.commonName}>{commonName ?? '–'}</Fact>
        <Fact name={texts.organization}>{organization ?? '–'}</Fact>
        <Fact name={texts.expiry}>
          {formatDate(notBefore)} – {formatDate(notAfter)}
        </Fact>
        <Fact name={texts.privateKey}>
          {hasPrivateKey ? texts.hasKey : <span class="problem">{texts.hasNoKey}</span>}
        </Fact>
        <Fact name={texts.serialNumber}>
          <code>{serialNumber}</code>
        </Fact>
        <Fact name="SHA-1">
          <code>{sha1}</code>
        </Fact>
        <Fact name="SHA-256">
          <code>{sha256}</code>
        </Fact>
      </dl>
    </>
  )
}

interface ProfileFactsProps {
  readonly profile: NonNullable<SigningAsset['profile']>
  readonly matches: SigningAsset['matchingCertificates']
}

function ProfileFacts({ profile, matches }: ProfileFactsProps) {
  const { name, uuid, type, teamName, appId, platforms, deviceCount, certificates } = profile
  return (
    <>
      <h2>{texts.profile}</h2>
      <dl class="facts">
        <Fact name={texts.name}>{name}</Fact>
        <Fact name={texts.kind}>{texts.profileTypes[type]}</Fact>
        <Fact name={texts.appId}>{appId === null ? '–' : <code>{appId}</code>}</Fact>
        <Fact name={texts.team}>{teamName ?? '–'}</Fact>
        <Fact name={texts.devices}>
          {format(texts.deviceCount, { count: deviceCount })}
          {platforms.length > 0 && ` (${platforms.join(', ')})`}
        </Fact>
        <Fact name="UUID">
          <code>{uuid}</code>
        </Fact>
      </dl>
      {certificates.length > 0 && (
        <>
          <h3>{texts.certificates}</h3>
          <ul>
            {certificates.map(({ commonName, sha256, notAfter }) => {
              const match = matches.find((one) => one.sha256 === sha256)
              return (
                <li key={sha256}>
                  {commonName ?? <code>{sha256}</code>}, {formatDate(notAfter)}
                  {': '}
                  {match ? (
                    <a href={`/signing-assets/${match.signingAssetId}`}>{match.name}</a>
                  ) : (
                    <span class="hint">{texts.notStored}</span>
                  )}
                </li>
              )
            })}
          </ul>
        </>
      )}
    </>
  )
}

function KeystoreFacts({ keystore }: { readonly keystore: NonNullable<SigningAsset['keystore']> }) {
  const { format: storeFormat, keyAlias, entries } = keystore
  return (
    <>
      <h2>{texts.keystore}</h2>
      <dl class="facts">
        <Fact name={texts.kind}>{storeFormat}</Fact>
        <Fact name={texts.keyAlias}>{keyAlias === null ? '–' : <code>{keyAlias}</code>}</Fact>
      </dl>
      <ul>
        {entries.map(({ alias, kind, commonName, notAfter }, index) => (
          <li key={index}>
            <code>{alias}</code> {kind === 'PRIVATE_KEY' ? texts.privateKey : texts.certificate}
            {commonName !== null && `, ${commonName}`}, {formatDate(notAfter)}
          </li>
        ))}
      </ul>
    </>
  )
}

function Devices({
  devices: { enrolledCount, includedCount, devices },
}: {
  readonly devices: NonNullable<SigningAsset['devices']>
}) {
  return (
    <>
      <h2>{texts.devices}</h2>
      <p class="hint">{format(texts.enrolled, { included: includedCount, enrolled: enrolledCount })}</p>
      <ul>
        {devices.map(({ deviceId, displayName, product, isIncluded }) => (
          <li key={deviceId}>
            {displayName ?? product ?? deviceId}:{' '}
            <span class={isIncluded ? 'hint' : 'problem'}>{isIncluded ? texts.isIncluded : texts.isMissing}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
