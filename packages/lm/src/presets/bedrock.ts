/** Preset for models on Amazon Bedrock, with a Bedrock API key or AWS credentials. */
import { bedrockConverse } from '@x/adapters/wire'
import { assertModelOptions, missingPackage } from '../check-options.ts'
import { LMError } from '../errors.ts'
import type { Sign } from '../http/post.ts'
import { createPreset, missingKey, type PresetLM, type PresetOptions, readEnvironment } from './preset.ts'

export interface AWSCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Session token of temporary credentials. */
  readonly sessionToken?: string | undefined
}

export interface BedrockOptions extends PresetOptions {
  /** AWS region. Default: `AWS_REGION` or `AWS_DEFAULT_REGION`. Not needed if there is a Bedrock API key and a `baseURL`. */
  region?: string | undefined
  /** AWS credentials, or a function that returns temporary ones. The function is called before each attempt. */
  credentials?: AWSCredentials | (() => AWSCredentials | Promise<AWSCredentials>) | undefined
}

const REGION_NAMES = ['AWS_REGION', 'AWS_DEFAULT_REGION']
const BEARER_NAME = 'AWS_BEARER_TOKEN_BEDROCK'

/**
 * Creates a model on Amazon Bedrock. Uses the first of these that exists: `apiKey`, `credentials`, the key in `AWS_BEARER_TOKEN_BEDROCK`,
 * and the credentials in `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`. Signing needs the package `aws4fetch`, and
 * streaming needs `@smithy/eventstream-codec`.
 */
export function bedrock(given: BedrockOptions): PresetLM {
  assertModelOptions('bedrock', given)
  const { region = readEnvironment(REGION_NAMES), credentials, ...options } = given
  const baseURL = options.baseURL ?? `https://bedrock-runtime.${checkedRegion(region)}.amazonaws.com`
  const preset = { name: 'bedrock', wire: bedrockConverse, baseURL, keyNames: [] }
  const apiKey = options.apiKey || (credentials === undefined ? readEnvironment([BEARER_NAME]) : undefined)
  if (apiKey !== undefined) return createPreset(preset, { ...options, apiKey })
  const signer = credentials ?? readCredentials()
  if (signer === undefined)
    throw missingKey('bedrock', [BEARER_NAME, 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'], 'credentials')
  return createPreset(preset, { ...options, apiKey: undefined, sign: signBy(signer, checkedRegion(region)) })
}

function checkedRegion(region: string | undefined): string {
  if (region !== undefined) return region
  throw new LMError(
    'missing_setting',
    `bedrock needs a region. Set ${REGION_NAMES.join(' or ')} in the environment, or pass \`region\`.`,
  )
}

function readCredentials(): AWSCredentials | undefined {
  const accessKeyId = readEnvironment(['AWS_ACCESS_KEY_ID'])
  const secretAccessKey = readEnvironment(['AWS_SECRET_ACCESS_KEY'])
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return { accessKeyId, secretAccessKey, sessionToken: readEnvironment(['AWS_SESSION_TOKEN']) }
}

/** Signs requests with Signature Version 4: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
function signBy(credentials: NonNullable<BedrockOptions['credentials']>, region: string): Sign {
  return async ({ url, headers, body }) => {
    const { AwsV4Signer } = await importSigner()
    const { accessKeyId, secretAccessKey, sessionToken } = typeof credentials === 'function' ? await credentials() : credentials
    const signer = new AwsV4Signer({
      ...{ url, body, headers: { ...headers }, method: 'POST', service: 'bedrock', region, accessKeyId, secretAccessKey },
      ...(sessionToken !== undefined && { sessionToken }),
    })
    return Object.fromEntries((await signer.sign()).headers)
  }
}

async function importSigner() {
  try {
    return await import('aws4fetch')
  } catch (cause) {
    throw missingPackage('aws4fetch', 'to sign requests to Bedrock', cause)
  }
}
