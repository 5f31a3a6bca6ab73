/** Makes the workers at an address known to the server. */
import type { CheckedOptions } from './options.ts'
import type { Answer, Question } from './requests.ts'

type Options = Pick<CheckedOptions<never, unknown>, 'name' | 'adminUrl' | 'uri' | 'retentionMs'>

/** Part of what the server knows of a service: it changes when the server has to learn something. */
export function settingsOf({ retentionMs }: Pick<Options, 'retentionMs'>): string {
  return JSON.stringify({ version: 1, retentionMs })
}

/**
 * Does nothing where the same is known already: the server would ask any worker at the address, be it one that does not move any more.
 * Otherwise what was known of the address is replaced; runs under way go on there.
 */
export async function register(options: Options, askWell: (question: Question) => Promise<Answer>): Promise<void> {
  const { name, adminUrl, uri } = options
  const look = async (path: string) => {
    const { status, text } = await askWell({ url: `${adminUrl}/${path}`, what: 'say what it knows', isMissingFine: true })
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
