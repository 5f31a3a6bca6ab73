/** Answers the questions that a server asks the user. */
import { revealHiddenCharacters } from '@x/registry'
import { validate } from '@x/tool-core'
import type { Report } from './report.ts'
import { revealed } from './revealed.ts'

/** A question that a server asks during a call. */
export type McpQuestion = FormQuestion | UrlQuestion

interface AnyQuestion {
  /** Name of the source. */
  readonly server: string
  /** Name of the called tool. Undefined if an older server asks while several calls are running. */
  readonly tool: string | undefined
  /** The server's message to the user. */
  readonly message: string
}

/** Asks for values in a form. */
export interface FormQuestion extends AnyQuestion {
  readonly mode: 'form'
  /** JSON Schema of the form: an object with strings, numbers, booleans and choices. */
  readonly schema: object
}

/** Asks the user to open a page. Before you open it, show its host and ask for consent. */
export interface UrlQuestion extends AnyQuestion {
  readonly mode: 'url'
  readonly url: string
  /** The page's host, in ASCII. */
  readonly host: string
}

export type McpAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> | undefined }
  | { readonly action: 'decline' | 'cancel' }

/** Answers a question. `signal` is aborted when the call is aborted. */
export type Elicit = (question: McpQuestion, context: { readonly signal: AbortSignal }) => McpAnswer | Promise<McpAnswer>

/** An answer in the protocol's format. */
export interface WireAnswer {
  readonly action: McpAnswer['action']
  readonly content?: Readonly<Record<string, unknown>> | undefined
}

export interface Asking {
  readonly server: string
  readonly tool: string | undefined
  readonly elicit: Elicit | undefined
  readonly report: Report
  readonly signal: AbortSignal
}

/** The parameters of a question in the protocol's format. */
export interface WireQuestion {
  readonly mode?: string | undefined
  readonly message?: unknown
  readonly requestedSchema?: unknown
  readonly url?: unknown
}

/** Answers a question with `elicit`, or declines and reports it. Rejects if `elicit` throws or its answer doesn't fit the form. */
export async function answer(given: WireQuestion, { server, tool, elicit, report, signal }: Asking): Promise<WireAnswer> {
  const question = toQuestion(given, { server, tool })
  if (question === undefined) return decline('asked to open an address that is not a web page', '')
  if (elicit === undefined)
    return decline(question.mode === 'url' ? `asked to open a page of ${question.host}` : 'asked a question')
  const reply = await elicit(question, { signal })
  if (reply?.action !== 'accept') return { action: reply?.action === 'cancel' ? 'cancel' : 'decline' }
  if (question.mode === 'url') return { action: 'accept' }
  return { action: 'accept', content: await checked(question.schema, reply.content ?? {}) }

  function decline(what: string, fix = ' Pass elicit to answer.'): WireAnswer {
    report({
      code: 'question_declined',
      message: `The server "${server}" ${what}, which was declined.${fix}`,
      tool,
    })
    return { action: 'decline' }
  }
}

/** Converts a question from the protocol's format. Returns undefined if its address isn't a web page. */
export function toQuestion(given: WireQuestion, about: Omit<AnyQuestion, 'message'>): McpQuestion | undefined {
  const asked = { ...about, message: revealHiddenCharacters(String(given.message ?? '')) }
  if (given.mode !== 'url') {
    const schema = typeof given.requestedSchema === 'object' && given.requestedSchema !== null ? given.requestedSchema : {}
    return { ...asked, mode: 'form', schema: revealed(schema) as object }
  }
  const url = typeof given.url === 'string' && URL.canParse(given.url) ? new URL(given.url) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return { ...asked, mode: 'url', url: url.href, host: url.host }
}

/** Checks the values, and fills in the defaults of the form. */
async function checked(schema: object, content: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
  const { properties = {} } = schema as { properties?: Record<string, { default?: unknown } | undefined> }
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    property?.default === undefined ? [] : [[name, property.default] as const],
  )
  const whole = { ...Object.fromEntries(defaults), ...content }
  const issues = await validate(schema, whole)
  if (issues.length === 0) return whole
  const words = issues.map(({ path, message }) => `${path.slice(1) || 'content'} ${message}`).join('; ')
  throw new TypeError(`elicit: the answer doesn't fit the form: ${words}.`)
}
