/** Registers the workers at a URL with the server. */
import type { CheckedOptions } from './options.ts'
import type { Answer, Question } from './requests.ts'

type Options = Pick<CheckedOptions<never, unknown>, 'name' | 'adminUrl' | 'uri' | 'retentionMs'>

/** Returns the settings to store in the service's metadata. If they change, the service is registered again. */
export function settingsOf({ retentionMs }: Pick<Options, 'retentionMs'>): string {
  return JSON.stringify({ version: 2, retentionMs })
}

/**
 * Registers the workers. Has no effect if the same deployment is already registered, because the server would call a worker at
 * the URL, which may not be responding. Otherwise, replaces the registration of the URL; active runs then continue with the new
 * one.
 */
export async function register(options: Options, askWell: (question: Question) => Promise<Answer>): Promise<void> {
  const { name, adminUrl, uri } = options
  const look = async (path: string) => {
    const { status, text } = await askWell({
      url: `${adminUrl}/${path}`,
      what: 'return its registered services',
      isMissingFine: true,
    })
    return status === 404 ? {} : (JSON.parse(text) as Known)
  }
  const { metadata, deployment_id: deployment } = await look(`services/${name}`)
  if (deployment !== undefined && metadata?.settings === settingsOf(options)) {
    const known = await look(`deployments/${deployment}`)
    if (known.uri?.replace(/\/$/, '') === uri) return
  }
  await askWell({
    url: `${adminUrl}/deployments`,
    what: `register the workers at ${uri}, which it must be able to reach`,
    body: JSON.stringify({ uri, force: true }),
    isLater: ({ status }) => status >= 300 && status !== 409,
  })
}

interface Known {
  readonly metadata?: Readonly<Record<string, string>>
  readonly deployment_id?: string
  readonly uri?: string
}
